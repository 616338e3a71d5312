/** Rows in which somebody works against obk: a bank, a network, a neighbour, a clock, a dying machine, a changed line of code. */
import type { Row } from './rows.ts';

export const rowsOfEnemies: readonly Row[] = [
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
];
