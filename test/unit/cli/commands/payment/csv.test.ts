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

const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';
const columns =
  'creditor_name,creditor_iban,amount,creditor_city,creditor_country,creditor_line_1,uetr,creditor_lei,instruction_priority,reporting_code';
const rows = `${columns}\nShop,DE89370400440532013000,12.50,Leeds,GB,Block 4,${uetr},529900T8BM49AURSDO55,HIGH,150\n`;

it('the columns of pain.001 are written into the version that has them', async () => {
  const line = await bulk(
    'pain.001-cross-border-credit-transfers',
    '--from-csv',
    file('pain.csv', rows),
    ...pain,
  );
  const { body } = await wouldSend([...line, '--schema', 'pain.001.001.09']);
  for (const part of [
    `<UETR>${uetr}</UETR></PmtId><PmtTpInf><InstrPrty>HIGH</InstrPrty></PmtTpInf>`,
    '<TwnNm>Leeds</TwnNm><Ctry>GB</Ctry><AdrLine>Block 4</AdrLine></PstlAdr><Id><OrgId><LEI>529900T8BM49AURSDO55</LEI>',
    '<RgltryRptg><Dtls><Cd>150</Cd></Dtls></RgltryRptg>',
  ])
    expect(body).toContain(part);
  const template = ['payment', 'csv-template', '--product', 'pain.001-cross-border-credit-transfers'];
  expect((await obk(template)).stdout).not.toContain('uetr');
  expect((await obk([...template, '--schema', 'pain.001.001.09'])).stdout).toContain(
    'uetr,creditor_lei,instr',
  );
});

it.each([
  ['pain.001-cross-border-credit-transfers', ['uetr', 'creditor_lei'], '--schema pain.001.001.09 has'],
  [
    'pain.001-sepa-credit-transfers',
    ['uetr', 'creditor_lei', 'instruction_priority', 'reporting_code'],
    'SEPA',
  ],
  [
    'sepa-credit-transfers',
    ['creditor_line_1', 'uetr', 'creditor_lei', 'instruction_priority', 'reporting_code'],
    'pain.001 has',
  ],
])('%s has no column %j, which each fault says', async (product, without, why) => {
  const names = product.startsWith('pain') ? pain : [];
  const line = await bulk(product, '--from-csv', file('pain.csv', rows), ...names);
  const { code, stderr } = await obk([...line, '--dry-run']);
  expect(code).toBe(2);
  expect(stderr).toContain(why);
  const told = [...stderr.matchAll(/line 2, ([a-z_0-9]+)/g)].map(([, name]) => name);
  expect(told.filter((name) => name !== 'creditor_city' && name !== 'creditor_country').sort()).toEqual(
    without.sort(),
  );
  const { stdout } = await obk(['payment', 'csv-template', '--product', product]);
  for (const name of without) expect(stdout.split(/[,\n]/)).not.toContain(name);
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

const twice = (more = '') =>
  `creditor_name,creditor_iban,amount,end_to_end_id\nShop,DE89370400440532013000,12.50,\nShop,DE89370400440532013000,12.5,${more}\nFar,BR1800360305000010009795493C1,1.00,\n`;

it.each(['sepa-credit-transfers', 'pain.001-sepa-credit-transfers'])(
  'two payments that are the same, and an account outside SEPA, are told before a bulk of %s is sent',
  async (product) => {
    const names = product.startsWith('pain') ? pain : [];
    const line = async (csv: string) => [
      ...(await bulk(product, ...names)),
      ...['--from-csv', file('twice.csv', csv)],
    ];
    const { body, stderr } = await wouldSend(await line(twice()));
    expect(stderr).toContain('is identical to');
    expect(stderr).toContain('the account is in BR, which is outside SEPA');
    // What obk would send is what payment lint has the same findings of.
    const sent = file(product.startsWith('pain') ? 'sent.xml' : 'sent.json', body);
    const lint = ['payment', 'lint', sent, '--service', 'bulk-payments', '--product', product];
    const { code, stdout } = await obk([...lint, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string }[] };
    expect([code, findings.map(({ rule }) => rule)]).toEqual([0, ['outside-sepa']]);
    const own = await wouldSend(await line(twice('E-2')));
    expect(own.stderr).not.toContain('is identical to');
  },
);

it('two payments of one pain.001 that are the same are a warning, and an error with --strict', async () => {
  const { body } = await wouldSend([
    ...(await bulk('pain.001-sepa-credit-transfers', ...pain)),
    ...['--from-csv', file('twice.csv', twice())],
  ]);
  const given = body.replace(/<EndToEndId>[^<]*/g, '<EndToEndId>NOTPROVIDED');
  const lint = ['payment', 'lint', file('given.xml', given), '--service', 'bulk-payments', '--json'];
  const { code, stdout } = await obk(lint);
  expect([code, stdout]).toEqual([0, expect.stringContaining('"rule":"identical"')]);
  expect(stdout).toContain('it is identical to payment 1 of the file');
  expect((await obk([...lint, '--strict'])).code).toBe(10);
});
