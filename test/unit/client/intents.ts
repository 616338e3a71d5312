import { expect } from 'vitest';
import { ObkError } from '../../../src/base/errors.ts';
import { buildPayment } from '../../../src/client/orders/single-body.ts';
import type { ReadStatus } from '../../../src/client/resources/duplicate.ts';
import { claimIntent, intentHash } from '../../../src/client/resources/intent.ts';
import type { Claimed, ClaimOptions } from '../../../src/client/resources/intent.ts';
import type { JournalRecord } from '../../../src/settings/records/journal.ts';
import { fakeClock, memoryJournal, memoryStore } from '../../helpers/fakes/index.ts';
import type { JournalState, MemoryJournal } from '../../helpers/fakes/index.ts';

export const at = '2026-11-21T10:00:00.000Z';
export const key = (name: string): Pick<ClaimOptions, 'hash' | 'key'> => ({
  hash: intentHash('acme', name),
  key: name,
});

export const fields = {
  debtor: 'DE40100100103307118608',
  creditorAccount: 'DE02100100109307118603',
  creditorName: 'Shop',
  amount: '12.50',
};
export const order = (amount = '12.50', hash = 'a'.repeat(64)) =>
  buildPayment(
    { service: 'payments', product: 'sepa-credit-transfers' },
    { ...fields, amount },
    { intentHash: hash },
  );

type Of<Type extends JournalRecord['type']> = Extract<JournalRecord, { type: Type }>;

export const prepared = (intent: string): Of<'prepared'> => ({
  type: 'prepared',
  at,
  exchange: 'x1',
  operation: 'initiatePayment',
  method: 'POST',
  url: 'https://bank.example/v1/payments/sepa-credit-transfers',
  headers: [],
  body: '{}',
  bodySha256: '',
  requestId: 'r1',
  write: true,
  intent,
});
export const sending: Of<'sending'> = { type: 'sending', at, exchange: 'x1' };
export const answered = (outcome: 'DONE' | 'REJECTED' | 'UNKNOWN', status: number): Of<'answered'> => ({
  type: 'answered',
  at,
  exchange: 'x1',
  outcome,
  status,
  headers: [],
  body: '{}',
  durationMs: 1,
});
export const failed = (outcome: 'NOT_SENT' | 'UNKNOWN'): Of<'failed'> => ({
  type: 'failed',
  at,
  exchange: 'x1',
  outcome,
  reason: 'reset',
  detail: 'reset by peer',
  durationMs: 1,
});
export const resolved = (resolution: 'created' | 'not-created'): Of<'resolved'> => ({
  type: 'resolved',
  at,
  exchange: 'x1',
  resolution,
  by: 'person',
  ...(resolution === 'created' ? { resource: { paymentId: 'p1' } } : {}),
});

/** What stands in the journal of the earlier run, by name; `nothing` is a crash before `prepared`. */
export const histories: Record<string, JournalRecord[]> = {
  nothing: [],
  prepared: [],
  sending: [sending],
  notSent: [failed('NOT_SENT')],
  lost: [sending, failed('UNKNOWN')],
  unclear: [sending, answered('UNKNOWN', 500)],
  made: [sending, answered('DONE', 201)],
  refused: [sending, answered('REJECTED', 400)],
  unauthorised: [sending, answered('REJECTED', 401)],
  throttled: [sending, answered('REJECTED', 429)],
  foundMade: [sending, failed('UNKNOWN'), resolved('created')],
  foundNotMade: [sending, failed('UNKNOWN'), resolved('not-created')],
};

/** A run that has claimed the intent and written this much of its journal. */
export async function earlierRun(
  state: JournalState,
  history: string,
  { name = 'k', alive = false, chosen = true, amount = '12.50', production = false } = {},
): Promise<MemoryJournal> {
  const journal = memoryJournal({ state });
  const wish = { ...key(name), chosen, allowDuplicate: true };
  await claimIntent(
    { ...memoryStore(), journal, intents: journal.intents, clock: fakeClock({ at }) },
    { name: 'acme', production, readStatus: silent },
    order(amount),
    wish,
  );
  const records = histories[history] ?? [];
  if (history !== 'nothing') {
    for (const record of [prepared(wish.hash), ...records]) await journal.append(record);
  }
  if (!alive) journal.die();
  return journal;
}

/** A bank that is not to be asked. */
export const silent: ReadStatus = () => Promise.reject(new Error('the bank was asked'));

/** Claims in a run of its own; throws what stands in the way. */
export async function attempt(
  state: JournalState,
  {
    name = 'k',
    chosen = true,
    allowDuplicate = false,
    amount = '12.50',
    production = false,
    journal = memoryJournal({ state }),
    store = memoryStore(),
    now = at,
    readStatus = silent,
  } = {},
): Promise<Claimed> {
  const wish = { ...key(name), chosen, allowDuplicate };
  const profile = { name: 'acme', production, readStatus };
  const claimed = await claimIntent(
    { ...store, journal, intents: journal.intents, clock: fakeClock({ at: now }) },
    profile,
    order(amount),
    wish,
  );
  if (claimed.kind === 'send') expect(state.intents.get(wish.hash)?.run).toBe(journal.run);
  return claimed;
}

/** The same, in words. */
export async function claim(state: JournalState, how: Parameters<typeof attempt>[1] = {}): Promise<string> {
  try {
    const claimed = await attempt(state, how);
    return claimed.kind === 'send' ? claimed.kind : `${claimed.kind} ${claimed.state.kind}`;
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return `${error.exit} ${error.code}`;
  }
}
