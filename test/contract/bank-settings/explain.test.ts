import { expect, it } from 'vitest';
import { atBank } from '../../helpers/bank-settings.ts';
import { typedBank } from '../../helpers/typed-bank.ts';

it('bank explain shows what an operation becomes: path, method, parameters, token, PSU-ID, products', async () => {
  const bank = await typedBank(() => [500, '']);
  const settings = {
    spec: { operations: { deleteConsent: { method: 'POST', path: '/v3/consents/{consentId}/revoke' } } },
    ais: { params: { getAccountList: { forbid: ['withBalance'], add: { currency: 'EUR' } } } },
    auth: { mode: 'preStep', tokenHeader: 'PSD2-AUTHORIZATION' },
    headers: { psuId: { first: 10 } },
    payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } },
  };
  const explained = async (id: string) => (await atBank(bank, settings, [['bank', 'explain', id]])).stdout;
  expect(await explained('deleteConsent')).toMatch(/^POST http:\/\/\S+\/v3\/consents\/\{consentId\}\/revoke/);
  const list = await explained('getAccountList');
  expect(list).toMatch(/\?currency\n/);
  expect(list).toMatch(/auth\.mode +preStep[^]*auth\.tokenHeader +PSD2-AUTHORIZATION/);
  const payment = await explained('initiatePayment');
  expect(payment).toMatch(/headers\.psuId\.first +10/);
  expect(payment).toMatch(/payments\.matrix +payments: domestic-transfers/);
  expect(bank.asked).toEqual([]);
  await bank.close();
});
