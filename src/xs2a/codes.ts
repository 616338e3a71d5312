/** The code lists of the interface with meaning and finality; every list is open for what a bank adds. */
import { exitCodes } from '../errors.ts';
import type { ExitCode } from '../errors.ts';
import type { Service } from './operations.ts';
import type { Framework } from './variants.ts';

/** From which framework a code is known; `later` means after 1.3.6. */
export type Since = Framework | 'later';

/** The 14 codes of transactionStatus. */
export type TransactionStatus =
  | 'RCVD'
  | 'PDNG'
  | 'PATC'
  | 'ACTC'
  | 'ACWC'
  | 'ACCP'
  | 'ACFC'
  | 'ACSP'
  | 'ACSC'
  | 'ACCC'
  | 'ACWP'
  | 'RJCT'
  | 'CANC'
  | 'PART';

/** What a transactionStatus amounts to; only `settled`, `rejected`, `cancelled` and `partly` are final. */
export type TransactionKind =
  'received' | 'pending' | 'partly-authorised' | 'accepted' | 'settled' | 'rejected' | 'cancelled' | 'partly';

/** One transactionStatus: ISO 20022 name, meaning here, and whether it can still change. */
export interface TransactionStatusFact {
  readonly code: TransactionStatus;
  readonly name: string;
  readonly meaning: string;
  readonly kind: TransactionKind;
  readonly final: boolean;
  readonly since: Since;
}

const status = (
  code: TransactionStatus,
  name: string,
  kind: TransactionKind,
  meaning: string,
): TransactionStatusFact => ({
  code,
  name,
  meaning,
  kind,
  final: kind === 'settled' || kind === 'rejected' || kind === 'cancelled' || kind === 'partly',
  since: '1.3.2',
});

/** All transactionStatus codes in their order of progress. Source: guidelines 4.14, ISO 20022. */
export const transactionStatuses: readonly TransactionStatusFact[] = [
  status('RCVD', 'Received', 'received', 'The bank has the payment; nothing is authorised yet.'),
  status('PDNG', 'Pending', 'pending', 'The bank is still checking; the next status is not reached.'),
  status(
    'PATC',
    'PartiallyAcceptedTechnicalCorrect',
    'partly-authorised',
    'At least one authorisation is done, but not all that are needed.',
  ),
  status(
    'ACTC',
    'AcceptedTechnicalValidation',
    'accepted',
    'Authentication, syntax and semantics are in order.',
  ),
  status(
    'ACWC',
    'AcceptedWithChange',
    'accepted',
    'Accepted, but the bank changed something, such as the date.',
  ),
  status(
    'ACCP',
    'AcceptedCustomerProfile',
    'accepted',
    'The check of the customer profile succeeded as well.',
  ),
  status('ACFC', 'AcceptedFundsChecked', 'accepted', 'The automatic check of the funds succeeded as well.'),
  status('ACSP', 'AcceptedSettlementInProcess', 'accepted', 'The bank has begun to book the payment.'),
  status('ACWP', 'AcceptedWithoutPosting', 'accepted', 'Accepted, but not yet posted at the creditor.'),
  status('ACSC', 'AcceptedSettlementCompleted', 'settled', 'Booked on the account of the debtor.'),
  status('ACCC', 'AcceptedSettlementCompletedCreditor', 'settled', 'Booked on the account of the creditor.'),
  status('RJCT', 'Rejected', 'rejected', 'The bank rejected the payment, or its authorisation failed.'),
  status('CANC', 'Cancelled', 'cancelled', 'The payment was cancelled before it was executed.'),
  status(
    'PART',
    'PartiallyAccepted',
    'partly',
    'All authorisations are done, but some entries of the bulk are rejected.',
  ),
];

const afterAccepted = ['ACFC', 'ACSP', 'ACWP', 'ACSC', 'ACCC', 'PART', 'PDNG', 'RJCT', 'CANC'] as const;
const fromOpen = ['ACTC', 'ACWC', 'ACCP', ...afterAccepted] as const;

