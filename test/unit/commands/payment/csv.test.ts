import { expect, it } from 'vitest';
import { file, obk, profileWith, wouldSend } from './payments.ts';

const bulk = async (product: string, ...more: string[]) => [
  ...['payment', 'init', '--service', 'bulk-payments', '--product', product],
  ...['--debtor', 'DE65990010000000002443', '--profile', await profileWith(), ...more],
];
const pain = ['--debtor-name', 'Payer'];

it.each([
  ['sepa-credit-transfers', 'dot'],
  ['pain.001-sepa-credit-transfers', 'comma'],
  ['pain.001-cross-border-credit-transfers', 'comma'],
])('the template of %s with a %s is a file that can be sent', async (product, decimal) => {
  const line = ['payment', 'csv-template', '--product', product, '--decimal', decimal];
  const { stdout } = await obk([...line, '--example']);
  const names = product.startsWith('pain') ? pain : [];
  const csv = ['--from-csv', file(`${product}.csv`, stdout), '--decimal', decimal];
  const { body } = await wouldSend(await bulk(product, ...csv, ...names));
  expect(body).toContain('12.50');
  const header = (await obk(line)).stdout;
  expect(stdout.startsWith(header)).toBe(true);
  expect(header.includes('charge_bearer')).toBe(product.includes('cross-border'));
  const empty = await obk([
    ...(await bulk(product, ...names)),
    '--from-csv',
    file('empty.csv', header),
    '--dry-run',
  ]);
  expect(empty.code).toBe(2);
  expect(empty.stderr).toContain('no payment below the header');
});

it('a file as Excel saves it in Germany is read with its flags, and tells which are missing', async () => {
  const excel = Buffer.from(
    'sep=;\r\ncreditor_name;creditor_iban;amount\r\n"Müller ""Bau""";DE89370400440532013000;1.234,56\r\n',
    'latin1',
  );
  const line = await bulk('pain.001-sepa-credit-transfers', '--from-csv', file('excel.csv', excel), ...pain);
  const plain = await obk([...line, '--dry-run']);
  expect(plain.code).toBe(2);
  expect(plain.stderr).toContain('--charset windows-1252');
  const named = await obk([...line, '--charset', 'windows-1252', '--dry-run']);
  expect(named.stderr).toContain('line 3, amount "1.234,56"');
  expect(named.stderr).toContain('--decimal comma');
  const { body } = await wouldSend([...line, '--charset', 'windows-1252', '--decimal', 'comma']);
  expect(body).toContain('<Nm>Müller &quot;Bau&quot;</Nm>');
  expect(body).toContain('>1234.56<');
});

it.each(['--charset windows-1252', '--decimal comma', '--batch-booking yes'])(
  '%s goes with CSV',
  async (flags) => {
    const line = ['payment', 'init', '--product', 'sepa-credit-transfers', ...flags.split(' ')];
    const { code, stderr } = await obk([...line, '--profile', await profileWith()]);
    expect(code).toBe(2);
    expect(stderr).toContain('goes with --from-csv');
  },
);
