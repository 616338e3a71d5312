/** Every rule of the referee: how bad a breach is, why it matters, where the rule is written and what a bank answers. */

/** How bad a finding is: an error is refused by a bank that goes by the rules, a warning by some banks, a note by none. */
export type Severity = 'error' | 'warning' | 'note';

/** A rule of the interface for requests. */
export interface Rule {
  readonly severity: Severity;
  /** The HTTP status and the tppMessage code of the answer; empty for a status that comes without a code. */
  readonly status: number;
  readonly code: string;
  readonly why: string;
  /** The place of the rule; the section of the operation is added to it where it depends on that. */
  readonly source: string;
}

/** The HTTP status and the tppMessage code of an answer; an empty code for a status that comes without one. */
export type Reply = readonly [status: number, code: string];

const rule = (severity: Severity, [status, code]: Reply, why: string, source: string): Rule => ({
  severity,
  status,
  code,
  why,
  source,
});
const form = (why: string, source: string) => rule('error', [400, 'FORMAT_ERROR'], why, source);
const odd = (why: string, source: string) => rule('warning', [400, 'FORMAT_ERROR'], why, source);
const signed = (code: string, why: string, source: string) => rule('error', [401, code], why, source);

const signatureText = 'guidelines 12.2';
const digestText = 'guidelines 12.1';
const certificateText = 'guidelines 12.2; ETSI TS 119 495';
const fieldText = 'RFC 9110 5.3';
const overview = 'guidelines, data overview of the operation';
const uniqueId = 'The X-Request-ID is the name of this one call in all logs.';

