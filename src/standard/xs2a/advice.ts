/** The party that must act on a code, and advice for it: for tppMessages and statuses alike. */

/** TPP is who runs obk, PSU the customer of the bank, ASPSP the bank. */
export type Actor = 'TPP' | 'PSU' | 'ASPSP' | 'nobody';

/** The party that must act, and what to do, in one or two sentences. */
export interface Advice {
  readonly who: Actor;
  readonly advice: string;
}

const tpp = (advice: string): Advice => ({ who: 'TPP', advice });
const psu = (advice: string): Advice => ({ who: 'PSU', advice });
const aspsp = (advice: string): Advice => ({ who: 'ASPSP', advice });
const nobody = (advice: string): Advice => ({ who: 'nobody', advice });

const token = tpp(
  'Get a new token (obk auth login, or authorise the resource anew); a token is bound to certificate and resource.',
);
const renew = 'Ask the PSU for a new consent (obk consent create, or obk consent renew for the same access).';
const keyId = tpp(
  'Compare the keyId with what the bank documents: serial, issuer, their order and encoding.',
);

/** Advice on each tppMessage code of `messageCodes`; the key is the code. */
export const messageAdvice: Readonly<Record<string, Advice>> = {
  CERTIFICATE_INVALID: tpp(
    'Check that the certificate is the one registered at the bank, and that its organizationIdentifier and PSD2 roles are right (obk cert lint).',
  ),
  CERTIFICATE_EXPIRED: tpp(
    'Get a new certificate from your trust service provider and put it into the profile.',
  ),
  CERTIFICATE_BLOCKED: tpp(
    'Ask the bank and your national authority why; a new certificate alone rarely helps.',
  ),
  CERTIFICATE_REVOKED: tpp(
    'Get a new certificate; ask your trust service provider why this one was revoked.',
  ),
  CERTIFICATE_REVOKE: tpp('Get a new certificate; ask your trust service provider why this one was revoked.'),
  CERTIFICATE_MISSING: tpp(
    'Set a certificate in the profile: TPP-Signature-Certificate for the signature, a client certificate for TLS.',
  ),
  ROLE_INVALID: tpp(
    'Payments need the role PSP_PI, accounts PSP_AI, funds confirmations PSP_IC; obk cert inspect shows what the certificate has.',
  ),
  SIGNATURE_INVALID: tpp(
    'Compare the signed headers, the keyId and the Digest with the documentation of the bank; obk log show @last -vvv shows the signing string.',
  ),
  SIGNATURE_MISSING: tpp(
    'Switch signing on in the profile: the bank wants Digest and Signature on this call.',
  ),
  REQUIRED_KID_MISSING: keyId,
  KID_MISSING: keyId,
  TIMESTAMP_INVALID: tpp('Set the clock of this machine right; compare it with the Date of an answer.'),
  FORMAT_ERROR: tpp('Correct the member or parameter that path and text name.'),
  PARAMETER_NOT_CONSISTENT: tpp(
    'Leave out one of the contradicting parameters, such as a delta list together with dates.',
  ),
  PARAMETER_NOT_SUPPORTED: tpp('Leave out the optional parameter: this bank does not support it.'),
  PERIOD_INVALID: tpp(
    'Ask for a shorter or a later period; more than 90 days back is often open only right after SCA.',
  ),
  SERVICE_INVALID: tpp('Check service, product and method: the bank does not offer this one for these data.'),
  RESOURCE_UNKNOWN: tpp(
    'Check the id, the product in the path and the certificate: a resource is visible only to the TPP that created it.',
  ),
  RESOURCE_EXPIRED: tpp('Create a new resource; this one has expired.'),
  RESOURCE_BLOCKED: tpp(
    'Finish or delete the signing basket that holds it, or wait until the bank frees it.',
  ),
  SCA_METHOD_UNKNOWN: tpp('Choose one of the scaMethods that the bank named for this authorisation.'),
  STATUS_INVALID: tpp('Read the status: all authorisations may already be complete, or the resource final.'),
  CONSENT_UNKNOWN: tpp(
    'Check the id and the certificate; a consent is visible only to the TPP that created it.',
  ),
  CONSENT_INVALID: psu(renew),
  CONSENT_EXPIRED: psu(renew),
  TOKEN_UNKNOWN: token,
  TOKEN_INVALID: token,
  TOKEN_EXPIRED: token,
  PSU_CREDENTIALS_INVALID: psu(
    'Check the PSU-ID, and enter the password or one-time password again with care; the bank blocks access after a few wrong attempts.',
  ),
  CORPORATE_ID_INVALID: psu('Check PSU-Corporate-ID: the company for which the PSU acts at this bank.'),
  SERVICE_BLOCKED: psu('Ask the bank to unblock the access; trying again does not help.'),
  SCA_INVALID: tpp('Start another authorisation of the resource, if it still takes one.'),
  PRODUCT_INVALID: tpp('Use another payment product for this PSU.'),
  PRODUCT_UNKNOWN: tpp('Use a payment product that the bank offers; its documentation lists them.'),
  PAYMENT_FAILED: psu('Ask the bank why; the payment itself is at fault, not the request.'),
  EXECUTION_DATE_INVALID: tpp('Choose another day: a banking day, not in the past, not too far ahead.'),
  CANCELLATION_INVALID: nobody(
    'The payment is past the point where it can be stopped; ask the payee to pay it back.',
  ),
  SESSIONS_NOT_SUPPORTED: tpp('Create the consent without --combined, and the payment without Consent-ID.'),
  ACCESS_EXCEEDED: tpp(
    'Wait until tomorrow, or read while the PSU is present (--psu-present): such reads are not counted. Where the consent was for one use, ask for another one (obk consent renew).',
  ),
  REQUESTED_FORMATS_INVALID: tpp('Ask for a format that the bank offers, such as --accept json.'),
  CARD_INVALID: tpp('Check the card number; it must belong to the account of the request.'),
  NO_PIIS_ACTIVATION: psu('Open the account for confirmations of funds at the bank first.'),
  REFERENCE_MIX_INVALID: tpp('Put only resources of one kind (and product) into a signing basket.'),
  REFERENCE_STATUS_INVALID: tpp('Leave out members that are already authorised.'),
  WARNING: nobody('The call worked; read the text.'),
  FUNDS_NOT_AVAILABLE: psu('Put money on the account before the payment is executed.'),
  BENEFICIARY_WHITELISTING_REQUIRED: psu('Add the payee to the trusted beneficiaries at the bank.'),
  UNAUTHORIZED: tpp(
    'The code is not of the Berlin Group: check token, certificate and signature in this order.',
  ),
  FORBIDDEN: tpp(
    'The code is not of the Berlin Group: check whether the TPP is registered, and whether a token was sent where none belongs.',
  ),
  SERVICE_NOT_SUPPORTED: tpp('Use another service; this bank does not offer this one.'),
  UNSUPPORTED_MEDIA_TYPE: tpp('Send JSON for JSON products and XML for pain.001 products.'),
  TRANSACTION_ID_INVALID: tpp(
    'Use the id of an entry of this account, as the list of transactions gives it.',
  ),
  INTERNAL_SERVER_ERROR: aspsp('Report it with both X-Request-IDs and the time; a read may be tried again.'),
  SERVICE_UNAVAILABLE: aspsp('Try again later; look at the status page of the bank.'),
};

