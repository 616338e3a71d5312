/** The party that must act on a header, link or product, and advice for it. */
import type { Advice } from './advice.ts';
import type { LinkName } from './link-names.ts';
import type { JsonProduct } from './products.ts';

const tpp = (advice: string): Advice => ({ who: 'TPP', advice });
const psu = (advice: string): Advice => ({ who: 'PSU', advice });
const aspsp = (advice: string): Advice => ({ who: 'ASPSP', advice });
const nobody = (advice: string): Advice => ({ who: 'nobody', advice });

const password = psu('Enter the password, or give --psu-password-from.');
const encrypted = psu('Enter the password; the profile must have the key of the bank (--psu-password-key).');
const method = psu('Choose a method, or give --sca-method; obk sca methods lists them.');
const otp = psu('Enter the one-time password, or give --otp-from.');
const proprietary = aspsp('Ask the bank what it wants here; nothing is sent without that.');
const followed = nobody('It is followed where it is needed.');
const read = tpp('Follow it by obk accounts or obk transactions list.');
const page = tpp('Follow it by obk transactions list --all, or one page by --page LINK.');

/** Advice on each link of `linkFacts`. */
export const linkAdvice: Readonly<Record<LinkName, Advice>> = {
  scaRedirect: psu('Open it in the browser of the PSU: obk sca open ID.'),
  scaOAuth: psu('Open the page of the OAuth2 server that it leads to: obk sca open ID.'),
  startAuthorisation: tpp('Start it: obk payment authorise ID (or consent, or basket).'),
  startAuthorisationWithPsuIdentification: tpp('Start it with --psu-id: obk payment authorise ID.'),
  startAuthorisationWithPsuAuthentication: password,
  startAuthorisationWithEncryptedPsuAuthentication: encrypted,
  startAuthorisationWithAuthenticationMethodSelection: method,
  startAuthorisationWithTransactionAuthorisation: otp,
  startAuthorisationWithProprietaryData: proprietary,
  updatePsuIdentification: tpp('Give --psu-id to obk payment authorise ID.'),
  updatePsuAuthentication: password,
  updateEncryptedPsuAuthentication: encrypted,
  updateAdditionalPsuAuthentication: psu(
    'Enter the second password, or give --psu-additional-password-from.',
  ),
  updateAdditionalEncryptedPsuAuthentication: encrypted,
  updateProprietaryData: proprietary,
  selectAuthenticationMethod: method,
  authoriseTransaction: otp,
  confirmation: tpp('Pass on the address at which the browser ended: --return-url-from.'),
  scaStatus: tpp('Read it: obk sca status ID.'),
  self: tpp('Read it by obk payment get ID, cancel by obk payment cancel ID.'),
  status: tpp('Read it: obk payment status ID.'),
  account: read,
  cardAccount: read,
  balances: read,
  transactions: read,
  cardTransactions: read,
  transactionDetails: tpp('Read one: obk transactions get ID.'),
  first: page,
  next: page,
  previous: page,
  last: page,
  download: followed,
};

const anyBank = 'where the bank refuses it (PRODUCT_UNKNOWN), use another product.';

/** Advice on each core product; its form as pain.001 has the same. */
export const productAdvice: Readonly<Record<JsonProduct, Advice>> = {
  'sepa-credit-transfers': tpp(`obk payment init --product sepa-credit-transfers; ${anyBank}`),
  'instant-sepa-credit-transfers': tpp(
    `obk payment init --product instant-sepa-credit-transfers; ${anyBank}`,
  ),
  'target-2-payments': tpp(`Give --charge-bearer if the bank wants it; ${anyBank}`),
  'cross-border-credit-transfers': tpp(
    `Give the BIC, address and charge bearer of the payee as the bank wants them; ${anyBank}`,
  ),
};
