import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment, tppOf } from '../tpp.ts';

let bank: TestBank;
let call: ReturnType<typeof tppOf>;
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  call = tppOf(bank);
});
afterAll(() => bank.close());

const back = 'https://tpp.example/back';
const nok = 'https://tpp.example/nok';
const payments = '/v136/payments/sepa-credit-transfers';

/** What a PSU authorises in a browser whom the TPP has to lead there: a payment or a consent. */
async function made(kind: string, headers: Record<string, string> = {}): Promise<string> {
  const { iban } = bank.person('redirect-explicit').accounts[0]!;
  const access = { accounts: [{ iban }] };
  const terms = { recurringIndicator: true, validUntil: '9999-12-31', frequencyPerDay: 4 };
  const [path, body] =
    kind === 'payment'
      ? [payments, payment(iban)]
      : ['/v136/consents', { access, ...terms, combinedServiceIndicator: false }];
  const psu = { 'PSU-ID': 'redirect-explicit', 'PSU-IP-Address': '192.0.2.1' };
  const answer = await call('POST', path, { headers: { ...psu, ...headers }, body });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json._links as { self: { href: string } }).self.href;
}
const start = (self: string, headers: Record<string, string>) =>
  call('POST', `${self}/authorisations`, { headers });

describe.each(['payment', 'consent'])('a %s without TPP-Redirect-URI', (kind) => {
  it.each([
    ['approve', back],
    ['refuse', nok],
  ] as const)('leads to the addresses of the start of its authorisation: %s', async (decision, where) => {
    const started = await start(await made(kind), { 'TPP-Redirect-URI': back, 'TPP-Nok-Redirect-URI': nok });
    expect(started.status, started.text).toBe(201);
    const { redirectedTo } = bank.decide(decision, started.json.authorisationId as string);
    expect(redirectedTo).toBe(where);
  });

  it('leads nowhere where the start has none', async () => {
    const started = await start(await made(kind), {});
    expect(bank.decide('approve', started.json.authorisationId as string).redirectedTo).toBeUndefined();
  });

  it('accepts no script at the start', async () => {
    const headers = { 'TPP-Redirect-URI': 'javascript://tpp.example/%0Aalert(1)' };
    const started = await start(await made(kind), headers);
    expect([started.status, started.json.tppMessages[0].path]).toEqual([400, 'TPP-Redirect-URI']);
  });
});

it('the address of a transaction stays that of its start', async () => {
  const self = await made('payment', { 'TPP-Redirect-URI': back });
  const other = await start(self, { 'TPP-Redirect-URI': nok });
  expect([other.status, other.json.tppMessages[0].path]).toEqual([400, 'TPP-Redirect-URI']);
  const started = await start(self, { 'TPP-Redirect-URI': back });
  expect(bank.decide('approve', started.json.authorisationId as string).redirectedTo).toBe(back);
});

it('the address of an app leads back without a host', async () => {
  const self = await made('payment', { 'TPP-Redirect-URI': 'com.example.app:/back?x=1' });
  const started = await start(self, {});
  const { redirectedTo } = bank.decide('approve', started.json.authorisationId as string);
  expect(redirectedTo).toBe('com.example.app:/back?x=1');
});