/** Advice on each transactionStatus. */
export const transactionAdvice: Readonly<Record<string, Advice>> = {
  RCVD: psu('Authorise the payment: obk payment authorise ID.'),
  PDNG: nobody('Ask again later: obk payment status ID --watch.'),
  PATC: psu('The next PSU authorises: obk payment authorise ID --psu-id B.'),
  ACTC: nobody(
    'Many banks that process in batches report no more than this; the entry on the account is the proof.',
  ),
  ACWC: tpp('Compare your request with obk payment get ID: the bank has changed something.'),
  ACCP: nobody(
    'Many banks that process in batches report no more than this; the entry on the account is the proof.',
  ),
  ACFC: nobody('The booking follows.'),
  ACSP: nobody('The booking follows at once.'),
  ACWP: nobody('Ask again later: the payee does not have the money yet.'),
  ACSC: nobody('Done: the money has left the account of the debtor.'),
  ACCC: nobody('Done: the payee has the money.'),
  RJCT: tpp('Read the reason (obk payment status ID) and start a new payment; this one is final.'),
  CANC: nobody('Done: nothing is paid.'),
  PART: tpp('Read which entries were rejected (obk payment status ID) and send only those again.'),
};

/** Advice on each scaStatus. */
export const scaAdvice: Readonly<Record<string, Advice>> = {
  received: psu('Identify the PSU (--psu-id), or wait until the PSU has opened the page of the bank.'),
  psuIdentified: psu('The first factor comes next: the password, or the page of the bank.'),
  psuAuthenticated: psu('Choose a method, if there are several; else wait for the bank.'),
  scaMethodSelected: psu('Enter the one-time password, or confirm on the device.'),
  started: psu('Finish on the page or the phone; the bank waits.'),
  unconfirmed: tpp('Send the confirmation code that the redirect brought; nothing is executed before that.'),
  finalised: tpp('Read the status of the resource: an authorisation alone is no acceptance.'),
  failed: tpp('Start another authorisation, if the resource still takes one; else a new resource.'),
  exempted: tpp('Read the status of the resource: an authorisation alone is no acceptance.'),
};

/** Advice on each consentStatus. */
export const consentAdvice: Readonly<Record<string, Advice>> = {
  received: psu('Authorise the consent: obk consent authorise ID.'),
  partiallyAuthorised: psu('The next PSU authorises: obk consent authorise ID --psu-id B.'),
  valid: nobody('Read accounts with it: obk accounts --consent ID.'),
  rejected: psu(renew),
  revokedByPsu: psu(renew),
  expired: psu(renew),
  terminatedByTpp: psu(renew),
};
