/** The tppMessage codes with the exit code that each means. */
import { defined } from '../../base/defined.ts';
import { exitCodes } from '../../base/errors.ts';
import type { ExitCode } from '../../base/errors.ts';
import { codePlaces, services as allServices } from './message-places.ts';
import type { CodePlace } from './message-places.ts';
import type { Service } from './operations.ts';
import { sinceOf, sourceOf } from './origin.ts';
import type { Origin, Version } from './origin.ts';

/** One tppMessage code: where it stands, who says so and since when, and the exit code that it means. */
export interface MessageCodeFact {
  readonly code: string;
  readonly meaning: string;
  readonly exit: ExitCode;
  /** The HTTP statuses that it comes with, in rising order. */
  readonly http: readonly number[];
  /** Undefined for all services. */
  readonly services?: readonly Service[];
  readonly origin: Origin;
  /** Undefined for what no framework has. */
  readonly since?: Version;
  /** True for codes of no framework that a known server sends. */
  readonly foreign?: true;
  /** Every row of `codePlaces` that has it; those of a dialect come last. */
  readonly places: readonly CodePlace[];
}

const { config, authNeeded, rejected, declined, throttled, bankError, ok } = exitCodes;

const message = (code: string, exit: ExitCode, meaning: string): MessageCodeFact => {
  const places = codePlaces.filter(({ codes }) => codes.includes(code));
  const [first] = places;
  if (first === undefined) throw new Error(`${code} has no place`);
  const { origin } = first;
  const own = places.filter((place) => place.origin.dialect === origin.dialect);
  const services = allServices.filter((service) => own.some((place) => place.services.includes(service)));
  const since = sinceOf(origin);
  return {
    code,
    meaning,
    exit,
    http: [...new Set(own.flatMap(({ http }) => http))].sort((one, other) => one - other),
    ...(services.length < allServices.length && { services }),
    origin,
    ...defined({ since }),
    ...(sourceOf(origin) === 'dialect' && { foreign: true }),
    places,
  };
};

