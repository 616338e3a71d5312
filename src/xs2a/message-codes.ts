/** The tppMessage codes with the exit code that each means. */
import { exitCodes } from '../errors.ts';
import type { ExitCode } from '../errors.ts';
import type { Service } from './operations.ts';
import type { Since } from './codes.ts';

/** One tppMessage code: HTTP statuses it comes with, services, when, and the exit code that it means. */
export interface MessageCodeFact {
  readonly code: string;
  readonly http: readonly number[];
  /** Undefined for all services. */
  readonly services?: readonly Service[];
  readonly meaning: string;
  readonly exit: ExitCode;
  readonly since: Since;
  /** True for codes that are not in the guidelines but that a known server sends. */
  readonly foreign?: true;
}

const { config, authNeeded, rejected, declined, throttled, bankError, ok } = exitCodes;

const message = (
  code: string,
  http: readonly number[],
  exit: ExitCode,
  meaning: string,
  more: Partial<MessageCodeFact> = {},
): MessageCodeFact => ({ code, http, exit, meaning, since: '1.3.2', ...more });

const PIS = { services: ['PIS'] } as const;
const AIS = { services: ['AIS'] } as const;
const PIIS = { services: ['PIIS'] } as const;
const SBS = { services: ['SBS'] } as const;
const foreign = { foreign: true } as const;

