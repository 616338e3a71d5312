import { consentOf, paymentOf, payments } from '../../../helpers/described-bank.ts';
import type { DescribedBank } from '../../../helpers/described-bank.ts';
import {
  askToken,
  clientId,
  grantOf,
  loginRequest,
  refreshed,
  tokensOf,
} from '../../../helpers/described-login.ts';
import type { Row } from './row.ts';

/** The page of a login is shown, or the browser goes back with an error. */
const visit =
  (change: Parameters<typeof loginRequest>[0]): Row['ask'] =>
  ({ ask }) =>
    ask('GET', loginRequest(change).path);
const shown = /^303[^]*location: \/login\//;
const refused = /^(?:4\d\d|303[^]*location: \S+error=)/;

/** A token for the code of a login, in a form that differs so. */
const redeem =
  (change: (grant: Record<string, string>) => Record<string, string>, octets = 32): Row['ask'] =>
  (bank) =>
    askToken(bank, change(grantOf(bank, {}, octets)));
const invalid = /^400.*invalid_request/;

const ofTpp =
  (more: Record<string, string> = {}): Row['ask'] =>
  (bank) =>
    askToken(bank, { grant_type: 'client_credentials', client_id: clientId, ...more });
const applies = { auth: { mode: 'clientCredentials' } };

/** A payment with the token of a PSU in a header of this name, so long after the login. */
const payWith =
  (header: string, later = '+1s'): Row['ask'] =>
  async (bank) => {
    const { access_token } = await tokensOf(bank);
    bank.bank.clock(later);
    return bank.ask('POST', payments, {
      headers: { [header]: `Bearer ${access_token}`, 'PSU-ID': 'redirect' },
      json: paymentOf(bank, 'redirect'),
    });
  };
const refreshLater =
  (later: string): Row['ask'] =>
  async (bank) => {
    const { refresh_token } = await tokensOf(bank);
    bank.bank.clock(later);
    return refreshed(bank, refresh_token);
  };

async function accountsByToken(bank: DescribedBank) {
  await consentOf(bank);
  const { access_token } = await tokensOf(bank);
  return bank.ask('GET', '/v1/accounts', { headers: { Authorization: `Bearer ${access_token}` } });
}

/** The banks of single settings of OAuth2. */
export const loginRows: readonly Row[] = [
  { settings: { auth: { consent: 'header' } }, ask: accountsByToken, told: /^400/ },
  {
    always: applies,
    settings: { auth: { clientId: 'tokenReply' } },
    ask: ofTpp(),
    told: /"client_id":"[0-9a-f]{32}"/,
  },
  ...['pis', 'ais', 'piis'].map((service): Row => ({
    settings: { auth: { scope: { [service]: 'DEDICATED' } } },
    ask: visit({ scope: 'DEDICATED' }),
    told: shown,
  })),
  {
    always: applies,
    settings: { auth: { scope: { app: 'xs2a' } } },
    ask: ofTpp(),
    told: /^400.*invalid_scope/,
  },
  {
    settings: { auth: { authorize: { rename: { client_id: 'clientId' } } } },
    ask: visit({ client_id: undefined, clientId }),
    told: shown,
  },
  { settings: { auth: { authorize: { add: { bic: 'BANKDEFF' } } } }, ask: visit({}), told: refused },
  { settings: { auth: { responseType: 'CODE' } }, ask: visit({ response_type: 'CODE' }), told: shown },
  { settings: { auth: { state: { maxLength: 24 } } }, ask: visit({ state: 'x'.repeat(25) }), told: refused },
  {
    settings: { auth: { state: { forbid: ['localhost'] } } },
    ask: visit({ state: 'at-LOCALHOST' }),
    told: refused,
  },
  {
    settings: { auth: { token: { rename: { code: 'authCode' } } } },
    ask: redeem(({ code = '', ...grant }) => ({ ...grant, authCode: code })),
    told: /^200/,
  },
  { settings: { auth: { token: { add: { role: 'AISP' } } } }, ask: redeem((grant) => grant), told: invalid },
  { settings: { auth: { token: { placement: 'query' } } }, ask: redeem((grant) => grant), told: invalid },
  {
    always: { ...applies, signing: { mode: 'cavage' } },
    settings: { auth: { token: { signed: true } } },
    ask: ofTpp(),
    told: /^401.*invalid_client/,
  },
  { settings: { auth: { pkce: { verifierOctets: 33 } } }, ask: redeem((grant) => grant), told: invalid },
  {
    always: { auth: { mode: 'preStep' } },
    settings: { auth: { tokenHeader: 'PSD2-AUTHORIZATION' } },
    ask: payWith('PSD2-AUTHORIZATION'),
    told: /^201/,
  },
  {
    settings: { auth: { lifetimes: { accessS: 300 } } },
    ask: payWith('Authorization', '+301s'),
    told: /^401.*TOKEN_EXPIRED/,
  },
  {
    settings: { auth: { lifetimes: { refreshS: 300 } } },
    ask: refreshLater('+301s'),
    told: /^400.*invalid_grant/,
  },
  {
    settings: { auth: { refresh: { rotates: false } } },
    ask: refreshLater('+1s'),
    told: /^200 (?!.*refresh_token)/,
  },
  {
    settings: { auth: { refresh: { chainDays: 2 } } },
    ask: refreshLater('+3d'),
    told: /^400.*invalid_grant/,
  },
  {
    always: { auth: { mode: 'preStep' } },
    settings: { auth: { psuIdFrom: 'sub' } },
    ask: redeem((grant) => grant),
    told: /"access_token":"eyJ/,
  },
];
