import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';

/** A test suite of one tenant: what steers it, and a TPP that shows its header. */
export function tenantOf(bank: TestBank, name: string, header = 'X-Tenant') {
  const call = tppOf(bank);
  const own: typeof call = (method, path, options) =>
    call(method, path, { ...options, headers: { [header]: name, ...options?.headers } });
  const pay = (amount: string, iban = 'DE89370400440532013000', headers = {}) =>
    own('POST', '/v1/payments/sepa-credit-transfers', {
      body: payment(iban, amount),
      headers: { 'PSU-ID': 'anna', 'TPP-Redirect-URI': 'https://tpp.example/cb', ...headers },
    });
  const controlUrl = `${bank.controlUrl}/tenants/${encodeURIComponent(name)}`;
  return {
    ask: controlOf({ controlUrl, tokenFile: bank.tokenFile }),
    call: Object.assign(own, { pay }),
  };
}