/** The legal moves of a transactionStatus; steps may be skipped, never taken back. Source: guidelines 4.14. */
export const transactionMoves: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  RCVD: ['PATC', ...fromOpen],
  PATC: fromOpen,
  PDNG: ['PATC', ...fromOpen],
  ACTC: ['ACCP', ...afterAccepted],
  ACWC: ['ACCP', ...afterAccepted],
  ACCP: afterAccepted,
  ACFC: ['ACSP', 'ACWP', 'ACSC', 'ACCC', 'PART', 'PDNG', 'RJCT', 'CANC'],
  ACSP: ['ACWP', 'ACSC', 'ACCC', 'PART', 'PDNG', 'RJCT'],
  ACWP: ['ACSC', 'ACCC', 'PART', 'RJCT'],
  ACSC: ['ACCC'],
  ACCC: [],
  RJCT: [],
  CANC: [],
  PART: [],
};

/** The statuses of a signing basket: emitted by the guidelines (8.3), and also accepted from the schema's list. */
export const basketStatuses = {
  emitted: ['RCVD', 'PATC', 'ACTC', 'CANC', 'RJCT'],
  accepted: ['RCVD', 'PATC', 'ACTC', 'ACSC', 'CANC', 'RJCT'],
} as const satisfies Record<string, readonly TransactionStatus[]>;

/** The nine codes of scaStatus. */
export type ScaStatus =
  | 'received'
  | 'psuIdentified'
  | 'psuAuthenticated'
  | 'scaMethodSelected'
  | 'started'
  | 'unconfirmed'
  | 'finalised'
  | 'failed'
  | 'exempted';

/** One scaStatus: meaning, whether it is the end, and whether that end is a success. */
export interface ScaStatusFact {
  readonly code: ScaStatus;
  readonly meaning: string;
  readonly final: boolean;
  readonly success: boolean;
  readonly since: Since;
}

const sca = (code: ScaStatus, meaning: string, end?: 'success' | 'failure'): ScaStatusFact => ({
  code,
  meaning,
  final: end !== undefined,
  success: end === 'success',
  since: code === 'unconfirmed' ? '1.3.6' : '1.3.2',
});

/** All scaStatus codes in their order of progress. Source: guidelines 14.16. */
export const scaStatuses: readonly ScaStatusFact[] = [
  sca('received', 'The authorisation exists; the customer is not known to it yet.'),
  sca('psuIdentified', 'The customer is identified.'),
  sca('psuAuthenticated', 'The first factor or a token was accepted.'),
  sca('scaMethodSelected', 'A method was chosen, or the only one is implied.'),
  sca('started', 'The strong customer authentication is running.'),
  sca('unconfirmed', 'The customer is done; the confirmation by the third party is outstanding.'),
  sca('finalised', 'The authorisation is complete.', 'success'),
  sca('failed', 'The authorisation failed.', 'failure'),
  sca('exempted', 'No strong customer authentication was needed; the authorisation is complete.', 'success'),
];

/** The legal moves of a scaStatus. Source: protocol 2.2. */
export const scaMoves: Readonly<Record<ScaStatus, readonly ScaStatus[]>> = {
  received: [
    'psuIdentified',
    'psuAuthenticated',
    'scaMethodSelected',
    'started',
    'unconfirmed',
    'finalised',
    'exempted',
    'failed',
  ],
  psuIdentified: [
    'psuAuthenticated',
    'scaMethodSelected',
    'started',
    'unconfirmed',
    'finalised',
    'exempted',
    'failed',
  ],
  psuAuthenticated: ['scaMethodSelected', 'started', 'unconfirmed', 'finalised', 'exempted', 'failed'],
  scaMethodSelected: ['started', 'unconfirmed', 'finalised', 'failed'],
  started: ['unconfirmed', 'finalised', 'failed'],
  unconfirmed: ['finalised', 'failed'],
  finalised: [],
  failed: [],
  exempted: [],
};

/** The seven codes of consentStatus. */
export type ConsentStatus =
  'received' | 'rejected' | 'partiallyAuthorised' | 'valid' | 'revokedByPsu' | 'expired' | 'terminatedByTpp';

/** One consentStatus: meaning, whether it is the end, and whether accounts may be read with it. */
export interface ConsentStatusFact {
  readonly code: ConsentStatus;
  readonly meaning: string;
  readonly final: boolean;
  readonly usable: boolean;
  readonly since: Since;
}

