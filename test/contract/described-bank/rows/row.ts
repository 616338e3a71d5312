import { consentOf, paymentOf, payments } from '../../../helpers/described-bank.ts';
import type { DescribedBank, Told } from '../../../helpers/described-bank.ts';

/** What the bank inside answers to a request typed by hand, by these settings and not without one of them. */
export interface Row {
  about?: string;
  /** Each of them is left out once. */
  settings: object;
  /** Said of it in each case. */
  always?: object;
  ask: (bank: DescribedBank) => Promise<Told>;
  /** The status and the text of the answer, and its headers behind them. */
  told: RegExp;
}

/** What a PSU who approves at the bank is named by. */
export const psu = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/back' };
export const access = {
  access: { allPsd2: 'allAccounts' },
  ...{
    recurringIndicator: true,
    combinedServiceIndicator: false,
    validUntil: '9999-12-31',
    frequencyPerDay: 4,
  },
};
export const consent =
  (body: object = {}, headers: object = {}) =>
  ({ ask }: DescribedBank) =>
    ask('POST', '/v1/consents', { headers: { ...psu, ...headers }, json: { ...access, ...body } });
export const pay =
  (body: object = {}, headers: object = {}, product = payments) =>
  (bank: DescribedBank) =>
    bank.ask('POST', product, { headers: { ...psu, ...headers }, json: paymentOf(bank, 'redirect', body) });
export const get =
  (path: string, headers: object = {}) =>
  async (bank: DescribedBank) =>
    bank.ask('GET', path, { headers: { 'Consent-ID': await consentOf(bank), ...headers } });
export const rule = (more: object) => ({
  headers: { rules: [{ name: 'X-Key', action: 'require', ...more }] },
});

/** The list of transactions of the first account. */
export const list =
  (query = `bookingStatus=booked&dateFrom=${day(300)}`, headers: object = {}) =>
  async (bank: DescribedBank) => {
    const own = { 'Consent-ID': await consentOf(bank), ...headers };
    const accounts = await bank.ask('GET', '/v1/accounts', { headers: own });
    const [account] = (accounts.json as { accounts: { resourceId: string }[] }).accounts;
    return bank.ask('GET', `/v1/accounts/${account?.resourceId ?? ''}/transactions?${query}`, {
      headers: own,
    });
  };
export const cancel =
  (headers: object = {}) =>
  async (bank: DescribedBank) => {
    const { json } = await pay()(bank);
    const { paymentId } = json as { paymentId: string };
    return bank.ask('DELETE', `${payments}/${paymentId}`, { headers: { ...headers } });
  };
export const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
export const own = '/v1/payments/domestic-transfers';

export const twice = (ask: Row['ask']) => async (bank: DescribedBank) => (await ask(bank), ask(bank));
export const statusTwice: Row['ask'] = async (bank) => {
  const { json } = await pay()(bank);
  const path = `${payments}/${(json as { paymentId: string }).paymentId}/status`;
  return twice(({ ask }) => ask('GET', path))(bank);
};
