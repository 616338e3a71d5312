import { expect, it } from 'vitest';
import { verdictOf } from '../../../../src/client/evidence/journal-runs.ts';
import type { ExchangeView } from '../../../../src/settings/records/exchange.ts';

const exchange = (part: Partial<ExchangeView>) => ({ operation: 'initiatePayment', ...part }) as ExchangeView;
const answer = (status: number, ...messages: { category: string; code: string; path?: string }[]) =>
  ({ status, headers: [], body: '', messages }) as unknown as NonNullable<ExchangeView['answer']>;
const done = exchange({ outcome: 'DONE', answer: answer(201) });

it.each<[string | null, ExchangeView[], Parameters<typeof verdictOf>[1]]>([
  [null, [], undefined],
  ['ACSC: settled', [done], { value: 'ACSC', meaning: 'settled' }],
  ['ODD', [done], { value: 'ODD', meaning: null }],
  [
    'refused by the bank: FORMAT_ERROR in creditorAccount (initiatePayment)',
    [
      done,
      exchange({
        outcome: 'REJECTED',
        answer: answer(400, { category: 'ERROR', code: 'FORMAT_ERROR', path: 'creditorAccount' }),
      }),
    ],
    undefined,
  ],
  [
    'refused by the bank: HTTP 502 (initiatePayment)',
    [exchange({ outcome: 'FAILED', answer: answer(502) })],
    undefined,
  ],
  [
    'refused by the bank: HTTP 403, HTML of a gateway or web server, Rejected Your support ID is 42 (initiatePayment)',
    [
      exchange({
        outcome: 'REJECTED',
        answer: { ...answer(403), body: '<html><title>Rejected</title>Your support ID is 42</html>' },
      }),
    ],
    undefined,
  ],
  [
    'refused by the bank: HTTP 400, E-4711 (initiatePayment)',
    [
      exchange({
        outcome: 'REJECTED',
        answer: { ...answer(400), body: '{"errors":[{"errorCode":"E-4711"}]}' },
      }),
    ],
    undefined,
  ],
  [
    'the outcome of initiatePayment is unknown (the bank answered HTTP 500, INTERNAL_SERVER_ERROR)',
    [
      exchange({
        outcome: 'UNKNOWN',
        answer: {
          ...answer(500),
          body: '{"tppMessages":[{"category":"ERROR","code":"INTERNAL_SERVER_ERROR"}]}',
        },
      }),
    ],
    undefined,
  ],
  [
    'initiatePayment was not sent',
    [exchange({ outcome: 'NOT_SENT', failure: { left: false, why: '' } })],
    undefined,
  ],
  [
    'the outcome of initiatePayment is unknown (no answer)',
    [exchange({ outcome: 'UNKNOWN', failure: { left: true, why: '' } }), done],
    { value: 'RCVD', meaning: 'received' },
  ],
  [
    'RCVD: received',
    [exchange({ outcome: 'UNKNOWN', resolution: 'created', failure: { left: true, why: '' } }), done],
    { value: 'RCVD', meaning: 'received' },
  ],
])('a ticket has the verdict: %s', (verdict, exchanges, status) => {
  expect(verdictOf(exchanges, status)).toBe(verdict);
});
