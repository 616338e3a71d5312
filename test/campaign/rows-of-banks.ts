/** Rows about banks that differ: platforms as their descriptions have them, and the frameworks. */
import type { Row } from './rows.ts';

export const rowsOfBanks: readonly Row[] = [
  {
    id: 'platforms',
    promise: 'Every kind of payment in every approach at each platform that obk describes',
    unit: 'kinds of payments at each platform',
    full: 24,
    least: 1,
    seconds: { start: 60, each: 8 },
    tests: ['test/contract/bank-dialects.test.ts'],
    mistake: {
      says: 'amounts that are numbers are left as they are',
      at: 'answer-dialect.ts: decodedMember if 0',
      becomes: `if (departure === 'numberAmounts' && how.numberAmounts === false && value instanceof JsonNumber)
    return plainDigits(value.text);`,
      trials: 2,
    },
  },
  {
    id: 'journeys',
    promise:
      'Every journey that obk ships passes at each platform and in each framework, however often, four at once',
    unit: 'rounds of all journeys at each bank',
    full: 20,
    least: 1,
    seconds: { start: 60, each: 170 },
    tests: ['test/contract/dialect-journeys.test.ts'],
    mistake: {
      says: 'the end of a consent that its PSU must agree to is left to itself',
      at: 'consent.ts: keepDeletion return 0',
      becomes: `return answer !== undefined && !deleteNeedsSca
      ? { resource: after, conversation: await beginDeletion(target, after, answer) }
      : { resource: after };`,
      trials: 1,
    },
  },
  {
    id: 'frameworks',
    promise: 'Every product and every cancellation in each framework, judged by referee and official files',
    unit: 'products in each framework',
    full: 8,
    least: 2,
    seconds: { start: 40, each: 8 },
    tests: ['test/contract/frameworks.test.ts'],
    mistake: {
      says: 'the number of transactions in a pain.001 is one too few',
      at: 'pain001.ts: head text 0',
      becomes: '`<NbOfTxs>${String(count - 1)}</NbOfTxs><CtrlSum>${controlSum}</CtrlSum>`',
      trials: 8,
    },
  },
];
