/** The meaning of the headers and links of the interface, in a sentence each. */
import type { HeaderName } from './headers.ts';
import type { LinkName } from './link-names.ts';

/** Every header of `headerFormats`. Source: guidelines 4 to 6. */
export const headerMeanings: Readonly<Record<HeaderName, string>> = {
  'X-Request-ID': 'A UUID for each call; the bank echoes it, and both sides find the call by it.',
  Date: 'When the request was made. Early frameworks signed it; since 1.3.2 it is not signed.',
  'Content-Type': 'The form of the body: JSON, XML, or multipart for a periodic pain.001.',
  Accept: 'The forms of answer that the TPP takes; defined for payment status and transaction lists only.',
  Authorization: 'Bearer and the OAuth2 access token, where an OAuth2 flow gave one.',
  Digest: 'The hash of the exact bytes of the body (also of an empty one); sent along with Signature.',
  Signature: 'keyId, algorithm, the list of signed headers, and the signature over them.',
  'TPP-Signature-Certificate':
    'The certificate (QSealC) whose key signed, base64 of the DER form in one line.',
  'PSU-ID': 'The login name of the customer at the bank; identification travels here, not in a body.',
  'PSU-ID-Type': 'The kind of PSU-ID, where a bank has several.',
  'PSU-Corporate-ID': 'The company that the PSU acts for.',
  'PSU-Corporate-ID-Type': 'The kind of PSU-Corporate-ID.',
  'Consent-ID': 'The consent under which accounts are read; on a payment, that of the same session.',
  'PSU-IP-Address':
    'The address of the PSU. On reads it says that the PSU is present, so send it only if so.',
  'PSU-IP-Port': 'The port of the device of the PSU.',
  'PSU-Accept': 'The Accept header of the browser of the PSU.',
  'PSU-Accept-Charset': 'The Accept-Charset header of the browser of the PSU.',
  'PSU-Accept-Encoding': 'The Accept-Encoding header of the browser of the PSU.',
  'PSU-Accept-Language': 'The Accept-Language header of the browser of the PSU.',
  'PSU-User-Agent': 'The browser or app of the PSU.',
  'PSU-Http-Method': 'The method of the call that the PSU made to the TPP.',
  'PSU-Device-ID': 'A UUID of the device of the PSU; stays the same for an installation.',
  'PSU-Geo-Location': 'GEO:latitude;longitude with six decimals each.',
  'TPP-Redirect-Preferred': 'true asks for a redirect, false excludes it, absence leaves it to the bank.',
  'TPP-Redirect-URI':
    'Where the browser of the PSU returns to; the same for all authorisations of a resource.',
  'TPP-Nok-Redirect-URI': 'Where the browser returns to when the PSU has refused or failed.',
  'TPP-Explicit-Authorisation-Preferred': 'true asks that the TPP starts the authorisation itself.',
  'TPP-Decoupled-Preferred':
    'true asks for the decoupled approach, false excludes it, absence leaves it to the bank.',
  'TPP-Rejection-NoFunds-Preferred': 'true asks the bank to reject a payment without funds at once.',
  'TPP-Notification-URI': 'Where the bank may push changes of status; in the domain of the QWAC.',
  'TPP-Notification-Content-Preferred': 'Which changes are wanted: status= and SCA, PROCESS or LAST.',
  'TPP-Brand-Logging-Information': 'The brand under which the TPP acts, for the log of the bank.',
  Location: 'The address of the resource that was created.',
  'ASPSP-SCA-Approach': 'EMBEDDED, DECOUPLED or REDIRECT once it is fixed; OAuth2 counts as REDIRECT.',
  'ASPSP-Notification-Support': 'Whether the bank will push changes of status.',
  'ASPSP-Notification-Content': 'Which changes the bank will push.',
  'ASPSP-Multiple-Consent-Support': 'Whether the bank keeps several consents of a PSU side by side.',
};

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
