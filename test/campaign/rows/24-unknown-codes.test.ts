import { afterAll, beforeAll, expect, it } from 'vitest';
import { transactionStatuses } from '../../../src/standard/xs2a/codes.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { trials } from '../../helpers/trials.ts';
import { pay, payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';

const row = trials('24', 12);
let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
  payer = await payerAt(bank.baseUrl);
  const made = await payer.run(...pay('1.00', '--authorise-later'));
  expect(made.code, made.stderr).toBe(0);
});
afterAll(async () => {
  payer.close();
  await bank.close();
});

/** Codes that nobody lists: new ones, and such as resemble the final ones. */
function invented(): string[] {
  const random = seeded(row.seed);
  const resembling = ['ACSC ', 'ACSCX', 'ACC', 'RJCT2', 'Cancelled', 'CANCELED', 'BOOKED', 'finalised', 'OK'];
  const known = new Set<string>(transactionStatuses.map(({ code }) => code));
  const letter = () => String.fromCharCode(65 + Math.floor(random() * 26));
  const more = Array.from({ length: 1_000 }, () => letter() + letter() + letter() + letter());
  return [...resembling, ...more].filter((code) => !known.has(code)).slice(0, row.count);
}

it(
  'an unlisted code is shown as it is, and not taken for an end',
  async () => {
    const codes = invented();
    for (const code of codes) {
      bank.now.transactionStatus = code;
      const read = await payer.run('payment', 'status', 'p-1', '--json');
      expect(read.code, read.stderr).toBe(0);
      expect(JSON.parse(read.stdout)).toMatchObject({ transactionStatus: code });

      // Who waits for an end waits on, and says at the bound that there was none.
      const waited = await payer.run(
        'payment',
        'status',
        'p-1',
        '--until',
        'ACSC',
        '--timeout',
        '60ms',
        '--json',
      );
      expect(waited.code, `${code}: ${waited.stdout}${waited.stderr}`).toBe(8);

      const shown = await payer.run('payment', 'status', 'p-1');
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain('a status that obk does not know');
      expect(shown.stdout.replace(code.trim(), '') + shown.stderr).not.toMatch(
        /✓|booked|settled|rejected|cancelled/i,
      );
    }
    row.report('0 taken for an end', codes.length);
  },
  row.timeout(60_000),
);
