import { describe, expect, it } from 'vitest';
import { file, obk, paymentTo, profileWith, wouldSend } from './payments.ts';

describe.each(['sepa-credit-transfers', 'pain.001-sepa-credit-transfers'])('a payment of %s', (product) => {
  const names = product.startsWith('pain') ? ['--debtor-name', 'Jürgen'] : [];
  const line = async (...more: string[]) => [
    ...[...paymentTo(product, 'Müller & Söhne'), ...names],
    ...['--remittance', 'Rechnung 7', '--profile', await profileWith(), ...more],
  ];

  it('warns of the characters that not every bank takes, and sends them all the same', async () => {
    const { body, stderr } = await wouldSend(await line());
    expect(body).toMatch(/Müller (&|&amp;) Söhne/);
    expect(stderr).toContain('ü');
    expect(stderr).toContain('outside the set that every bank takes');
    expect(stderr).toContain('--transliterate');
  });

  it('is written with others where that is wanted, and says what changed', async () => {
    const { body, stderr } = await wouldSend(await line('--transliterate'));
    expect(body).toContain('Muller + Sohne');
    expect(stderr).toContain('Müller & Söhne');
    expect(stderr).toContain('Muller + Sohne');
    if (names.length > 0) expect(body).toContain('<Dbtr><Nm>Jurgen</Nm></Dbtr>');
    expect(stderr).not.toContain('outside the set');
    expect(stderr).not.toContain('Rechnung');
  });
});

it('a plain payment has no warning, nor one at a bank that takes every character', async () => {
  const plain = await wouldSend([...paymentTo('sepa-credit-transfers'), '--profile', await profileWith()]);
  expect(plain.stderr).not.toContain('outside the set');
  const name = await profileWith();
  expect((await obk(['config', 'set', 'payments.limits.charset', 'any', '--profile', name])).code).toBe(0);
  const any = await wouldSend([...paymentTo('sepa-credit-transfers', 'Müller'), '--profile', name]);
  expect(any.stderr).not.toContain('outside the set');
});

it('the rows of a CSV file are written with others too, each with its line', async () => {
  const csv = file(
    'rows.csv',
    'creditor_name,creditor_iban,amount,creditor_street,creditor_city,creditor_country\n' +
      'Shop,DE89370400440532013000,1.00,Große Gasse,Köln,DE\nCafé,DE89370400440532013000,1.00,,,\n',
  );
  const { body, stderr } = await wouldSend([
    ...['payment', 'init', '--service', 'bulk-payments', '--product', 'pain.001-sepa-credit-transfers'],
    ...['--from-csv', csv, '--debtor', 'DE65990010000000002443', '--debtor-name', 'Zoë'],
    ...['--transliterate', '--profile', await profileWith()],
  ]);
  for (const text of ['<Nm>Zoe<', '<Nm>Cafe<', 'Grose Gasse', 'Koln']) expect(body).toContain(text);
  expect(stderr.match(/is written/g)).toHaveLength(4);
  expect(stderr).toContain('line 3, creditor_name');
});

it('a file that is sent as it is stays so', async () => {
  const json = {
    debtorAccount: { iban: 'DE65990010000000002443' },
    instructedAmount: { currency: 'EUR', amount: '1.00' },
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorName: 'Müller',
  };
  const line = [
    ...[
      'payment',
      'init',
      '--product',
      'sepa-credit-transfers',
      '--input',
      file('pay.json', JSON.stringify(json)),
    ],
    ...['--profile', await profileWith()],
  ];
  const { body, stderr } = await wouldSend(line);
  expect(body).toContain('Müller');
  expect(stderr).toContain('outside the set');
  expect((await obk([...line, '--transliterate', '--dry-run'])).code).toBe(2);
});

it('an IBAN that fails the check of its country alone is sent with a warning, one with the blanks of a web page without', async () => {
  const line = async (iban: string) => [
    ...paymentTo('sepa-credit-transfers').map((word) => (word.startsWith('DE89') ? iban : word)),
    ...['--profile', await profileWith()],
  ];
  const doubtful = await wouldSend(await line('FR8230066631856742938741993'));
  expect(doubtful.body).toContain('FR8230066631856742938741993');
  expect(doubtful.stderr).toContain('the check digits that FR has within its account numbers are wrong');
  const pasted = await wouldSend(await line('DE89\u00a03704\u202f0044 0532 0130 00'));
  expect(pasted.body).toContain('"DE89370400440532013000"');
  expect(pasted.stderr).not.toContain('check digits');
});
