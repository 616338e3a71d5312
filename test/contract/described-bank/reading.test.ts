// The bank inside as a description has it, where payments are made and accounts are read: requests and answers are written by
// hand from what is known of such banks, and obk has no part in them.
import { expect, it } from 'vitest';
import { codeOf, consentOf, describedBanks, paymentOf, payments } from '../../helpers/described-bank.ts';
import type { DescribedBank, Told } from '../../helpers/described-bank.ts';

const describedBank = describedBanks();

const pay = (bank: DescribedBank, json: object, psuId = 'embedded-one'): Promise<Told> =>
  bank.ask('POST', payments, { headers: { 'PSU-ID': psuId }, json });

/** A pain.001 of these amounts, for a day. */
function pain(bank: DescribedBank, { amounts, day, root }: { amounts: string[]; day: string; root: string }) {
  const { iban = '' } = bank.bank.person('embedded-one').accounts[0] ?? {};
  const entries = amounts.map(
    (amount, index) => `<CdtTrfTxInf><PmtId><EndToEndId>E${String(index)}</EndToEndId></PmtId>
      <Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt><Cdtr><Nm>Shop</Nm></Cdtr>
      <CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct></CdtTrfTxInf>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><Document ${root}><CstmrCdtTrfInitn>
    <GrpHdr><MsgId>M</MsgId><CreDtTm>2026-01-01T00:00:00</CreDtTm><NbOfTxs>${String(amounts.length)}</NbOfTxs>
    <InitgPty><Nm>T</Nm></InitgPty></GrpHdr>
    <PmtInf><PmtInfId>P</PmtInfId><PmtMtd>TRF</PmtMtd><ReqdExctnDt>${day}</ReqdExctnDt><Dbtr><Nm>D</Nm></Dbtr>
    <DbtrAcct><Id><IBAN>${iban}</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId/></DbtrAgt>${entries.join('')}</PmtInf>
    </CstmrCdtTrfInitn></Document>`;
}

it('payments.duplicateWindowMin and payments.debtorAccount optional are followed', async () => {
  const bank = await describedBank({ payments: { duplicateWindowMin: 10, debtorAccount: 'optional' } });
  const json = paymentOf(bank, 'embedded-one');
  expect((await pay(bank, json)).status).toBe(201);
  expect(codeOf(await pay(bank, json))).toEqual([400, 'PAYMENT_FAILED']);
  expect((await pay(bank, { ...json, instructedAmount: { currency: 'EUR', amount: '1.01' } })).status).toBe(
    201,
  );
  bank.bank.clock('+11m');
  expect((await pay(bank, json)).status).toBe(201);
  const { debtorAccount: _, ...nobodys } = paymentOf(bank, 'embedded-one') as Record<string, unknown>;
  const made = await pay(bank, nobodys);
  const read = await bank.ask('GET', `${payments}/${made.json.paymentId as string}`);
  expect(read.json.debtorAccount.iban).toBe(bank.bank.person('embedded-one').accounts[0]?.iban);
  // Where the PSU is not known either, there is no account to take.
  expect(codeOf(await bank.ask('POST', payments, { json: nobodys }))).toEqual([400, 'FORMAT_ERROR']);
});

it('payments.limits.charset, remittanceStructured and debtorAccount required are followed', async () => {
  const bank = await describedBank({
    payments: { limits: { charset: 'sepa' }, remittanceStructured: 'object', debtorAccount: 'required' },
  });
  const foreign = await pay(bank, paymentOf(bank, 'embedded-one', { creditorName: 'Müller & Söhne' }));
  expect([codeOf(foreign), foreign.json.tppMessages[0].path]).toEqual([
    [400, 'FORMAT_ERROR'],
    'creditorName',
  ]);
  const structured = paymentOf(bank, 'embedded-one', {
    remittanceInformationUnstructured: undefined,
    remittanceInformationStructured: 'RF18539007547034',
  });
  expect(codeOf(await pay(bank, structured))).toEqual([400, 'FORMAT_ERROR']);
});

it.each([
  ['a payment', '/v1/payments', (one: object) => one],
  ['a bulk payment', '/v1/bulk-payments', (one: object) => ({ payments: [one] })],
])('payments.remittanceStructured sends, keeps and reads a text in %s', async (_, service, around) => {
  const bank = await describedBank({ payments: { remittanceStructured: 'string' } });
  const { debtorAccount, ...one } = paymentOf(bank, 'embedded-one', {
    remittanceInformationUnstructured: undefined,
    remittanceInformationStructured: 'RF18539007547034',
  }) as Record<string, unknown>;
  const made = await bank.ask('POST', `${service}/sepa-credit-transfers`, {
    json: { debtorAccount, ...around(one) },
    headers: { 'PSU-ID': 'embedded-one' },
  });
  expect(made.status, made.text).toBe(201);
  const read = await bank.ask('GET', `${service}/sepa-credit-transfers/${made.json.paymentId as string}`);
  expect(read.json).toMatchObject(around({ remittanceInformationStructured: 'RF18539007547034' }));
});

it('payments.pain sets version, schemaLocation, the day for at once, and several in the product of single ones', async () => {
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03';
  const schemaLocation = `${namespace} pain.001.001.03.xsd`;
  const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  const settings = {
    version: 'pain.001.001.03',
    schemaLocation,
    execDateSentinel: '1999-01-01',
    bulkInSct: true,
  };
  const bank = await describedBank({ payments: { pain: settings } });
  const send = (body: string) =>
    bank.ask('POST', '/v1/payments/pain.001-sepa-credit-transfers', {
      headers: { 'PSU-ID': 'embedded-one', 'Content-Type': 'application/xml' },
      body,
    });
  const root = `xmlns="${namespace}" ${xsi} xsi:schemaLocation="${schemaLocation}"`;
  const atOnce = { amounts: ['1.00'], day: '1999-01-01', root };
  expect((await send(pain(bank, atOnce))).status).toBe(201);
  expect((await send(pain(bank, { ...atOnce, amounts: ['1.00', '2.00'] }))).status).toBe(201);
  const today = bank.bank.clock().slice(0, 10);
  expect(codeOf(await send(pain(bank, { ...atOnce, day: today })))).toEqual([400, 'EXECUTION_DATE_INVALID']);
  const other = `xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09" ${xsi} xsi:schemaLocation="${schemaLocation}"`;
  expect(codeOf(await send(pain(bank, { ...atOnce, root: other })))).toEqual([400, 'FORMAT_ERROR']);
  expect(codeOf(await send(pain(bank, { ...atOnce, root: `xmlns="${namespace}"` })))).toEqual([
    400,
    'FORMAT_ERROR',
  ]);
});

it('limits.perOperation, limits.header and sca.poll are followed', async () => {
  const bank = await describedBank({
    limits: { perOperation: { createConsent: '2/1h' }, header: { name: 'X-Rate-Limit', format: 'json' } },
    sca: { poll: { maxPerSecond: 2 } },
  });
  const first = await bank.ask('POST', '/v1/consents', { json: {} });
  expect(JSON.parse(first.headers.get('x-rate-limit') ?? '')).toEqual({ limit: 2, remaining: 1 });
  await bank.ask('POST', '/v1/consents', { json: {} });
  expect((await bank.ask('POST', '/v1/consents', { json: {} })).status).toBe(429);
  const { json } = await pay(bank, paymentOf(bank, 'embedded-one'));
  const status = `${payments}/${json.paymentId as string}/status`;
  const asked = [await bank.ask('GET', status), await bank.ask('GET', status), await bank.ask('GET', status)];
  expect(asked.map((one) => one.status)).toEqual([200, 200, 429]);
});

it('errors.statusMeaning gives a status another meaning, beside errors of a gateway', async () => {
  const bank = await describedBank({
    errors: {
      shapes: ['tppMessages', 'html'],
      statusMeaning: { deleteConsent: { '200': 'done' }, getConsentStatus: { '200': 'refused' } },
    },
  });
  const consentId = await consentOf(bank);
  expect((await bank.ask('DELETE', `/v1/consents/${consentId}`)).status).toBe(200);
  expect(codeOf(await bank.ask('GET', '/v1/consents/none/status'))).toEqual([200, 'CONSENT_UNKNOWN']);
  const nowhere = await bank.ask('GET', '/v1/nowhere');
  expect([nowhere.status, nowhere.headers.get('content-type')]).toEqual([404, 'text/html']);
});

it('ais.history.freshMinutes, ais.paging and decode.ids are followed', async () => {
  const bank = await describedBank({
    ais: { history: { freshMinutes: 15 }, paging: { expiresS: 60, params: 'same' } },
    decode: { ids: 'unstable' },
  });
  bank.bank.scenario({ pages: 'of-2' });
  const headers = { 'Consent-ID': await consentOf(bank) };
  const accounts = await bank.ask('GET', '/v1/accounts', { headers });
  const list = `/v1/accounts/${accounts.json.accounts[0].resourceId as string}/transactions`;
  const day = (back: number) =>
    new Date(Date.parse(bank.bank.clock()) - back * 86_400_000).toISOString().slice(0, 10);
  const asked = `bookingStatus=booked&dateFrom=${day(365)}`;
  const one = await bank.ask('GET', `${list}?${asked}`, { headers });
  const again = await bank.ask('GET', `${list}?${asked}`, { headers });
  const [id, other] = [one, again].map(({ json }) => String(json.transactions.booked[0].transactionId));
  expect(id).not.toBe(other);
  expect((await bank.ask('GET', `${list}/${id ?? ''}`, { headers })).json.transactionsDetails).toBeDefined();
  const next = one.json.transactions._links.next.href as string;
  expect(codeOf(await bank.ask('GET', next, { headers }))).toEqual([400, 'FORMAT_ERROR']);
  const same = `${next}&${asked}`;
  expect((await bank.ask('GET', same, { headers })).status).toBe(200);
  bank.bank.clock('+61s');
  expect(codeOf(await bank.ask('GET', same, { headers }))).toEqual([403, 'RESOURCE_EXPIRED']);
  bank.bank.clock('+15m');
  expect(codeOf(await bank.ask('GET', `${list}?${asked}`, { headers }))).toEqual([400, 'PERIOD_INVALID']);
  const recent = `${list}?bookingStatus=booked&dateFrom=${day(90)}`;
  expect((await bank.ask('GET', recent, { headers })).status).toBe(200);
});

it('headers.psuId lets a bank know only the first characters', async () => {
  const bank = await describedBank({ headers: { psuId: { first: 9 } } });
  const json = paymentOf(bank, 'embedded-one');
  expect(codeOf(await pay(bank, json, 'embedded-one'))).toEqual([400, 'FORMAT_ERROR']);
  const first = await describedBank({ headers: { psuId: { first: 11 } } });
  const made = await pay(first, paymentOf(first, 'embedded-one'), 'embedded-on');
  // Two people begin so: nobody is found.
  expect(codeOf(made)).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
  const one = await describedBank({ headers: { psuId: { first: 12 } } });
  expect((await pay(one, paymentOf(one, 'embedded-photo'), 'embedded-pho')).status).toBe(201);
});