/** All consentStatus codes. Source: guidelines 14.15. */
export const consentStatuses: readonly ConsentStatusFact[] = [
  {
    code: 'received',
    meaning: 'The bank has the consent; it is not authorised yet.',
    final: false,
    usable: false,
    since: '1.3.2',
  },
  {
    code: 'partiallyAuthorised',
    meaning: 'Some of the authorisations that are needed are done.',
    final: false,
    usable: false,
    since: '1.3.6',
  },
  { code: 'valid', meaning: 'Accounts may be read with it.', final: false, usable: true, since: '1.3.2' },
  {
    code: 'rejected',
    meaning: 'The authorisation failed or ran out of time.',
    final: true,
    usable: false,
    since: '1.3.2',
  },
  {
    code: 'revokedByPsu',
    meaning: 'The customer withdrew it at the bank.',
    final: true,
    usable: false,
    since: '1.3.2',
  },
  {
    code: 'expired',
    meaning: 'Its last day has passed, or it was for one use and is used up.',
    final: true,
    usable: false,
    since: '1.3.2',
  },
  {
    code: 'terminatedByTpp',
    meaning: 'Deleted by the third party, or replaced by its newer recurring consent.',
    final: true,
    usable: false,
    since: '1.3.2',
  },
];

/** The legal moves of a consentStatus. Source: protocol 2.3. */
export const consentMoves: Readonly<Record<ConsentStatus, readonly ConsentStatus[]>> = {
  received: ['partiallyAuthorised', 'valid', 'rejected', 'terminatedByTpp', 'expired'],
  partiallyAuthorised: ['valid', 'rejected', 'terminatedByTpp', 'expired'],
  valid: ['expired', 'revokedByPsu', 'terminatedByTpp'],
  rejected: [],
  revokedByPsu: [],
  expired: [],
  terminatedByTpp: [],
};

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

/** A plain code list: what each value means. */
export interface ListedCode {
  readonly code: string;
  readonly meaning: string;
  readonly since: Since;
  /** The last framework that still has it. */
  readonly until?: Framework;
}

const listed = (code: string, meaning: string, since: Since = '1.3.2'): ListedCode => ({
  code,
  meaning,
  since,
});

/** authenticationType, an open list. */
export const authenticationTypes: readonly ListedCode[] = [
  listed('SMS_OTP', 'A one-time password by text message.'),
  listed('CHIP_OTP', 'A one-time password made by a chip card reader.'),
  listed('PHOTO_OTP', 'A one-time password read from a picture.'),
  listed('PUSH_OTP', 'A one-time password or an approval in an app.'),
  listed('SMTP_OTP', 'A one-time password by electronic mail.', 'later'),
];

/** otpFormat. */
export const otpFormats: readonly ListedCode[] = [
  listed('characters', 'Letters and digits.'),
  listed('integer', 'Digits only.'),
];

/** ASPSP-SCA-Approach; integrated OAuth is told as REDIRECT. */
export const scaApproaches: readonly ListedCode[] = [
  listed('EMBEDDED', 'The secrets of the customer travel through the third party.'),
  listed('REDIRECT', 'The customer approves on a page of the bank.'),
  listed('DECOUPLED', 'The customer approves in an app of the bank.'),
];

/** balanceType. */
export const balanceTypes: readonly ListedCode[] = [
  listed('closingBooked', 'Booked balance at the end of a period.'),
  listed('expected', 'Booked and known pending items at the time of the request.'),
  { ...listed('authorised', 'The expected balance with a credit line.'), until: '1.3.2' },
  listed('openingBooked', 'Booked balance at the beginning of a period.'),
  listed('interimAvailable', 'Available balance within the day.'),
  listed('interimBooked', 'Booked balance within the day.'),
  listed('forwardAvailable', 'Available balance on a date to come.'),
  listed('nonInvoiced', 'Not yet invoiced; card accounts only.'),
];

/** bookingStatus of a transaction query. */
export const bookingStatuses: readonly ListedCode[] = [
  listed('booked', 'Booked transactions.'),
  listed('pending', 'Transactions that are not booked yet.'),
  listed('both', 'Booked and pending transactions.'),
  listed('information', 'Standing orders; JSON only.', '1.3.6'),
  listed('all', 'Booked, pending and information.', 'later'),
];

/** frequency of a standing order. */
export const frequencies: readonly ListedCode[] = [
  listed('Daily', 'Every day.'),
  listed('Weekly', 'Every week.'),
  listed('EveryTwoWeeks', 'Every two weeks.'),
  listed('Monthly', 'Every month.'),
  listed('EveryTwoMonths', 'Every two months.'),
  listed('Quarterly', 'Every three months.'),
  listed('SemiAnnual', 'Every six months.'),
  listed('Annual', 'Every year.'),
  listed('MonthlyVariable', 'In the listed months.', '1.3.6'),
];

