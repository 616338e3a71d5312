import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorResource } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Intents } from '../ports/intents.ts';
import type { Journal } from '../ports/journal.ts';
import type { BrokenIntent, Intent, JournalRecord, OpenWrite } from '../../settings/records/journal.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { doubtOf, intentState, shortHash, stateIn } from './intent-state.ts';
import { readable } from './run-records.ts';

type PreparedRecord = Extract<JournalRecord, { type: 'prepared' }>;

/** A write whose outcome is unknown. */
export interface UnknownWrite {
  kind: 'unknown';
  /** The id that people type: the start of the intent's hash, or of the exchange's id. */
  id: string;
  run: string;
  /** The host of the run, in a journal of several machines. */
  host?: string;
  exchange: string;
  operation: string;
  at: string;
  requestId: string;
  /** Hash of the body in the journal; a repeated request has the same. */
  bodySha256: string;
  detail: string;
  /** Absent where it is damaged or gone. */
  intent?: Intent;
  hash?: string;
  /** There where it is the intent that is damaged. */
  broken?: BrokenIntent;
  resource?: ErrorResource;
  next: string;
}

/**
 * Operations whose results cannot be looked up afterwards, since the bank has no list of them, with the noun they
 * create.
 */
export const creations: Readonly<Partial<Record<string, Noun>>> = {
  initiatePayment: 'payment',
  createConsent: 'consent',
  createSigningBasket: 'basket',
};

/** The writes of a profile whose outcome is unknown, newest run first. */
export async function unknownWrites(ports: Ports, profile: string): Promise<UnknownWrite[]> {
  const found: UnknownWrite[] = [];
  for (const open of await ports.journal.openWrites()) {
    const records = await readable(ports.journal, open);
    const head = records?.find((record) => record.type === 'run');
    const of = head?.profile ?? open.profile;
    if (of !== undefined && of !== profile) continue;
    found.push(await openWrite(ports, open, records ?? []));
  }
  return found;
}

async function openWrite(
  ports: Ports,
  open: OpenWrite,
  records: readonly JournalRecord[],
): Promise<UnknownWrite> {
  const isOfIt = (record: JournalRecord) => 'exchange' in record && record.exchange === open.exchange;
  const prepared = records.filter((record) => record.type === 'prepared').find(isOfIt);
  const state = prepared && stateIn(records, isOfIt);
  const isWaiting = open.alive && state?.kind === 'unknown' && state.open === true;
  const detail = isWaiting ? waiting : state?.kind === 'unknown' ? state.detail : lostJournal;
  const write = await unknownWrite(ports, open, prepared ?? open, detail);
  return isWaiting ? { ...write, next: `${write.next}; first let its run end` } : write;
}

const waiting = 'the bank has not answered yet, and the run that sent it may still be waiting';
const lostJournal = 'the journal of the run that sent it is damaged or missing';

/** The known facts of a write, from its record or from the mark that it left. */
type Known = Partial<
  Pick<PreparedRecord, 'operation' | 'at' | 'requestId' | 'bodySha256' | 'intent' | 'resource'>
>;

async function unknownWrite(
  ports: Ports,
  { run, exchange, host }: Pick<OpenWrite, 'run' | 'exchange' | 'host'>,
  known: Known,
  detail: string,
): Promise<UnknownWrite> {
  const { operation = 'an unknown call', requestId = '', bodySha256 = '', resource } = known;
  const intent = known.intent === undefined ? undefined : await intentOf(ports.intents, known.intent);
  const id = known.intent === undefined ? exchange.slice(0, 12) : shortHash({ hash: known.intent });
  const at = known.at ?? intent?.createdAt ?? (await startOf(ports.journal, run));
  return {
    ...{ kind: 'unknown', id, run, exchange, operation, at, requestId, bodySha256, detail },
    ...defined({ host, intent, hash: known.intent, resource }),
    next: nextOf(id, intent?.resourceId === undefined ? creations[operation] : undefined),
  };
}

/** The resource that a write is about, or seems to have created. */
export function namedBy({ resource, intent }: UnknownWrite): ErrorResource | undefined {
  return resource ?? (intent?.resourceId === undefined ? undefined : { paymentId: intent.resourceId });
}

