import { beforeAll, expect, it } from 'vitest';
import { judge } from '../../../src/referee/judge.ts';
import { rightDay } from '../../helpers/right-requests.ts';
import { signed } from '../../helpers/signed-by-hand.ts';
import { makeSeals } from './seals.ts';

/** Right requests by hand from the rules of the guidelines, framework by framework; the facts of obk have no part in them. */
const frameworks = ['1.3.2', '1.3.6', '1.3.8', '1.3.11', '1.3.12'] as const;
type Framework = (typeof frameworks)[number];
let made: Awaited<ReturnType<typeof makeSeals>>;
beforeAll(async () => {
  made = await makeSeals();
});

const id = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const iban = 'DE89370400440532013000';
const debtorAccount = { iban: 'DE02120300000000202051' };
const least = {
  instructedAmount: { currency: 'EUR', amount: '0.01' },
  creditorAccount: { iban },
  creditorName: 'Åsa Müller & Söhne',
};
const products = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
];
const frequencies = [
  'Daily',
  'Weekly',
  'EveryTwoWeeks',
  'Monthly',
  'EveryTwoMonths',
  'Quarterly',
  'SemiAnnual',
  'Annual',
];

interface Row {
  line: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body as it is, with its media type. */
  raw?: [type: string, text: string];
  since?: Framework;
}

