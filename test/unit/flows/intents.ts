import { expect } from 'vitest';
import type { ObkError } from '../../../src/errors.ts';
import { claimIntent, intentHash } from '../../../src/flows/intent.ts';
import type { ReadStatus } from '../../../src/flows/duplicate.ts';
import type { IntentWish } from '../../../src/flows/intent.ts';
import { buildPayment } from '../../../src/flows/single-body.ts';
import type { JournalRecord } from '../../../src/ports.ts';
import { fakeClock, memoryJournal, memoryStore } from '../../helpers/fakes/index.ts';
import type { JournalState, MemoryJournal } from '../../helpers/fakes/index.ts';
import { world } from '../../helpers/world.ts';

export const at = '2026-11-21T10:00:00.000Z';
export const key = (name: string): Pick<IntentWish, 'hash' | 'key'> => ({
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
  buildPayment('payments', 'sepa-credit-transfers', { ...fields, amount }, hash);

type Prepared = Extract<JournalRecord, { type: 'prepared' }>;

export const prepared = (intent: string): Prepared => ({
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
export const sending: Extract<JournalRecord, { type: 'sending' }> = { type: 'sending', at, exchange: 'x1' };
export const answered = (outcome: 'DONE' | 'REJECTED' | 'UNKNOWN', status: number): JournalRecord => ({
  type: 'answered',
  at,
  exchange: 'x1',
  outcome,
  status,
  headers: [],
  body: '{}',
  durationMs: 1,
});
export const failed = (outcome: 'NOT_SENT' | 'UNKNOWN'): JournalRecord => ({
  type: 'failed',
  at,
  exchange: 'x1',
  outcome,
  reason: 'reset',
  detail: 'reset by peer',
  durationMs: 1,
});
export const resolved = (resolution: 'created' | 'not-created'): JournalRecord => ({
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
  { name = 'k', alive = false, chosen = true, amount = '12.50' } = {},
): Promise<MemoryJournal> {
  const journal = memoryJournal({ state });
  const { target } = await world({ journal });
  const wish = { ...key(name), chosen, allowDuplicate: true };
  await claimIntent(target.ports, { name: 'acme', production: false }, order(amount), wish);
  const records = histories[history] ?? [];
  if (history !== 'nothing') {
    for (const record of [prepared(wish.hash), ...records]) await journal.append(record, { durable: true });
  }
  if (!alive) journal.die();
  return journal;
}

export async function claim(
  state: JournalState,
  {
    name = 'k',
    chosen = true,
    allowDuplicate = false,
    amount = '12.50',
    production = false,
    store = memoryStore(),
    now = at,
    readStatus = undefined as ReadStatus | undefined,
  } = {},
): Promise<string> {
  const journal = memoryJournal({ state });
  const { target } = await world({ journal, store, clock: fakeClock({ at: now }) });
  const wish = { ...key(name), chosen, allowDuplicate };
  try {
    const claimed = await claimIntent(
      target.ports,
      { name: 'acme', production },
      order(amount),
      wish,
      readStatus,
    );
    if (claimed.kind === 'send') {
      expect(state.intents.get(wish.hash)?.run).toBe(journal.run);
      return 'send';
    }
    return `earlier ${claimed.state.kind}`;
  } catch (error) {
    const { exit, code } = error as ObkError;
    return `${exit} ${code}`;
  }
}