/** The rules by name, in the order in which a request is read. */
export const rules = {
  // path
  'path-unknown': rule(
    'error',
    [404, 'RESOURCE_UNKNOWN'],
    'A bank answers the paths of the interface only.',
    'guidelines 4.4',
  ),
  'path-prefix': rule(
    'error',
    [404, 'RESOURCE_UNKNOWN'],
    'The version is the first segment of every path.',
    'guidelines 4.4',
  ),
  'path-slash': rule(
    'warning',
    [404, 'RESOURCE_UNKNOWN'],
    'The paths of the interface end without a slash, and gateways tell them apart.',
    'guidelines 4.4',
  ),
  'path-absent': rule(
    'error',
    [404, 'RESOURCE_UNKNOWN'],
    'The service does not offer this operation.',
    'description of the service',
  ),
  'path-product': rule(
    'error',
    [404, 'PRODUCT_UNKNOWN'],
    'The product decides the body and the rules of a payment.',
    'guidelines 5.3',
  ),
  'path-id': rule(
    'error',
    [404, 'RESOURCE_UNKNOWN'],
    'An id is the text of the bank, unchanged and percent-encoded once.',
    'guidelines 4.4; RFC 3986 2.4',
  ),
  'path-account-number': rule(
    'error',
    [404, 'RESOURCE_UNKNOWN'],
    'Accounts are read by the resourceId of the list of accounts; numbers of accounts stay out of paths and logs.',
    'guidelines 6.5',
  ),
  method: rule(
    'error',
    [405, 'SERVICE_INVALID'],
    'Each path has its own methods.',
    'guidelines 4.4; RFC 9110 15.5.6',
  ),
  // headers
  'header-missing': form('Without it the bank cannot process or log the call.', overview),
  'header-form': form('The form of the header is fixed.', overview),
  'header-twice': form(
    'Only headers that are lists may come twice; a bank reads both values as one text.',
    fieldText,
  ),
  'header-undeclared': odd(
    'The operation does not have it: some banks refuse it, the others ignore it.',
    overview,
  ),
  'header-misspelt': odd('A header that the bank does not know is ignored.', overview),
  'request-id-nil': odd(uniqueId, 'guidelines 5.2; RFC 9562 5.9'),
  'psu-id-type-alone': odd(
    'The type says nothing without the identification that it belongs to.',
    'guidelines 5.3.1',
  ),
  'psu-id-missing': odd(
    'An update without a body is an identification of the PSU, and that is in the header PSU-ID.',
    'guidelines 7.2.1',
  ),
  'redirect-uri-missing': form(
    'After the redirect the bank would not know where to send the browser of the PSU.',
    'guidelines 5.3.1',
  ),
  'redirect-uri-form': form(
    'The browser of the PSU is sent there: a bank takes the addresses of web pages and apps only.',
    'guidelines 5.3.1',
  ),
  'explicit-basket': form('A signing basket is always authorised explicitly.', 'guidelines 8.1'),
  'notification-address': odd(
    'Without TPP-Notification-URI there is nowhere to send notifications.',
    'resource status notification service 1.0, 5.1',
  ),
  authorization: signed(
    'TOKEN_INVALID',
    'The token of OAuth is sent as a bearer token.',
    'guidelines 13; RFC 6750 2.1',
  ),
  'content-type': rule(
    'error',
    [415, ''],
    'The media type decides how the body is read.',
    'guidelines 5.3; file, requestBody',
  ),
  accept: rule(
    'error',
    [406, 'REQUESTED_FORMATS_INVALID'],
    'The answer comes in none of these formats.',
    'guidelines 6.5.4',
  ),
  // query
  'query-unknown': rule(
    'warning',
    [400, 'PARAMETER_NOT_SUPPORTED'],
    'The operation has no such parameter: some banks refuse it, the others ignore it.',
    overview,
  ),
  'query-twice': form('The meaning of a parameter that comes twice is not defined.', overview),
  'query-missing': form('Without it the bank cannot make the list.', 'guidelines 6.5.4'),
  'query-form': form('The form of the parameter is fixed.', 'guidelines 6.5.4'),
  'query-combination': rule(
    'error',
    [400, 'PARAMETER_NOT_CONSISTENT'],
    'These parameters contradict each other.',
    'guidelines 6.5.4',
  ),
  'query-ignored': rule(
    'warning',
    [400, 'PARAMETER_NOT_CONSISTENT'],
    'The other parameter decides, so this one says nothing.',
    'guidelines 6.5.4',
  ),
  period: rule(
    'error',
    [400, 'PERIOD_INVALID'],
    'No transaction lies in such a period.',
    'guidelines 6.5.4, 14.11.1',
  ),
  'period-future': rule(
    'warning',
    [400, 'PERIOD_INVALID'],
    'There are no transactions yet from that day on.',
    'guidelines 6.5.4, 14.11.1',
  ),
  // body
  'body-missing': form('The operation takes its data from the body.', overview),
  'body-unexpected': odd(
    'The operation has no body; many banks and gateways refuse or drop one.',
    'file, requestBody; RFC 9110 9.3.1',
  ),
  'body-unreadable': form('The body cannot be read in its media type.', 'RFC 8259; RFC 7578; ISO 20022'),
  'body-type': form('The type of the member is fixed.', overview),
  'body-member-missing': form('The member is mandatory.', overview),
  'body-member-unknown': odd('A member that the interface does not have is ignored or refused.', overview),
  'body-member-later': odd(
    'The framework of this bank does not have the member.',
    'file and guidelines of the framework',
  ),
  'body-amount': form(
    'An amount is a decimal text with a dot and at most the decimals of its currency.',
    'guidelines 14.1',
  ),
  'body-currency': form(
    'The currency must be a code of ISO 4217 that the product has.',
    'guidelines 11.1, 14.1',
  ),
  'body-iban': form(
    'The check digits and the structure of an IBAN are proved before a payment.',
    'ISO 13616; guidelines 14.2',
  ),
  'body-account-reference': form('An account is named by exactly one identification.', 'guidelines 14.2'),
  'body-bic': form('A BIC has 8 or 11 characters.', 'ISO 9362'),
  'body-length': form(
    'The text is empty, too long, or has control characters.',
    'guidelines 11.1; file, maxLength',
  ),
  'body-code': form('Only the codes of the list are known.', 'guidelines 14; file, enum'),
  'body-date': form('A date is written YYYY-MM-DD.', 'guidelines 14; ISO 8601'),
  'body-date-passed': rule(
    'error',
    [400, 'EXECUTION_DATE_INVALID'],
    'A payment cannot be carried out on a day that has passed.',
    'guidelines 5.3, 14.11.2',
  ),
  'body-number': form('The number is outside of what the member can hold.', overview),
  'body-list': form('The list must have something in it.', overview),
  'body-combination': form('These members exclude or need each other.', overview),
  'body-twice': odd('The same thing is named twice.', 'guidelines 8.1'),
  'consent-validity': form('A consent that has ended already can never be used.', 'guidelines 6.3.1'),
  'consent-frequency': form('A consent for one use has the frequencyPerDay 1.', 'guidelines 6.3.1'),
  // signature
  'signature-missing': signed('SIGNATURE_MISSING', 'The bank wants every request signed.', signatureText),
  'digest-alone': signed(
    'SIGNATURE_MISSING',
    'Digest, Signature and TPP-Signature-Certificate come together or not at all.',
    digestText,
  ),
  'certificate-missing': signed(
    'CERTIFICATE_MISSING',
    'The signature can be verified with its certificate only.',
    certificateText,
  ),
  'certificate-form': signed(
    'CERTIFICATE_INVALID',
    'The header holds the certificate as base64 of its DER, in one line.',
    certificateText,
  ),
  'certificate-issuer': signed(
    'CERTIFICATE_INVALID',
    'A bank takes certificates of qualified trust service providers.',
    certificateText,
  ),
  'certificate-not-yet-valid': signed(
    'CERTIFICATE_INVALID',
    'The certificate cannot be used yet.',
    'RFC 5280 4.1.2.5',
  ),
  'certificate-expired': signed(
    'CERTIFICATE_EXPIRED',
    'The certificate can no longer be used.',
    'RFC 5280 4.1.2.5',
  ),
  'certificate-use': signed(
    'CERTIFICATE_INVALID',
    'A QWAC is for TLS and a QSealC for signatures.',
    certificateText,
  ),
  'certificate-owner': signed(
    'CERTIFICATE_INVALID',
    'Connection and signature must be of the same TPP.',
    certificateText,
  ),
  'client-certificate-missing': signed(
    'CERTIFICATE_MISSING',
    'The connection needs the client certificate of the TPP (QWAC).',
    'guidelines 3',
  ),
  role: signed(
    'ROLE_INVALID',
    'The certificate names the services for which the TPP is authorised.',
    'ETSI TS 119 495 5.1; guidelines 14.11.1',
  ),
  'date-missing': form('This bank wants the time of the request.', 'guidelines 5.2'),
  'date-form': form('The form of a date of HTTP is fixed.', 'RFC 9110 5.6.7'),
  'date-window': rule(
    'error',
    [400, 'TIMESTAMP_INVALID'],
    'A request from another time may be a replay.',
    'guidelines 14.11.1',
  ),
  'date-far': rule(
    'warning',
    [400, 'TIMESTAMP_INVALID'],
    'Banks that look at Date take five minutes, so the clock of the client must be right.',
    'guidelines 5.2, 14.11.1',
  ),
  'digest-missing': signed('SIGNATURE_INVALID', 'The signature covers the body by its digest.', digestText),
  'digest-form': signed(
    'SIGNATURE_INVALID',
    'Digest is SHA-256= or SHA-512= and base64.',
    `${digestText}; RFC 3230`,
  ),
  'digest-wrong': signed(
    'SIGNATURE_INVALID',
    'The body that arrived is not the body of the digest.',
    digestText,
  ),
  'signature-form': signed(
    'SIGNATURE_INVALID',
    'Signature is keyId, algorithm, headers and signature, each as name="value".',
    signatureText,
  ),
  'key-id': signed(
    'SIGNATURE_INVALID',
    'keyId names the certificate by serial number and issuer: SN=...,CA=...',
    signatureText,
  ),
  'signed-names': signed(
    'SIGNATURE_INVALID',
    'digest and x-request-id are signed, and psu-id, psu-corporate-id and tpp-redirect-uri if they are sent; nothing else.',
    signatureText,
  ),
  'signature-algorithm': signed(
    'SIGNATURE_INVALID',
    'The algorithm must be that of the key in the certificate.',
    signatureText,
  ),
  'signature-wrong': signed(
    'SIGNATURE_INVALID',
    'What arrived is not what was signed, or it was signed with another key.',
    signatureText,
  ),
  // order of calls
  'request-id-again': odd(uniqueId, 'guidelines 5.2'),
  'resource-unknown': rule(
    'error',
    [404, 'RESOURCE_UNKNOWN'],
    'A TPP sees the resources that it has made.',
    'guidelines 4.4',
  ),
  'already-authorised': rule(
    'error',
    [409, 'STATUS_INVALID'],
    'Nothing is left to authorise.',
    'guidelines 4.14, 14.11.1',
  ),
  'authorisation-ended': rule(
    'error',
    [400, 'SCA_INVALID'],
    'An authorisation that has ended stays as it is.',
    'guidelines 7.2, 14.11.1',
  ),
  'cancellation-late': rule(
    'error',
    [405, 'CANCELLATION_INVALID'],
    'A payment can be cancelled until it is carried out.',
    'guidelines 5.6',
  ),
  'consent-not-valid': signed(
    'CONSENT_INVALID',
    'Accounts are read under a consent that the PSU has authorised.',
    'guidelines 6.5',
  ),
  'consent-expired': signed('CONSENT_EXPIRED', 'The consent has ended.', 'guidelines 6.5, 14.11.1'),
  'consent-unknown': rule(
    'error',
    [400, 'CONSENT_UNKNOWN'],
    'The bank cannot find the consent.',
    'guidelines 6.5, 14.11.1',
  ),
  'redirect-uri-changed': odd(
    'TPP-Redirect-URI stays the same for all authorisations of a transaction.',
    'guidelines 5.3.1, 7.1',
  ),
  'polling-fast': rule(
    'warning',
    [429, 'ACCESS_EXCEEDED'],
    'Banks limit the questions about a status to one or two per second.',
    'practice of banks',
  ),
  // whatever only the bank can know
  refused: rule('error', [400, ''], 'The bank has refused the call for a reason of its own.', 'the bank'),
} as const satisfies Record<string, Rule>;

/** The name of a rule. */
export type RuleId = keyof typeof rules;