function nextOf(id: string, made: Noun | undefined): string {
  if (made === undefined) return line`obk pending resume ${id}   # reads at the bank what became of it`;
  return line`obk pending resolve ${id} ${[`--${made}-id`]} ID   # or --not-created --reason TEXT, after ${
    made === 'payment' ? 'looking at the account or ' : ''
  }asking the bank`;
}

/** A damaged intent is reported by the command that needs it. */
async function intentOf(intents: Intents, hash: string): Promise<Intent | undefined> {
  try {
    return await intents.find(hash);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return undefined;
  }
}

async function startOf(journal: Journal, run: string): Promise<string> {
  for await (const one of await journal.runs()) if (one.run === run) return one.startedAt;
  return '';
}

/**
 * The write of an intent by the start of its hash, though nothing lists it: because the mark of it is lost, or the intent
 * itself is damaged.
 */
export async function unknownIntents(ports: Ports, profile: string, prefix: string): Promise<UnknownWrite[]> {
  if (!/^[0-9a-f]{6,64}$/.test(prefix)) return [];
  const { journal, intents } = ports;
  const broken = (await intents.broken(prefix))
    .filter((one) => one.profile === undefined || one.profile === profile)
    .map(async (one): Promise<UnknownWrite> => {
      const known = { operation: 'initiatePayment', intent: one.hash, at: one.createdAt ?? '' };
      const place = { run: '', exchange: '' };
      return {
        ...(await unknownWrite(ports, place, known, `${one.path} is damaged or missing`)),
        broken: one,
      };
    });
  const whole = (await intents.named(prefix))
    .filter((intent) => intent.profile === profile)
    .map(async (intent) => {
      const doubt = doubtOf(await intentState(journal, intent));
      if (doubt === undefined) return [];
      const { requestId = '', exchange = '', detail } = doubt;
      const known = { operation: 'initiatePayment', intent: intent.hash, at: intent.createdAt, requestId };
      return [await unknownWrite(ports, { run: intent.run, exchange }, known, detail)];
    });
  return [...(await Promise.all(broken)), ...(await Promise.all(whole)).flat()];
}

/** Evidence from a later read for a write whose answer was lost. */
export interface WriteEvidence {
  acted: boolean;
  /** The status that was read, or what else showed it. */
  reason: string;
}

/** Notes in the journal what the bank showed, for every lost write of this operation on this resource. */
export async function settleWrites(
  { ports, name }: { ports: Ports; name: string },
  operation: OperationId,
  resource: ErrorResource,
  reading: WriteEvidence,
): Promise<void> {
  for (const write of await unknownWrites(ports, name)) {
    if (write.operation !== operation || !isSame(write.resource, resource)) continue;
    await settleWrite(ports, write, reading);
  }
}

/** Notes in the journal what the bank showed of this write. */
export async function settleWrite(ports: Ports, write: UnknownWrite, reading: WriteEvidence): Promise<void> {
  await noteResolution(ports.journal, write, {
    type: 'resolved',
    at: ports.clock.now().toISOString(),
    exchange: write.exchange,
    resolution: reading.acted ? 'done' : 'not-done',
    by: 'bank',
    reason: reading.reason,
    ...defined({ resource: write.resource }),
  });
}

function isSame(a: ErrorResource | undefined, b: ErrorResource): boolean {
  return (['paymentId', 'consentId', 'basketId', 'authorisationId'] as const).every(
    (key) => a?.[key] === b[key],
  );
}

/** Writes a resolution into the journal of the run, where that can be read; the write is over either way. */
export async function noteResolution(
  journal: Journal,
  { run, exchange }: Pick<UnknownWrite, 'run' | 'exchange'>,
  record: Extract<JournalRecord, { type: 'resolved' }>,
): Promise<void> {
  if (run === '') return;
  const records = await readable(journal, { run });
  if (records?.some((one) => one.type === 'prepared' && one.exchange === exchange) === true)
    await journal.resolve(run, record);
  else await journal.close(run, exchange);
}