/** The tppMessage codes; the code, not the HTTP status, decides the exit code. Source: guidelines 14.11. */
export const messageCodes: readonly MessageCodeFact[] = [
  message(
    'CERTIFICATE_INVALID',
    [401],
    config,
    'The certificate does not fit this call or its content is wrong.',
  ),
  message('CERTIFICATE_EXPIRED', [401], config, 'The certificate is past its last day.'),
  message('CERTIFICATE_BLOCKED', [401], config, 'The bank or the authority has blocked the certificate.'),
  message('CERTIFICATE_REVOKED', [401], config, 'The trust service provider has revoked the certificate.'),
  message('CERTIFICATE_REVOKE', [401], config, 'An early spelling of CERTIFICATE_REVOKED.', foreign),
  message('CERTIFICATE_MISSING', [401], config, 'The bank wants a certificate and got none.'),
  message('ROLE_INVALID', [401], config, 'The certificate is good but lacks the PSD2 role for this service.'),
  message('SIGNATURE_INVALID', [401], config, 'The signature, its key or its list of headers is wrong.'),
  message('SIGNATURE_MISSING', [401], config, 'The bank wants a signature and got none.'),
  message('REQUIRED_KID_MISSING', [401], config, 'The key identifier of the signature is missing.', PIS),
  message('KID_MISSING', [401], config, 'The key identifier of the signature is missing.', {
    ...PIS,
    ...foreign,
  }),
  message(
    'TIMESTAMP_INVALID',
    [400],
    config,
    'The Date of the request is too far from the clock of the bank.',
  ),
  message(
    'FORMAT_ERROR',
    [400],
    rejected,
    'A header or a field is malformed, or refers to what does not exist.',
  ),
  message('PARAMETER_NOT_CONSISTENT', [400], rejected, 'The query parameters contradict each other.'),
  message(
    'PARAMETER_NOT_SUPPORTED',
    [400],
    rejected,
    'The bank does not support one of the query parameters.',
  ),
  message('PERIOD_INVALID', [400], rejected, 'The requested period of time is out of bounds.'),
  message('SERVICE_INVALID', [400, 405], rejected, 'The service does not fit this resource or these data.'),
  message(
    'RESOURCE_UNKNOWN',
    [403, 404, 400],
    rejected,
    'The bank knows no such resource of this third party.',
  ),
  message('RESOURCE_EXPIRED', [403, 400], rejected, 'The resource existed but is no longer available.'),
  message(
    'RESOURCE_BLOCKED',
    [400],
    rejected,
    'The resource cannot be used now, e.g. it is in a signing basket.',
  ),
  message('SCA_METHOD_UNKNOWN', [400], rejected, 'The bank knows no such method for this customer.'),
  message('STATUS_INVALID', [409], rejected, 'The state of the resource allows no further authorisation.'),
  message('CONSENT_UNKNOWN', [403, 400], authNeeded, 'The consent is not known for this third party.'),
  message('CONSENT_INVALID', [401], authNeeded, 'The consent does not cover this access or is not valid.'),
  message('CONSENT_EXPIRED', [401], authNeeded, 'The consent has expired and must be renewed.'),
  message('TOKEN_UNKNOWN', [401], authNeeded, 'The access token is not known for this third party.'),
  message('TOKEN_INVALID', [401], authNeeded, 'The access token does not fit this resource.'),
  message('TOKEN_EXPIRED', [401], authNeeded, 'The access token has expired and must be renewed.'),
  message(
    'PSU_CREDENTIALS_INVALID',
    [401],
    declined,
    'The customer is unknown or blocked, or a secret was wrong.',
  ),
  message('CORPORATE_ID_INVALID', [401], declined, 'The identification of the company did not match.'),
  message('SERVICE_BLOCKED', [403], declined, 'The bank has blocked this service for the customer.'),
  message('SCA_INVALID', [400], declined, 'The authorisation has failed before; it cannot go on.', {
    since: '1.3.6',
  }),
  message('PRODUCT_INVALID', [403], rejected, 'This payment product is not for this customer.', PIS),
  message('PRODUCT_UNKNOWN', [404], rejected, 'The bank does not offer this payment product.', PIS),
  message('PAYMENT_FAILED', [400], rejected, 'The payment failed, e.g. for a risk check.', PIS),
  message('EXECUTION_DATE_INVALID', [400], rejected, 'The execution date is not possible.', PIS),
  message('CANCELLATION_INVALID', [405], declined, 'The payment can no longer be cancelled.', PIS),
  message('SESSIONS_NOT_SUPPORTED', [400], rejected, 'The bank does not support combined sessions.', AIS),
  message(
    'ACCESS_EXCEEDED',
    [429],
    throttled,
    'The accesses of today without the customer are used up.',
    AIS,
  ),
  message('REQUESTED_FORMATS_INVALID', [406], rejected, 'The bank does not offer the requested format.', {
    services: ['AIS', 'PIS'],
  }),
  message(
    'CARD_INVALID',
    [400],
    rejected,
    'The card number is unknown or not assigned to the account.',
    PIIS,
  ),
  message('NO_PIIS_ACTIVATION', [400], rejected, 'The account is not open for confirmations of funds.', PIIS),
  message('REFERENCE_MIX_INVALID', [400], rejected, 'These resources cannot be in one signing basket.', SBS),
  message('REFERENCE_STATUS_INVALID', [409], rejected, 'A member of the basket is already authorised.', SBS),
  message('WARNING', [200, 201, 202], ok, 'The call worked; the bank adds a remark.'),
  message('FUNDS_NOT_AVAILABLE', [200], ok, 'The call worked; the funds are not there.', {
    ...PIS,
    since: 'later',
  }),
  message('BENEFICIARY_WHITELISTING_REQUIRED', [201], ok, 'The beneficiary must be trusted first.', {
    ...PIS,
    since: 'later',
  }),
  message('UNAUTHORIZED', [401], authNeeded, 'The bank wants a token or a certificate.', foreign),
  message('FORBIDDEN', [403], rejected, 'The call is not allowed.', foreign),
  message('SERVICE_NOT_SUPPORTED', [406], rejected, 'The bank does not offer this service.', foreign),
  message('UNSUPPORTED_MEDIA_TYPE', [415], rejected, 'The bank does not take this content type.', foreign),
  message(
    'TRANSACTION_ID_INVALID',
    [400],
    rejected,
    'The transaction does not belong to the account.',
    foreign,
  ),
  message('INTERNAL_SERVER_ERROR', [500], bankError, 'The bank failed.', foreign),
  message('SERVICE_UNAVAILABLE', [503], bankError, 'The bank is not available.', foreign),
];
