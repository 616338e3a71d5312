/** The meaning of the headers and links of the interface, in a sentence each. */
import type { LinkName } from './link-names.ts';

/** Every link of `linkFacts`. Source: guidelines 4.15. */
export const linkMeanings: Readonly<Record<LinkName, string>> = {
  scaRedirect: 'The page of the bank that the browser of the PSU must open.',
  scaOAuth: 'The metadata of the OAuth2 server at which the PSU authorises.',
  startAuthorisation: 'An authorisation must be started by the TPP.',
  startAuthorisationWithPsuIdentification: 'An authorisation must be started, with the PSU-ID in the header.',
  startAuthorisationWithPsuAuthentication: 'An authorisation must be started, with the password of the PSU.',
  startAuthorisationWithEncryptedPsuAuthentication:
    'An authorisation must be started, with the password encrypted for the bank.',
  startAuthorisationWithAuthenticationMethodSelection:
    'An authorisation must be started, with the choice of an SCA method.',
  startAuthorisationWithTransactionAuthorisation:
    'An authorisation must be started, with the one-time password.',
  startAuthorisationWithProprietaryData:
    'An authorisation must be started, with data that this bank defines itself.',
  updatePsuIdentification: 'The bank needs the PSU-ID, in the header.',
  updatePsuAuthentication: 'The bank needs the password of the PSU.',
  updateEncryptedPsuAuthentication: 'The bank needs the password of the PSU, encrypted for it.',
  updateAdditionalPsuAuthentication: 'The bank needs a second password of the PSU.',
  updateAdditionalEncryptedPsuAuthentication:
    'The bank needs a second password of the PSU, encrypted for it.',
  updateProprietaryData: 'The bank needs data that it defines itself.',
  selectAuthenticationMethod: 'The PSU has several SCA methods and must choose one.',
  authoriseTransaction: 'The bank waits for the one-time password.',
  confirmation: 'The TPP must confirm with the code (or the token) that the redirect brought.',
  scaStatus: 'The address of the status of this authorisation.',
  self: 'The resource itself; DELETE there cancels or deletes it.',
  status: 'The address of the status of the resource.',
  account: 'The account (or the list of them).',
  cardAccount: 'The card account (or the list of them).',
  balances: 'The balances of the account.',
  transactions: 'The transactions of the account.',
  cardTransactions: 'The transactions of the card account.',
  transactionDetails: 'The details of this transaction.',
  first: 'The first page of the list.',
  next: 'The next page of the list.',
  previous: 'The page before.',
  last: 'The last page of the list.',
  download: 'A report that is too large for an answer; fetched with the same headers.',
};
