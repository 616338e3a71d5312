import { afterAll, beforeAll, expect, it } from 'vitest';
import { trials } from '../../helpers/trials.ts';
import { networkFaults } from '../network-faults.ts';
import { pay, payerAt, secrets } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank } from '../plain-bank.ts';

/** Each command, and the one of its writes that goes wrong. */
const commands: readonly (readonly [what: string, args: string[], before?: string[]])[] = [
  ['POST payments', pay('1.00', '--authorise-later')],
  ['POST authorisations', pay('2.00', ...secrets)],
  ['PUT authorisation', pay('3.00', ...secrets)],
  ['DELETE payment', ['payment', 'cancel', 'p-1', '--yes', '--no-input'], pay('4.00', '--authorise-later')],
  [
    'POST consents',
    ['consent', 'create', '--iban', 'DE89370400440532013000', '--no-input', '--json', ...secrets],
  ],
  [
    'DELETE consent',
    ['consent', 'delete', 'c-1', '--yes', '--no-input'],
    ['consent', 'create', '--iban', 'DE89370400440532013000', '--no-input', '--json', ...secrets],
  ],
];
const cells = commands.flatMap(([what, args, before]) =>
  Object.keys(networkFaults).map((fault) => ({ what, args, before, fault })),
);

const row = trials('3', 24);
const chosen = cells.filter(
  (_, at) =>
    Math.floor((at * row.count) / cells.length) !== Math.floor(((at - 1) * row.count) / cells.length),
);

let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
  payer = await payerAt(bank.baseUrl);
});
afterAll(async () => {
  payer.close();
  await bank.close();
});

it.each(chosen)(
  'a write arrives once: $what, $fault',
  async ({ what, args, before, fault }) => {
    bank.afresh();
    if (before !== undefined) {
      const ready = await payer.run(...before);
      expect(ready.code, ready.stderr).toBe(0);
    }
    const earlier = bank.count(what);
    bank.surprise(what, networkFaults[fault]!);
    const ran = await payer.run(...args);
    expect(bank.count(what) - earlier, `${JSON.stringify(ran)}\n${JSON.stringify(bank.asked)}`).toBe(1);
    expect([0, 4, 5, 6, 7, 8, 9, 11, 12]).toContain(ran.code);
  },
  row.timeout(20_000),
);

afterAll(() => {
  row.report(`${commands.length} writes x ${Object.keys(networkFaults).length} faults`, chosen.length);
});