/** The tppMessage codes; the code, not the HTTP status, decides the exit code. Where each stands: `codePlaces`. */
export const messageCodes: readonly MessageCodeFact[] = [
  message('CERTIFICATE_INVALID', config, 'The certificate does not fit this call or its content is wrong.'),
  message('CERTIFICATE_EXPIRED', config, 'The certificate is past its last day.'),
  message('CERTIFICATE_BLOCKED', config, 'The bank or the authority has blocked the certificate.'),
  message('CERTIFICATE_REVOKED', config, 'The trust service provider has revoked the certificate.'),
  message(
    'CERTIFICATE_REVOKE',
    config,
    'The same as CERTIFICATE_REVOKED, as the files of the framework spell it.',
  ),
  message('CERTIFICATE_MISSING', config, 'The bank wants a certificate and got none.'),
  message('ROLE_INVALID', config, 'The certificate is good but lacks the PSD2 role for this service.'),
  message('SIGNATURE_INVALID', config, 'The signature, its key or its list of headers is wrong.'),
  message('SIGNATURE_MISSING', config, 'The bank wants a signature and got none.'),
  message('REQUIRED_KID_MISSING', config, 'The key identifier of the signature is missing.'),
  message(
    'KID_MISSING',
    config,
    'The key identifier of the signature is missing; formerly named REQUIRED_KID_MISSING.',
  ),
  message('TIMESTAMP_INVALID', config, 'The Date of the request is too far from the clock of the bank.'),
  message(
    'FORMAT_ERROR',
    rejected,
    'A header or a field is malformed, or refers to something that does not exist.',
  ),
  message('PARAMETER_NOT_CONSISTENT', rejected, 'The query parameters contradict each other.'),
  message('PARAMETER_NOT_SUPPORTED', rejected, 'The bank does not support one of the query parameters.'),
  message('PERIOD_INVALID', rejected, 'The requested period of time is out of bounds.'),
  message('SERVICE_INVALID', rejected, 'The service does not fit this resource or these data.'),
  message('RESOURCE_UNKNOWN', rejected, 'The bank knows no such resource of this third party.'),
  message('RESOURCE_EXPIRED', rejected, 'The resource existed but is no longer available.'),
  message('RESOURCE_BLOCKED', rejected, 'The resource cannot be used now, e.g. it is in a signing basket.'),
  message('SCA_METHOD_UNKNOWN', rejected, 'The bank knows no such method for this customer.'),
  message('STATUS_INVALID', rejected, 'The state of the resource allows no further authorisation.'),
  message('CONSENT_UNKNOWN', authNeeded, 'The consent is not known for this third party.'),
  message('CONSENT_INVALID', authNeeded, 'The consent does not cover this access or is not valid.'),
  message('CONSENT_EXPIRED', authNeeded, 'The consent has expired and must be renewed.'),
  message('TOKEN_UNKNOWN', authNeeded, 'The access token is not known for this third party.'),
  message('TOKEN_INVALID', authNeeded, 'The access token does not fit this resource.'),
  message('TOKEN_EXPIRED', authNeeded, 'The access token has expired and must be renewed.'),
  message('PSU_CREDENTIALS_INVALID', declined, 'The customer is unknown or blocked, or a secret was wrong.'),
  message('CORPORATE_ID_INVALID', declined, 'The identification of the company did not match.'),
  message('SERVICE_BLOCKED', declined, 'The bank has blocked this service for the customer.'),
  message('SCA_INVALID', declined, 'The authorisation has failed before; it cannot be continued.'),
  message('PRODUCT_INVALID', rejected, 'This payment product is not for this customer.'),
  message('PRODUCT_UNKNOWN', rejected, 'The bank does not offer this payment product.'),
  message('PAYMENT_FAILED', rejected, 'The payment failed, e.g. for a risk check.'),
  message('EXECUTION_DATE_INVALID', rejected, 'The execution date is not possible.'),
  message('CANCELLATION_INVALID', declined, 'The payment can no longer be cancelled.'),
  message('SESSIONS_NOT_SUPPORTED', rejected, 'The bank does not support combined sessions.'),
  message(
    'ACCESS_EXCEEDED',
    throttled,
    'The accesses that the consent allows are used up: those of a day without the customer, or its only one.',
  ),
  message('REQUESTED_FORMATS_INVALID', rejected, 'The bank does not offer the requested format.'),
  message('CARD_INVALID', rejected, 'The card number is unknown or not assigned to the account.'),
  message('NO_PIIS_ACTIVATION', rejected, 'The account is not open for confirmations of funds.'),
  message('REFERENCE_MIX_INVALID', rejected, 'These resources cannot be in one signing basket.'),
  message('REFERENCE_STATUS_INVALID', rejected, 'A member of the basket is already authorised.'),
  message('WARNING', ok, 'The call worked; the bank adds a remark.'),
  message('FUNDS_NOT_AVAILABLE', ok, 'The call worked; the funds are not there.'),
  message('BENEFICIARY_WHITELISTING_REQUIRED', ok, 'The beneficiary must be trusted first.'),
  message('UNAUTHORIZED', authNeeded, 'The bank wants a token or a certificate.'),
  message('FORBIDDEN', rejected, 'The call is not allowed.'),
  message('SERVICE_NOT_SUPPORTED', rejected, 'The bank does not offer this service.'),
  message('UNSUPPORTED_MEDIA_TYPE', rejected, 'The bank does not take this content type.'),
  message('TRANSACTION_ID_INVALID', rejected, 'The transaction does not belong to the account.'),
  message('INTERNAL_SERVER_ERROR', bankError, 'The bank failed.'),
  message('SERVICE_UNAVAILABLE', bankError, 'The bank is not available.'),
];
