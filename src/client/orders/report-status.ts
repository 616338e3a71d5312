import { defined } from '../../base/defined.ts';
import type {
  PaymentFacts,
  PaymentStatusEntry,
  StatusCount,
  StatusReason,
  StatusReport,
} from '../../standard/formats/payments/pain002.ts';
import { transactionStatus, transactionStatuses } from '../../standard/xs2a/codes.ts';

/** A payment or a whole batch of a bulk that the bank did not make. */
export interface Rejected extends PaymentFacts {
  /** Which batch it is, or is of; absent for a payment of a report with one batch. */
  paymentInformationId?: string;
  /** True where all of the batch is rejected. */
  batch?: true;
  endToEndIdentification?: string;
  /** Where there is no endToEndIdentification. */
  instructionIdentification?: string;
  uetr?: string;
  instructedAmount?: { readonly currency: string; readonly amount: string };
  reasons: readonly StatusReason[];
}

/**
 * A payment or a batch that is not rejected, and not accepted either, or of which the bank says why it has its status, or what became of
 * it.
 */
export interface Explained extends Omit<Rejected, 'batch'> {
  batch?: true;
  status?: string;
}

/**
 * The result of a status report: the status of the whole, the rejected parts, and where the report contradicts itself.
 */
export interface ReportStatus {
  transactionStatus?: string;
  rejected: readonly Rejected[];
  explained?: readonly Explained[];
  /** How many payments of the message have each status, where the bank says it. */
  counts?: readonly StatusCount[];
  contradictions?: readonly string[];
}

/** Derives the status of the whole from the parts, because some banks tell of each batch and not, or wrongly, of all. */
export function statusOfReport(report: StatusReport): ReportStatus {
  const { groupStatus, batches, payments, counts } = report;
  const contradictions: string[] = [];
  const parts = batches.map((batch, index) => {
    const name = `PmtInfSts ${batch.status ?? ''} of ${nameOf(batch, index)}`;
    const own = statusesOf([
      ...payments.filter((payment) => payment.batch === index),
      ...(batch.counts ?? []).filter(isCounted),
    ]);
    return statusOf(name, batch.status, own, contradictions);
  });
  const loose = statusesOf([
    ...payments.filter(({ batch }) => batch === undefined),
    ...(counts ?? []).filter(isCounted),
  ]);
  const known = [...parts, ...loose].filter((status) => status !== undefined);
  const explained = explainedOf(report);
  const whole = statusOf(`GrpSts ${groupStatus ?? ''}`, groupStatus, known, contradictions);
  return {
    ...defined({ transactionStatus: whole }),
    rejected: rejectedOf(report),
    ...(explained.length > 0 && { explained }),
    ...defined({ counts }),
    ...(contradictions.length > 0 && { contradictions }),
  };
}

/** Some banks count every status that there is, most of them with a nought. */
const isCounted = ({ number }: StatusCount) => !/^0+$/.test(number ?? '');

const statusesOf = (payments: readonly { status?: string }[]): string[] =>
  payments.flatMap(({ status }) => (status === undefined ? [] : [status]));

const nameOf = (
  { originalPaymentInformationId: id }: StatusReport['batches'][number],
  index: number,
): string => (id === undefined ? `batch ${String(index + 1)}` : `the batch ${JSON.stringify(id)}`);

/** The status of a group, from its own status and those of its listed parts, which need not be all. */
function statusOf(
  name: string,
  told: string | undefined,
  parts: readonly string[],
  contradictions: string[],
): string | undefined {
  if (told === undefined || parts.length === 0) return told ?? together(parts);
  if (contradicts(told, parts))
    contradictions.push(`${name} contradicts its parts: ${[...new Set(parts)].join(', ')}`);
  // The parts know best how far it is.
  if (sortOf(told) === 'good' && parts.every((part) => sortOf(part) === 'good')) return together(parts);
  return together([told, ...parts]);
}

type Sort = 'good' | 'bad' | 'partly' | 'open' | 'unknown';

function sortOf(status: string): Sort {
  switch (transactionStatus(status)?.kind) {
    case 'accepted':
    case 'settled':
      return 'good';
    case 'rejected':
    case 'cancelled':
      return 'bad';
    case 'partly':
      return 'partly';
    case 'received':
    case 'pending':
    case 'partly-authorised':
      return 'open';
    case undefined:
      return 'unknown';
  }
}

