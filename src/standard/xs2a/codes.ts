/** The code lists of the interface with meaning and finality; every list is open for what a bank adds. */
import { messageCodes } from './message-codes.ts';
import type { MessageCodeFact } from './message-codes.ts';
import { always, both } from './origin.ts';
import type { Origin, Version } from './origin.ts';

export * from './code-lists.ts';
export { messageCodes };

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

const since132 = { origin: always, since: '1.3.2' } as const;
const since136 = { origin: both('1.3.6'), since: '1.3.6' } as const;

/** The kind of a transactionStatus; only `settled`, `rejected`, `cancelled` and `partly` are final. */
export type TransactionKind =
  'received' | 'pending' | 'partly-authorised' | 'accepted' | 'settled' | 'rejected' | 'cancelled' | 'partly';

/** One transactionStatus: ISO 20022 name, meaning here, and whether it can still change. */
export interface TransactionStatusFact {
  readonly code: TransactionStatus;
  readonly name: string;
  readonly meaning: string;
  readonly kind: TransactionKind;
  readonly final: boolean;
  readonly origin: Origin;
  readonly since: Version;
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
  ...since132,
});

/** All transactionStatus codes in their order of progress. Source: guidelines 4.14, ISO 20022. */
export const transactionStatuses: readonly TransactionStatusFact[] = [
  status('RCVD', 'Received', 'received', 'The bank has the payment; nothing is authorised yet.'),
  status('PDNG', 'Pending', 'pending', 'The bank is still checking; the next status is not reached yet.'),
  status(
    'PATC',
    'PartiallyAcceptedTechnicalCorrect',
    'partly-authorised',
    'At least one authorisation is done, but not all of those needed.',
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
  readonly origin: Origin;
  readonly since: Version;
}

const sca = (code: ScaStatus, meaning: string, end?: 'success' | 'failure'): ScaStatusFact => ({
  code,
  meaning,
  final: end !== undefined,
  success: end === 'success',
  ...(code === 'unconfirmed' ? since136 : since132),
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

/** The legal moves of a scaStatus, as its codes are described. Source: guidelines, table SCA Status. */
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
  readonly origin: Origin;
  readonly since: Version;
}

/** All consentStatus codes. Source: guidelines 14.15. */
export const consentStatuses: readonly ConsentStatusFact[] = [
  {
    code: 'received',
    meaning: 'The bank has the consent; it is not authorised yet.',
    final: false,
    usable: false,
    ...since132,
  },
  {
    code: 'partiallyAuthorised',
    meaning: 'Some of the needed authorisations are done.',
    final: false,
    usable: false,
    ...since136,
  },
  { code: 'valid', meaning: 'Accounts may be read with it.', final: false, usable: true, ...since132 },
  {
    code: 'rejected',
    meaning: 'The authorisation failed or ran out of time.',
    final: true,
    usable: false,
    ...since132,
  },
  {
    code: 'revokedByPsu',
    meaning: 'The customer withdrew it at the bank.',
    final: true,
    usable: false,
    ...since132,
  },
  {
    code: 'expired',
    meaning: 'Its last day has passed, or it was for one use and is used up.',
    final: true,
    usable: false,
    ...since132,
  },
  {
    code: 'terminatedByTpp',
    meaning: 'Deleted by the third party, or replaced by its newer recurring consent.',
    final: true,
    usable: false,
    ...since132,
  },
];

/** The legal moves of a consentStatus, as its codes are described. Source: guidelines, table Consent Status. */
export const consentMoves: Readonly<Record<ConsentStatus, readonly ConsentStatus[]>> = {
  received: ['partiallyAuthorised', 'valid', 'rejected', 'terminatedByTpp', 'expired'],
  partiallyAuthorised: ['valid', 'rejected', 'terminatedByTpp', 'expired'],
  valid: ['expired', 'revokedByPsu', 'terminatedByTpp'],
  rejected: [],
  revokedByPsu: [],
  expired: [],
  terminatedByTpp: [],
};

const byCode = <Fact extends { readonly code: string }>(facts: readonly Fact[]): ReadonlyMap<string, Fact> =>
  new Map(facts.map((fact) => [fact.code, fact]));

const transactionByCode = byCode(transactionStatuses);
const scaByCode = byCode(scaStatuses);
const consentByCode = byCode(consentStatuses);
const messageByCode = byCode(messageCodes);

/** Returns the facts of a transactionStatus, or undefined for an unlisted code. */
export function transactionStatus(code: string): TransactionStatusFact | undefined {
  return transactionByCode.get(code);
}

/** Returns the facts of a scaStatus, or undefined for an unlisted code. */
export function scaStatus(code: string): ScaStatusFact | undefined {
  return scaByCode.get(code);
}

/** Returns the facts of a consentStatus, or undefined for an unlisted code. */
export function consentStatus(code: string): ConsentStatusFact | undefined {
  return consentByCode.get(code);
}

/**
 * Where a status leaves a payment, consent or basket: still to be authorised or decided, authorised by some of several PSUs,
 * authorised, over without it, or in a word that is not in the list. Exits, waiting and the stop before unknown words follow from it.
 */
export type Standing = 'open' | 'partly' | 'authorised' | 'refused' | 'unknown';

const standings: Readonly<Record<TransactionKind | ConsentStatus, Standing>> = {
  received: 'open',
  pending: 'open',
  'partly-authorised': 'partly',
  accepted: 'authorised',
  settled: 'authorised',
  rejected: 'refused',
  cancelled: 'refused',
  partly: 'refused',
  partiallyAuthorised: 'partly',
  valid: 'authorised',
  revokedByPsu: 'refused',
  expired: 'refused',
  terminatedByTpp: 'refused',
};

/** Returns where a transactionStatus or consentStatus leaves its resource; undefined where the bank named none. */
export function standingOf(
  noun: 'payment' | 'consent' | 'basket',
  status: string | undefined,
): Standing | undefined {
  if (status === undefined) return undefined;
  const known = noun === 'consent' ? consentByCode.get(status)?.code : transactionByCode.get(status)?.kind;
  return known === undefined ? 'unknown' : standings[known];
}

/** Returns the facts of a tppMessage code, or undefined for an unlisted one. */
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

/** Tells whether a scaStatus is a word that is not in the list. */
export function isUnknownSca(code: string | undefined): boolean {
  return code !== undefined && !scaByCode.has(code);
}

/** Tells whether a consent can no longer change; an unknown code is never final. */
export function isFinalConsent(code: string): boolean {
  return consentByCode.get(code)?.final ?? false;
}

/** Tells whether accounts may be read with a consent; an unknown code is not usable. */
export function isUsableConsent(code: string): boolean {
  return consentByCode.get(code)?.usable ?? false;
}
