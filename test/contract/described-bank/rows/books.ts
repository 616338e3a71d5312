import { consentOf } from '../../../helpers/described-bank.ts';
import type { DescribedBank } from '../../../helpers/described-bank.ts';
import { consent, day, get, list } from './row.ts';
import type { Row } from './row.ts';

const namespaceOf = (version: string) => `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`;
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

interface Pain {
  version?: string;
  namespace?: string;
  schemaLocation?: string;
  date?: string;
  amounts?: readonly string[];
}

function painOf({ bank }: DescribedBank, given: Pain): string {
  const { version = '03', namespace = namespaceOf(version), schemaLocation, amounts = ['1.00'] } = given;
  const { iban = '' } = bank.person('redirect').accounts[0] ?? {};
  const date = given.date ?? bank.clock().slice(0, 10);
  const located = schemaLocation === undefined ? '' : ` ${xsi} xsi:schemaLocation="${schemaLocation}"`;
  const on = Number(version) >= 8 ? `<Dt>${date}</Dt>` : date;
  const entries = amounts.map(
    (amount, index) => `<CdtTrfTxInf><PmtId><EndToEndId>E${String(index)}</EndToEndId></PmtId>
      <Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt><Cdtr><Nm>Shop</Nm></Cdtr>
      <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></CdtTrfTxInf>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="${namespace}"${located}><CstmrCdtTrfInitn>
    <GrpHdr><MsgId>M</MsgId><CreDtTm>2026-01-01T00:00:00</CreDtTm><NbOfTxs>${String(amounts.length)}</NbOfTxs>
    <InitgPty><Nm>T</Nm></InitgPty></GrpHdr>
    <PmtInf><PmtInfId>P</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt>${on}</ReqdExctnDt><Dbtr><Nm>D</Nm></Dbtr>
    <DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId/></DbtrAgt>${entries.join('')}</PmtInf>
    </CstmrCdtTrfInitn></Document>`;
}

const xml = '/v1/payments/pain.001-sepa-credit-transfers';
const psu = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/back' };
const send =
  (given: Pain): Row['ask'] =>
  (bank) =>
    bank.ask('POST', xml, {
      headers: { ...psu, 'Content-Type': 'application/xml' },
      body: painOf(bank, given),
    });
const pain = (settings: object) => ({ payments: { pain: settings } });

/** A standing order of two parts by these names. */
const standing =
  (xmlPart: string, jsonPart: string): Row['ask'] =>
  (bank) => {
    const part = (name: string, type: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
    const order = {
      startDate: day(-3),
      frequency: 'Monthly',
      dayOfExecution: '01',
      executionRule: 'following',
    };
    return bank.ask('POST', '/v1/periodic-payments/pain.001-sepa-credit-transfers', {
      headers: { ...psu, 'Content-Type': 'multipart/form-data; boundary=b' },
      body: `${part(xmlPart, 'application/xml', painOf(bank, {}))}${part(jsonPart, 'application/json', JSON.stringify(order))}--b--\r\n`,
    });
  };

/** A consent as it reads once it was made. */
const ownConsent: Row['ask'] = async (bank) => {
  const { json } = await consent()(bank);
  return bank.ask('GET', `/v1/consents/${(json as { consentId: string }).consentId}`);
};

const asked = `bookingStatus=booked&dateFrom=${day(300)}`;

/** The list of transactions of the first account, so long after its consent. */
const transactionsLater =
  (later: string): Row['ask'] =>
  async (bank) => {
    const headers = { 'Consent-ID': await consentOf(bank) };
    const accounts = await bank.ask('GET', '/v1/accounts', { headers });
    const [account] = (accounts.json as { accounts: { resourceId: string }[] }).accounts;
    bank.bank.clock(later);
    return bank.ask('GET', `/v1/accounts/${account?.resourceId ?? ''}/transactions?${asked}`, { headers });
  };

/** The second page of a list, so long after the first one, with the parameters of the first call or by its link alone. */
const nextPage =
  (later: string): Row['ask'] =>
  async (bank) => {
    bank.bank.scenario({ pages: 'of-2' });
    const headers = { 'Consent-ID': await consentOf(bank) };
    const accounts = await bank.ask('GET', '/v1/accounts', { headers });
    const [account] = (accounts.json as { accounts: { resourceId: string }[] }).accounts;
    const first = await bank.ask('GET', `/v1/accounts/${account?.resourceId ?? ''}/transactions?${asked}`, {
      headers,
    });
    bank.bank.clock(later);
    if (first.status !== 200) return first;
    const { transactions } = first.json as { transactions: { _links: { next: { href: string } } } };
    return bank.ask('GET', transactions._links.next.href, { headers });
  };

const both = (one: object, other: object) => ({
  headers: {
    rules: [
      { name: 'X-First', action: 'require', ...one },
      { name: 'X-Second', action: 'require', ...other },
    ],
  },
});

/** The banks of single settings of pain.001, of the limits of a consent, and of lists of transactions. */
export const bookRows: readonly Row[] = [
  {
    settings: pain({ version: 'pain.001.001.03' }),
    ask: send({ version: '09' }),
    told: /^400.*FORMAT_ERROR/,
  },
  {
    settings: pain({ namespace: 'urn:bank:pain' }),
    ask: send({}),
    told: /^400.*FORMAT_ERROR/,
  },
  {
    settings: pain({ schemaLocation: `${namespaceOf('03')} pain.001.001.03.xsd` }),
    ask: send({}),
    told: /^400.*FORMAT_ERROR/,
  },
  { settings: pain({ execDateSentinel: '1999-01-01' }), ask: send({}), told: /^400.*EXECUTION_DATE_INVALID/ },
  { settings: pain({ bulkInSct: true }), ask: send({ amounts: ['1.00', '2.00'] }), told: /^201/ },
  {
    settings: { payments: { multipartParts: { xml: 'order' } } },
    ask: standing('xml_sct', 'json_standingorderType'),
    told: /^400.*no part order/,
  },
  {
    settings: { payments: { multipartParts: { json: 'times' } } },
    ask: standing('xml_sct', 'json_standingorderType'),
    told: /^400.*no part times/,
  },
  {
    settings: { payments: { statusFormat: 'pain.002' } },
    ask: async (bank) => {
      const { json } = await send({})(bank);
      const headers = { Accept: 'application/xml, application/json' };
      return bank.ask('GET', `${xml}/${(json as { paymentId: string }).paymentId}/status`, { headers });
    },
    told: /^200[^]*content-type: application\/xml/,
  },
  { settings: { limits: { perDayPerAccess: 1 } }, ask: ownConsent, told: /"frequencyPerDay":1\b/ },
  { settings: { consent: { validDays: 90 } }, ask: ownConsent, told: /"validUntil":"(?!9999)/ },
  {
    settings: { reports: { paging: 'index' } },
    ask: list(`${asked}&pageIndex=1&itemsPerPage=2`),
    told: /pageIndex=/,
  },
  {
    settings: { ais: { history: { freshMinutes: 15 } } },
    ask: transactionsLater('+16m'),
    told: /^400.*PERIOD_INVALID/,
  },
  { settings: { ais: { paging: { params: 'same' } } }, ask: nextPage('+1s'), told: /^400.*FORMAT_ERROR/ },
  { settings: { ais: { paging: { expiresS: 60 } } }, ask: nextPage('+61s'), told: /^403.*RESOURCE_EXPIRED/ },
  {
    settings: { decode: { naiveZone: 'Europe/Berlin' } },
    ask: get('/v1/accounts?withBalance=true'),
    told: /DateTime":"[-\d]+T[:\d.]+"/,
  },
  { settings: { decode: { ids: 'unstable' } }, ask: list(), told: /"transactionId":"[^"]+~/ },
  {
    about: 'moved by its method too',
    settings: {
      spec: { operations: { deleteConsent: { method: 'POST', path: '/v1/consents/{consentId}/end' } } },
    },
    ask: async (bank) => bank.ask('POST', `/v1/consents/${await consentOf(bank)}/end`),
    told: /^204/,
  },
  {
    about: 'of another operation',
    settings: both({ operations: ['getAccountList'] }, {}),
    ask: consent(),
    told: /^400.*X-Second is missing/,
  },
  {
    about: 'without a token',
    settings: both({ when: 'withToken' }, {}),
    ask: consent(),
    told: /^400.*X-Second is missing/,
  },
];