/** executionRule of a standing order. */
export const executionRules: readonly ListedCode[] = [
  listed('following', 'On the next banking day.'),
  listed('preceding', 'On the banking day before.'),
];

/** chargeBearer. */
export const chargeBearers: readonly ListedCode[] = [
  listed('DEBT', 'The debtor bears all charges.'),
  listed('CRED', 'The creditor bears all charges.'),
  listed('SHAR', 'Each side bears its own charges.'),
  listed('SLEV', 'As the scheme says.'),
];

/** status of an account; absent means available. */
export const accountStatuses: readonly ListedCode[] = [
  listed('enabled', 'The account is available.'),
  listed('deleted', 'The account is closed.'),
  listed('blocked', 'The account is blocked, e.g. for legal reasons.'),
];

/** The value of the all-accounts forms of a consent. */
export const allAccountsValues: readonly ListedCode[] = [
  listed('allAccounts', 'All accounts.'),
  listed('allAccountsWithOwnerName', 'All accounts, with the names of their owners.', '1.3.6'),
];

/** Gives the values of a list that a framework knows. */
export function valuesIn(framework: Framework, list: readonly ListedCode[]): readonly string[] {
  return list.filter((row) => isKnown(framework, row)).map((row) => row.code);
}

function isKnown(framework: Framework, row: ListedCode): boolean {
  if (framework === '1.3.2') return row.since === '1.3.2';
  return row.since !== 'later' && row.until !== '1.3.2';
}

const byCode = <Fact extends { readonly code: string }>(facts: readonly Fact[]): ReadonlyMap<string, Fact> =>
  new Map(facts.map((fact) => [fact.code, fact]));

const transactionByCode = byCode(transactionStatuses);
const scaByCode = byCode(scaStatuses);
const consentByCode = byCode(consentStatuses);
const messageByCode = byCode(messageCodes);

/** Gives what is known of a transactionStatus, or undefined for a code that nobody lists. */
export function transactionStatus(code: string): TransactionStatusFact | undefined {
  return transactionByCode.get(code);
}

/** Gives what is known of a scaStatus, or undefined for a code that nobody lists. */
export function scaStatus(code: string): ScaStatusFact | undefined {
  return scaByCode.get(code);
}

/** Gives what is known of a consentStatus, or undefined for a code that nobody lists. */
export function consentStatus(code: string): ConsentStatusFact | undefined {
  return consentByCode.get(code);
}

/** Gives what is known of a tppMessage code, or undefined for a code that nobody lists. */
export function messageCode(code: string): MessageCodeFact | undefined {
  return messageByCode.get(code);
}

/** Tells whether a transactionStatus can no longer change; an unknown code is never final. */
export function isFinalTransaction(code: string): boolean {
  return transactionByCode.get(code)?.final ?? false;
}

/** Tells whether a transactionStatus means that the bank took the payment; an unknown code never does. */
export function isAcceptedTransaction(code: string): boolean {
  const kind = transactionByCode.get(code)?.kind;
  return kind === 'accepted' || kind === 'settled';
}

/** Tells whether an authorisation is over; an unknown code is never final. */
export function isFinalSca(code: string): boolean {
  return scaByCode.get(code)?.final ?? false;
}

/** Tells whether an authorisation succeeded (finalised or exempted); an unknown code never did. */
export function isSuccessfulSca(code: string): boolean {
  return scaByCode.get(code)?.success ?? false;
}

/** Tells whether a consent can no longer change; an unknown code is never final. */
export function isFinalConsent(code: string): boolean {
  return consentByCode.get(code)?.final ?? false;
}

/** Tells whether accounts may be read with a consent; an unknown code is not usable. */
export function isUsableConsent(code: string): boolean {
  return consentByCode.get(code)?.usable ?? false;
}

/** Tells whether a transactionStatus may become another one; staying is legal, unknown codes never are. */
export function isLegalMove(from: string, to: string): boolean {
  const known = transactionByCode.get(from);
  if (known === undefined) return false;
  return from === to || transactionMoves[known.code].some((code) => code === to);
}
