import { line } from '../command-line.ts';
import type { ErrorResource } from '../errors.ts';
import type { Intent, JournalRecord, Noun, Ports } from '../ports.ts';
import type { OperationId } from '../xs2a/operations.ts';
import { shortHash, stateIn } from './intent.ts';

type PreparedRecord = Extract<JournalRecord, { type: 'prepared' }>;

/** A write whose outcome nobody knows. */
export interface UnknownWrite {
  kind: 'unknown';
  /** What people type: the start of the intent's hash, or of the exchange's id. */
  id: string;
  run: string;
  exchange: string;
  operation: string;
  at: string;
  requestId: string;
  /** Of the body as the journal has it: the same request again has the same. */
  bodySha256: string;
  detail: string;
  intent?: Intent;
  resource?: ErrorResource;
  next: string;
}

/** What the calls make that no bank can be asked for afterwards: it lists none. */
export const creations: Readonly<Partial<Record<string, Noun>>> = {
  initiatePayment: 'payment',
  createConsent: 'consent',
  createSigningBasket: 'basket',
};

/** The writes of a profile whose outcome nobody knows, newest run first. */
export async function unknownWrites(ports: Ports, profile: string): Promise<UnknownWrite[]> {
  const found: UnknownWrite[] = [];
  for (const { run } of await ports.journal.openRuns()) {
    const records = await ports.journal.read(run);
    const head = records.find((record) => record.type === 'run');
    if (head !== undefined && head.profile !== profile) continue;
    for (const record of records) {
      if (record.type !== 'prepared' || !record.write) continue;
      const state = stateIn(records, (other) => other.exchange === record.exchange);
      if (state.kind === 'unknown') found.push(await unknownWrite(ports, run, record, state.detail));
    }
  }
  return found;
}

async function unknownWrite(
  ports: Ports,
  run: string,
  record: PreparedRecord,
  detail: string,
): Promise<UnknownWrite> {
  const intent = record.intent === undefined ? undefined : await ports.journal.intent(record.intent);
  const id = intent === undefined ? record.exchange.slice(0, 12) : shortHash(intent);
  const made = creations[record.operation];
  const next =
    made === undefined
      ? line`obk pending resume ${id}   # reads at the bank what became of it`
      : line`obk pending resolve ${id} ${[`--${made}-id`]} ID   # or --not-created --reason TEXT, after ${
          made === 'payment' ? 'looking at the account or ' : ''
        }asking the bank`;
  return {
    kind: 'unknown',
    id,
    run,
    exchange: record.exchange,
    operation: record.operation,
    at: record.at,
    requestId: record.requestId,
    bodySha256: record.bodySha256,
    detail,
    ...(intent === undefined ? {} : { intent }),
    ...(record.resource === undefined ? {} : { resource: record.resource }),
    next,
  };
}

/** What the bank showed of a write whose answer was lost. */
export interface Reading {
  acted: boolean;
  /** The status that was read, or what else showed it. */
  reason: string;
}

/** Notes in the journal what the bank showed, for every lost write of this operation on this resource. */
export async function settleWrites(
  ports: Ports,
  profile: string,
  operation: OperationId,
  resource: ErrorResource,
  reading: Reading,
): Promise<void> {
  for (const write of await unknownWrites(ports, profile)) {
    if (write.operation !== operation || !isSame(write.resource, resource)) continue;
    await settleWrite(ports, write, reading);
  }
}

/** Notes in the journal what the bank showed of this write. */
export async function settleWrite(ports: Ports, write: UnknownWrite, reading: Reading): Promise<void> {
  await ports.journal.resolve(write.run, {
    type: 'resolved',
    at: ports.clock.now().toISOString(),
    exchange: write.exchange,
    resolution: reading.acted ? 'done' : 'not-done',
    by: 'bank',
    reason: reading.reason,
    ...(write.resource === undefined ? {} : { resource: write.resource }),
  });
}

function isSame(a: ErrorResource | undefined, b: ErrorResource): boolean {
  return (['paymentId', 'consentId', 'basketId', 'authorisationId'] as const).every(
    (key) => a?.[key] === b[key],
  );
}
