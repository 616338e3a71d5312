import { har as validate } from 'har-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';
import { agreedBy } from './agreed.ts';

/** What the document promises of the calls that came. */
let bank: TestBank;
let ask: ReturnType<typeof controlOf>;
let call: ReturnType<typeof tppOf>;
beforeAll(async () => {
  bank = await startBank();
  ask = controlOf(bank);
  call = tppOf(bank);
});
afterAll(() => bank.close());

const path = '/v1/payments/sepa-credit-transfers';
const agreed = (psuId: string) => agreedBy({ ask, call }, psuId);

describe('the record of calls', () => {
  it('is complete: headers, bodies, the string to be signed; a token is not kept', async () => {
    await ask('POST', '/reset');
    const body = payment(bank.person('redirect').accounts[0]!.iban, '1.23');
    const answer = await call('POST', `${path}?x=1`, {
      body,
      headers: { Authorization: 'Bearer top-secret' },
    });
    const { calls } = (await ask('GET', '/calls')).json;
    expect(calls).toHaveLength(1);
    const { json, text } = await ask('GET', `/calls/${String(calls[0].number)}`);
    expect(json).toMatchObject({ ...calls[0], query: 'x=1', status: answer.status, ms: expect.any(Number) });
    expect(JSON.parse(json.request.body)).toEqual(body);
    expect(json.request).toMatchObject({ encoding: 'utf-8', isCut: false });
    expect(json.response.body).toBe(answer.text);
    const headers = new Map(
      json.request.headers.map(({ name, value }: Record<string, string>) => [name, value]),
    );
    expect(headers.get('Authorization')).toBe('Bearer [secret]');
    expect(text).not.toContain('top-secret');
    expect(headers.get('Digest')).toBe(json.digest);
  });

  it('contains no password and no one-time password of a body', async () => {
    await ask('POST', '/reset');
    const person = bank.person('embedded-one');
    const { json } = await call('POST', path, {
      body: payment(person.accounts[0]!.iban, '1.00'),
      headers: { 'PSU-ID': 'embedded-one' },
    });
    await call('POST', `${path}/${json.paymentId as string}/authorisations`, {
      body: { psuData: { password: person.password }, scaAuthenticationData: person.otp },
    });
    const { text } = await ask('GET', '/calls.har');
    expect(text).toContain('[secret]');
    expect(text).not.toContain(person.password);
    expect(text).not.toContain(`\\"${person.otp}\\"`);
  });

  it('is kept up to a length, also of a body that streams or is not text', async () => {
    await ask('POST', '/reset');
    await ask('POST', '/people/redirect/generated-transactions', { body: { count: 500 } });
    const { headers } = await agreed('redirect');
    const { accounts } = (await call('GET', '/v1/accounts', { headers })).json;
    const url = `/v1/accounts/${accounts[0].resourceId}/transactions?bookingStatus=booked&dateFrom=2020-01-01`;
    const report = await call('GET', url, { headers });
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    await call('POST', '/v1/consents', { body: bytes });
    const { calls } = (await ask('GET', '/calls')).json;
    const [long, odd] = await Promise.all(
      calls
        .slice(-2)
        .map(async ({ number }: { number: number }) => (await ask('GET', `/calls/${String(number)}`)).json),
    );
    expect(long.response).toMatchObject({ bodyBytes: report.bytes.length, isCut: true });
    expect(report.text.startsWith(long.response.body)).toBe(true);
    expect(Buffer.byteLength(long.response.body)).toBeLessThanOrEqual(32 * 1024);
    expect(odd.request).toMatchObject({ encoding: 'base64', body: bytes.toString('base64'), bodyBytes: 3 });
  });

  it('is filtered, and paged by number', async () => {
    await ask('POST', '/reset');
    await call('GET', '/v1/consents/x/status');
    await call('GET', '/v1/consents/y');
    await call('GET', '/v1/nothing');
    const numbers = async (query: string) =>
      (await ask('GET', `/calls${query}`)).json.calls.map(
        ({ number }: { number: number }) => number,
      ) as number[];
    const all = await numbers('');
    expect(all).toHaveLength(3);
    expect(await numbers(`?after=${String(all[0])}`)).toEqual(all.slice(1));
    expect(await numbers('?limit=1')).toEqual(all.slice(-1));
    expect(await numbers('?operation=getConsentStatus')).toEqual(all.slice(0, 1));
    expect(await numbers('?verdict=accepted')).toEqual([]);
    expect(await numbers('?findings=true')).toEqual(all);
    expect(await numbers('?findings=false')).toEqual([]);
    const { log } = (await ask('GET', '/calls.har?limit=2')).json;
    expect(log.entries).toHaveLength(2);
  });

  it('is available as an HTTP Archive that others read', async () => {
    const { json } = await ask('GET', '/calls.har');
    await expect(validate(json)).resolves.toBeDefined();
    expect(json.log.entries[0].request.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/consents\/x\/status$/);
  });
});
