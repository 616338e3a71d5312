/** Where each tppMessage code may stand: by HTTP status and service, with who says so and since when. */
import type { OperationId, Service } from './operations.ts';
import { always, both, inFile, inGuidelines, isIn, ofAdorsys } from './origin.ts';
import type { Framework, Origin } from './origin.ts';

/** One row: these codes come with these statuses in these services, or only in one operation of theirs. */
export interface CodePlace {
  readonly codes: readonly string[];
  readonly http: readonly number[];
  readonly services: readonly Service[];
  readonly operation?: OperationId;
  readonly origin: Origin;
}

/** All services, in the order of the guidelines. */
export const services: readonly Service[] = ['PIS', 'AIS', 'PIIS', 'SBS'];

const place = (
  http: readonly number[],
  of: readonly Service[],
  codes: readonly string[],
  origin: Origin = always,
): CodePlace => ({ http, services: of, codes, origin });

/**
 * The lists of the files by status and service (schemas MessageCode400_PIS and so on; consents are AIS), the spelling of the
 * guidelines where they differ, and what a dialect sends beyond. Source: files 1.3.3 to 1.3.12, guidelines 14.11.
 */
export const codePlaces: readonly CodePlace[] = [
  place([200, 201, 202], services, ['WARNING']),
  place([200], ['PIS'], ['FUNDS_NOT_AVAILABLE'], inFile('1.3.11')),
  place([201], ['PIS'], ['BENEFICIARY_WHITELISTING_REQUIRED'], inFile('1.3.9')),
  place([400], services, [
    ...['FORMAT_ERROR', 'PARAMETER_NOT_CONSISTENT', 'PARAMETER_NOT_SUPPORTED', 'SERVICE_INVALID'],
    ...['RESOURCE_UNKNOWN', 'RESOURCE_EXPIRED', 'RESOURCE_BLOCKED', 'TIMESTAMP_INVALID', 'PERIOD_INVALID'],
    ...['SCA_METHOD_UNKNOWN', 'CONSENT_UNKNOWN'],
  ]),
  place([400], services, ['SCA_INVALID'], both('1.3.6')),
  place([400], ['PIS'], ['PAYMENT_FAILED', 'EXECUTION_DATE_INVALID']),
  place([400], ['AIS'], ['SESSIONS_NOT_SUPPORTED']),
  place([400], ['PIIS'], ['CARD_INVALID', 'NO_PIIS_ACTIVATION']),
  place([400], ['SBS'], ['REFERENCE_MIX_INVALID']),
  place([401], services, [
    ...['CERTIFICATE_INVALID', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_BLOCKED', 'CERTIFICATE_MISSING'],
    ...['SIGNATURE_INVALID', 'SIGNATURE_MISSING', 'CORPORATE_ID_INVALID', 'PSU_CREDENTIALS_INVALID'],
    ...['CONSENT_INVALID', 'CONSENT_EXPIRED', 'TOKEN_UNKNOWN', 'TOKEN_INVALID', 'TOKEN_EXPIRED'],
  ]),
  place([401], services, ['CERTIFICATE_REVOKED'], inGuidelines('1.3.2')),
  place([401], services, ['CERTIFICATE_REVOKE'], inFile('1.3.2')),
  place([401], services, ['ROLE_INVALID'], { guidelines: '1.3.3', file: '1.3.4' }),
  place([401], ['PIS'], ['REQUIRED_KID_MISSING'], both(['1.3.2', '1.3.9'])),
  place([401], ['PIS'], ['KID_MISSING'], inFile('1.3.11')),
  place([403], services, ['CONSENT_UNKNOWN', 'SERVICE_BLOCKED', 'RESOURCE_UNKNOWN', 'RESOURCE_EXPIRED']),
  place([403], ['PIS'], ['PRODUCT_INVALID']),
  place([404], services, ['RESOURCE_UNKNOWN']),
  place([404], ['PIS'], ['PRODUCT_UNKNOWN']),
  place([405], services, ['SERVICE_INVALID']),
  { ...place([405], ['PIS'], ['CANCELLATION_INVALID']), operation: 'cancelPayment' },
  place([406], ['AIS'], ['REQUESTED_FORMATS_INVALID']),
  place([409], services, ['STATUS_INVALID']),
  place([409], ['SBS'], ['REFERENCE_STATUS_INVALID']),
  place([429], ['AIS'], ['ACCESS_EXCEEDED']),
  place([406], ['PIS'], ['REQUESTED_FORMATS_INVALID'], ofAdorsys),
  place([400], services, ['TRANSACTION_ID_INVALID'], ofAdorsys),
  place([401], services, ['UNAUTHORIZED'], ofAdorsys),
  place([403], services, ['FORBIDDEN'], ofAdorsys),
  place([406], services, ['SERVICE_NOT_SUPPORTED'], ofAdorsys),
  place([415], services, ['UNSUPPORTED_MEDIA_TYPE'], ofAdorsys),
  place([500], services, ['INTERNAL_SERVER_ERROR'], ofAdorsys),
  place([503], services, ['SERVICE_UNAVAILABLE'], ofAdorsys),
];

/** Returns the codes that a framework has for a status of an operation of the service; empty where such an answer has no body. */
export function codesAt(
  framework: Framework,
  { service, id }: { readonly service: Service; readonly id: OperationId },
  status: number,
): readonly string[] {
  return codePlaces
    .filter(
      (row) =>
        row.http.includes(status) &&
        row.services.includes(service) &&
        (row.operation ?? id) === id &&
        isIn(framework, row.origin),
    )
    .flatMap((row) => row.codes);
}