const pain = (version: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>` +
  '<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-06-10T10:00:00</CreDtTm><NbOfTxs>1</NbOfTxs><InitgPty><Nm>P</Nm></InitgPty></GrpHdr>' +
  `<PmtInf><PmtInfId>P</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt>${version === '03' ? '2026-06-11' : '<Dt>2026-06-11</Dt>'}</ReqdExctnDt>` +
  '<Dbtr><Nm>P</Nm></Dbtr><DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId>' +
  `${version === '03' ? '<BIC>BYLADEM1001</BIC>' : '<BICFI>BYLADEM1001</BICFI>'}</FinInstnId></DbtrAgt><CdtTrfTxInf><PmtId><EndToEndId>NOTPROVIDED</EndToEndId></PmtId>` +
  `<Amt><InstdAmt Ccy="EUR">1.00</InstdAmt></Amt><Cdtr><Nm>C</Nm></Cdtr><CdtrAcct><Id><IBAN>${iban}</IBAN></Id></CdtrAcct>` +
  '</CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>';
const part = (name: string, type: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
const form = (...parts: string[]): [string, string] => [
  'multipart/form-data; boundary="x"',
  `${parts.join('')}--x--\r\n`,
];
const standing = JSON.stringify({ startDate: '2026-07-01', frequency: 'Monthly', dayOfExecution: '31' });

/** Headers of a call that begins something: as few as may be, then each way to be authorised and to say who is there. */
const beginnings: Record<string, string>[] = [
  {},
  { Authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln' },
  { 'TPP-Redirect-Preferred': 'false', 'PSU-ID': 'max.mustermann@bank.example', 'PSU-ID-Type': 'EMAIL' },
  {
    'TPP-Redirect-URI': 'https://tpp.example/cb?state=a%20b&x=1',
    'TPP-Nok-Redirect-URI': 'com.tpp.app://nok',
  },
  {
    'PSU-Corporate-ID': 'ACME-1',
    'PSU-Corporate-ID-Type': 'CUSTOMER',
    'PSU-ID': Buffer.from('Jiří').toString('latin1'),
  },
  {
    'TPP-Redirect-Preferred': 'true',
    'TPP-Redirect-URI': 'http://127.0.0.1:3000/back',
    'TPP-Explicit-Authorisation-Preferred': 'true',
    'PSU-IP-Port': '65535',
    'PSU-User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)',
    'PSU-Accept-Language': 'sv-SE, sv;q=0.8',
    'PSU-Geo-Location': 'GEO:52.506931;13.144558',
    'PSU-Device-ID': id,
    'PSU-Http-Method': 'POST',
  },
];
const atPsu = { 'PSU-IP-Address': '2001:db8::7' };
const reading: Record<string, string>[] = [
  { 'Consent-ID': 'urn:consent:4711/ab' },
  { 'Consent-ID': id, ...atPsu },
  { 'Consent-ID': id, Authorization: 'Bearer abc.def' },
];

function rowsOf(framework: Framework): Row[] {
  const street = framework === '1.3.2' ? 'street' : 'streetName';
  const full = {
    endToEndIdentification: 'RF18539007547034',
    creditorAgent: 'DEUTDEFF',
    creditorAddress: { [street]: 'Rue Émile 1', country: 'FR' },
    remittanceInformationUnstructured: 'Ref. 1, 2/3',
    requestedExecutionDate: '2026-06-10',
  };
  const rows: Row[] = [];
  for (const product of products) {
    const payments = `POST /payments/${product}`;
    const own = product === 'cross-border-credit-transfers' ? { creditorAccount: { bban: 'TR1234567' } } : {};
    for (const headers of beginnings)
      for (const more of [own, full])
        rows.push({
          line: payments,
          headers: { ...atPsu, ...headers },
          body: { debtorAccount, ...least, ...more },
        });
    rows.push({
      line: `POST /bulk-payments/${product}`,
      headers: atPsu,
      body: { debtorAccount, payments: [least, { ...least, ...own }], batchBookingPreferred: false },
    });
    for (const frequency of frequencies)
      rows.push({
        line: `POST /periodic-payments/${product}`,
        headers: atPsu,
        body: {
          debtorAccount,
          ...least,
          startDate: '2026-06-10',
          endDate: '2027-06-10',
          executionRule: 'preceding',
          frequency,
        },
      });
    for (const version of ['03', '09'])
      rows.push(
        {
          line: `POST /payments/pain.001-${product}`,
          headers: atPsu,
          raw: ['application/xml; charset=UTF-8', pain(version)],
        },
        {
          line: `POST /bulk-payments/pain.001-${product}`,
          headers: atPsu,
          raw: ['application/xml', pain(version)],
        },
      );
    const [xml, json] = [
      part('xml_sct', 'application/xml', pain('03')),
      part('json_standingorderType', 'application/json', standing),
    ];
    rows.push(
      { line: `POST /periodic-payments/pain.001-${product}`, headers: atPsu, raw: form(xml, json) },
      { line: `GET /payments/${product}/${id}`, headers: { Accept: 'application/json, */*;q=0.1' } },
      { line: `GET /bulk-payments/${product}/${id}/status`, headers: atPsu },
      { line: `DELETE /periodic-payments/${product}/${id}` },
    );
  }
  const access: [object, Framework?][] = [
    [{ accounts: [{ iban }, { bban: 'BARC12345612345678', currency: 'GBP' }] }],
    [{ accounts: [], balances: [], transactions: [] }],
    [{ balances: [{ maskedPan: '123456xxxxxx1234' }], transactions: [{ msisdn: '+49 170 1234321' }] }],
    [{ availableAccounts: 'allAccounts' }],
    [{ allPsd2: 'allAccounts' }],
    [{ allPsd2: 'allAccountsWithOwnerName' }, '1.3.6'],
    [{ availableAccountsWithBalance: 'allAccounts' }, '1.3.6'],
    [{ accounts: [], restrictedTo: ['CACC', 'CARD'] }, '1.3.8'],
    [{ accounts: [{ iban, cashAccountType: 'CACC' }] }, '1.3.8'],
  ];
  for (const [value, since] of access)
    for (const headers of beginnings)
      for (const once of [true, false])
        rows.push({
          line: 'POST /consents',
          headers: { ...atPsu, ...headers },
          body: {
            access: value,
            recurringIndicator: !once,
            validUntil: '9999-12-31',
            frequencyPerDay: once ? 1 : 4,
            combinedServiceIndicator: once,
          },
          ...(since && { since }),
        });
  const lists = [
    'bookingStatus=booked&dateFrom=2024-02-29',
    'bookingStatus=both&dateFrom=2026-06-10&dateTo=2026-06-10',
    'bookingStatus=pending&dateFrom=2026-01-01',
  ];
  for (const headers of reading)
    for (const path of ['accounts', 'card-accounts']) {
      rows.push(
        { line: `GET /${path}`, headers },
        { line: `GET /${path}/3dc3d5b3-7023`, headers },
        { line: `GET /${path}/3dc3d5b3/balances`, headers },
      );
      for (const query of lists) rows.push({ line: `GET /${path}/qwer3456/transactions?${query}`, headers });
    }
  const [headers] = reading;
  rows.push(
    { line: 'GET /accounts?withBalance=true', ...(headers && { headers }) },
    { line: 'GET /accounts/a/transactions/E1', ...(headers && { headers }) },
    {
      line: 'GET /accounts/a/transactions?bookingStatus=booked&deltaList=true',
      ...(headers && { headers: { ...headers, Accept: 'application/xml' } }),
    },
    {
      line: 'GET /accounts/a/transactions?bookingStatus=information',
      ...(headers && { headers }),
      since: '1.3.6',
    },
    {
      line: 'GET /accounts/a/transactions?bookingStatus=all&dateFrom=2026-06-01',
      ...(headers && { headers }),
      since: '1.3.12',
    },
    {
      line: 'POST /payments/sepa-credit-transfers',
      headers: { ...atPsu, 'TPP-Decoupled-Preferred': 'true' },
      body: { debtorAccount, ...least },
      since: '1.3.12',
    },
    {
      line: 'POST /payments/sepa-credit-transfers',
      headers: { ...atPsu, 'TPP-Brand-Logging-Information': 'Brand' },
      body: { debtorAccount, ...least },
      since: '1.3.6',
    },
    {
      line: 'POST /periodic-payments/sepa-credit-transfers',
      headers: atPsu,
      body: {
        debtorAccount,
        ...least,
        startDate: '2026-07-01',
        frequency: 'MonthlyVariable',
        monthsOfExecution: ['2', '11'],
      },
      since: '1.3.6',
    },
    {
      line: 'POST /funds-confirmations',
      body: { account: { iban }, instructedAmount: { currency: 'JPY', amount: '500' } },
    },
    {
      line: 'POST /funds-confirmations',
      body: {
        cardNumber: '4111111111111111',
        payee: 'Shop',
        account: { iban, currency: 'EUR' },
        instructedAmount: { currency: 'EUR', amount: '1.5' },
      },
    },
    { line: 'POST /signing-baskets', headers: atPsu, body: { paymentIds: [id, 'a'], consentIds: ['c'] } },
    { line: `GET /signing-baskets/${id}/status` },
    { line: `DELETE /signing-baskets/${id}`, headers: atPsu },
  );
  for (const thing of [
    'consents',
    'payments/sepa-credit-transfers',
    'signing-baskets',
    'bulk-payments/pain.001-sepa-credit-transfers',
  ]) {
    const all = `/${thing}/${id}/authorisations`;
    rows.push(
      { line: `POST ${all}`, headers: { 'PSU-ID': 'x' } },
      { line: `GET ${all}` },
      { line: `GET ${all}/a1`, headers: atPsu },
    );
    for (const body of [
      { psuData: { password: 'ä €' } },
      { authenticationMethodId: '901' },
      { scaAuthenticationData: '000000' },
    ])
      rows.push({ line: `PUT ${all}/a1`, headers: { ...atPsu, 'PSU-ID': 'x' }, body });
    rows.push(
      { line: `PUT ${all}/a1`, headers: { 'PSU-ID': 'x' }, body: {} },
      { line: `PUT ${all}/a1`, body: { confirmationCode: 'code' }, since: '1.3.6' },
    );
  }
  return rows.filter(
    ({ since }) => since === undefined || frameworks.indexOf(since) <= frameworks.indexOf(framework),
  );
}

it.each(frameworks)('the referee finds nothing in right requests of %s by table', async (framework) => {
  const variant = { framework, prefix: '/v1', surface: 'framework' } as const;
  const wrong: string[] = [];
  const rows = rowsOf(framework);
  for (const { line, headers = {}, body, raw } of rows) {
    const [method = '', target = ''] = line.split(' ');
    const [type, text] = raw ?? (body === undefined ? [] : ['application/json', JSON.stringify(body)]);
    const pairs = Object.entries({
      'x-request-id': id,
      ...headers,
      ...(type !== undefined && { 'Content-Type': type }),
    });
    const plain = { method, target: `/v1${target}`, headers: pairs, body: Buffer.from(text ?? '') };
    // The seal covers the headers that the guidelines list, whatever the way in which they are spelt.
    for (const [how, request] of [
      ['plain', plain],
      ['RSA', signed(plain, made.seals.rsa)],
      ['EC', signed(plain, made.seals.ec)],
    ] as const) {
      const judged = await judge(request, { variant, now: rightDay, certificates: made.certificates });
      expect(judged.operation, line).toBeDefined();
      for (const { rule, pointer, what } of judged.findings)
        wrong.push(`${how} ${line}: ${rule} ${pointer}: ${what} ${text ?? ''}`.slice(0, 400));
    }
  }
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(248);
});

it.each(frameworks)('the referee checks the seal of each of them: %s', async (framework) => {
  const { certificates, seals } = made;
  const request = signed(
    {
      method: 'GET',
      target: '/v1/accounts',
      headers: [
        ['x-request-id', id],
        ['consent-id', 'c1'],
      ],
      body: Buffer.of(),
    },
    seals.ec,
  );
  const wrong = request.headers.map(([name, value]): [string, string] => [
    name,
    name === 'Signature'
      ? value.replace(/signature="./, (start) => start.replace(/.$/, (one) => (one === 'M' ? 'N' : 'M')))
      : value,
  ]);
  const judged = await judge(
    { ...request, headers: wrong },
    { variant: { framework, prefix: '/v1', surface: 'framework' }, now: rightDay, certificates },
  );
  expect(judged.findings.map(({ pointer }) => pointer)).toEqual([expect.stringMatching(/signature/i)]);
});
