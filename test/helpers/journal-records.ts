import type { Journal } from '../../src/client/ports/journal.ts';
import type { JournalRecord } from '../../src/settings/records/journal.ts';

let second = 0;
export function now(): string {
  return new Date(Date.UTC(2026, 10, 21, 10, 0, ++second)).toISOString();
}

export function runRecord(): JournalRecord {
  return {
    type: 'run',
    at: now(),
    version: '1',
    command: 'payment init',
    profile: 'acme',
    environment: 'test',
    pid: 1,
  };
}

export function prepared(
  exchange: string,
  changes: Partial<Extract<JournalRecord, { type: 'prepared' }>> = {},
): JournalRecord {
  return {
    type: 'prepared',
    at: now(),
    exchange,
    operation: 'initiatePayment',
    method: 'POST',
    url: 'https://bank.example/v1/payments/sepa-credit-transfers',
    headers: [['X-Request-ID', 'r']],
    body: '{"masked":true}',
    bodySha256: 'x',
    requestId: 'r',
    write: true,
    exact: { headers: [['X-Request-ID', 'r']], body: '{"amount":"1.00","ü":"€"}' },
    ...changes,
  };
}

export const sending = (exchange: string): JournalRecord => ({ type: 'sending', at: now(), exchange });

export const answered = (exchange: string, outcome: 'DONE' | 'REJECTED' | 'UNKNOWN'): JournalRecord => ({
  type: 'answered',
  at: now(),
  exchange,
  outcome,
  status: 201,
  headers: [],
  body: '{}',
  durationMs: 1,
});

export const failed = (exchange: string, outcome: 'NOT_SENT' | 'UNKNOWN'): JournalRecord => ({
  type: 'failed',
  at: now(),
  exchange,
  outcome,
  reason: 'timeout',
  detail: 'no answer',
  durationMs: 1,
});

export const resolved = (exchange: string): Extract<JournalRecord, { type: 'resolved' }> => ({
  type: 'resolved',
  at: now(),
  exchange,
  resolution: 'not-created',
  by: 'person',
  reason: 'the account shows nothing',
});

export async function write(journal: Journal, ...records: JournalRecord[]): Promise<void> {
  for (const record of records) await journal.append(record);
}