/** Unlisted parts may have any status, and an unknown status contradicts nothing. */
function contradicts(told: string, parts: readonly string[]): boolean {
  const sorts = parts.map(sortOf).filter((sort) => sort !== 'unknown');
  if (sorts.length === 0) return false;
  switch (sortOf(told)) {
    case 'good':
      return sorts.some((sort) => sort !== 'good');
    case 'bad':
      return sorts.some((sort) => sort !== 'bad');
    case 'partly':
      return !sorts.some((sort) => sort === 'bad' || sort === 'partly');
    case 'open':
      return !sorts.some((sort) => sort === 'open' || sort === 'bad');
    case 'unknown':
      return false;
  }
}

const progress = new Map<string, number>(transactionStatuses.map(({ code }, index) => [code, index]));

/**
 * The status of several parts together: the common one, or PART if only some are made. It is final only when every part
 * is, and good only if every status is known.
 */
function together(statuses: readonly string[]): string | undefined {
  const [first, ...others] = statuses;
  if (first === undefined || others.every((status) => status === first)) return first;
  const unknown = statuses.find((status) => sortOf(status) === 'unknown');
  if (unknown !== undefined) return unknown;
  const least = (of: readonly string[]) =>
    of.reduce((before, status) =>
      (progress.get(status) ?? 0) < (progress.get(before) ?? 0) ? status : before,
    );
  const open = statuses.filter((status) => sortOf(status) === 'open');
  if (open.length > 0) return least(open);
  if (statuses.every((status) => sortOf(status) === 'bad')) return 'RJCT';
  return statuses.every((status) => sortOf(status) === 'good') ? least(statuses) : 'PART';
}

function rejectedOf({ batches, payments }: StatusReport): Rejected[] {
  const several = batches.length > 1;
  const whole = batches.filter(isGone).map((batch) => batchOf(batch));
  const single = payments.filter(isRejected).map((payment) => paymentOf(payment, several));
  return [...whole, ...single];
}

const isGone = ({ status }: { status?: string }) => status === 'RJCT' || status === 'CANC';
const isRejected = ({ status }: { status?: string }) => status === 'RJCT';
const isNotAccepted = ({ status }: { status?: string }) => status !== undefined && sortOf(status) !== 'good';

/** What a bank tells of a payment besides what it was ordered as. */
const news = [
  'charges',
  'acceptedAt',
  'settlementDate',
  'bankReference',
  'clearingReference',
  'confirmedDate',
  'confirmedAmount',
] as const;

/** A bank also says why something waits or was changed, and what became of a payment that it made. */
function explainedOf({ batches, payments }: StatusReport): Explained[] {
  const several = batches.length > 1;
  const told = <T extends PaymentFacts & { status?: string; reasons: readonly StatusReason[] }>(
    parts: readonly T[],
    isTold: (part: T) => boolean,
    isLeft: (part: T) => boolean = () => false,
  ) =>
    parts.filter(
      (part) =>
        !isTold(part) &&
        (part.reasons.length > 0 || news.some((name) => part[name] !== undefined) || isLeft(part)),
    );
  const withStatus = <T extends Rejected>(part: T, status: string | undefined): T & Explained => ({
    ...part,
    ...defined({ status }),
  });
  return [
    ...told(batches, isGone).map((batch) => withStatus(batchOf(batch), batch.status)),
    ...told(payments, isRejected, isNotAccepted).map((payment) =>
      withStatus(paymentOf(payment, several), payment.status),
    ),
  ];
}

function batchOf({ originalPaymentInformationId: id, reasons }: StatusReport['batches'][number]): Rejected {
  return { ...defined({ paymentInformationId: id }), batch: true, reasons };
}

function paymentOf(
  {
    originalEndToEndId: endToEnd,
    originalInstructionId: instruction,
    originalUetr: uetr,
    originalPaymentInformationId: id,
    batch: _batch,
    status: _status,
    ...rest
  }: PaymentStatusEntry,
  several: boolean,
): Rejected {
  return {
    ...(several && id !== undefined && { paymentInformationId: id }),
    ...defined({ endToEndIdentification: endToEnd }),
    ...(endToEnd === undefined && instruction !== undefined && { instructionIdentification: instruction }),
    ...defined({ uetr }),
    ...rest,
  };
}
