/** Rows in which somebody works against obk: a bank, a network, a neighbour, a clock, a dying machine, a changed line of code. */
import type { Row } from './rows.ts';

export const rowsOfEnemies: readonly Row[] = [
  {
    id: '8',
    promise: 'Secrets appear nowhere but in the store of secrets',
    unit: 'answers that repeat them, each shown in eight runs',
    full: 432,
    least: 60,
    seconds: { start: 5, each: 0.3 },
    tests: ['test/campaign/rows/08-secrets-stay-secret.test.ts'],
    mistake: {
      says: 'a secret is not sought in its encodings',
      file: 'src/flows/redact.ts',
      find: 'for (const form of encoded) result = result.replaceAll(form, () => shown());',
      replace: '',
      trials: 60,
    },
  },
  {
    id: '10',
    promise: 'Credentials go to the origin of the profile only, and never over plain http',
    unit: 'links and redirects',
    full: 202,
    least: 202,
    seconds: { start: 5, each: 0.12 },
    tests: ['test/campaign/rows/10-nothing-leaves-the-origin.test.ts'],
    mistake: {
      says: 'a redirect is followed',
      file: 'src/adapters/undici-http.ts',
      find: 'const answer = await exchange(line, checked, options, clock);',
      replace: `const answer = await exchange(line, checked, options, clock);
        const [, url] = answer.headers.find(([name]) => name.toLowerCase() === 'location') ?? [];
        if (answer.status > 299 && url !== undefined) return await this.send({ ...request, url }, options);`,
      trials: 202,
    },
  },
  {
    id: '26',
    promise:
      'A wait that the bank asks for is bounded, and neither a write nor a day that is used up is tried again',
    unit: 'answers',
    full: 10_000,
    least: 1_000,
    seconds: { start: 3, each: 0.002 },
    tests: ['test/campaign/rows/26-throttled.test.ts'],
    mistake: {
      says: 'the accesses of a day that are used up are asked for again',
      file: 'src/flows/call.ts',
      find: "if (error.bankCode === 'ACCESS_EXCEEDED') return undefined;",
      replace: '',
      trials: 1_000,
    },
  },
  {
    id: '42',
    promise: 'The tests notice 95 % of all changes in what money and secrets hang on',
    unit: 'files',
    full: 10,
    least: 1,
    seconds: { start: 20, each: 90 },
    tests: ['test/campaign/rows/42-changes-are-noticed.full.test.ts'],
    mistake: {
      says: 'the tests of the cleaner look at nothing',
      file: 'test/unit/clean.test.ts',
      find: 'expect(clean(text)).toBe(safe);',
      replace: 'clean(safe);',
      trials: 1,
    },
  },
];
