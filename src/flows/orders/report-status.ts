import type { PaymentStatusEntry, StatusReason, StatusReport } from '../../formats/pain002.ts';
import { transactionStatus, transactionStatuses } from '../../xs2a/codes.ts';

/** A payment or a whole batch of a bulk that the bank did not make. */
export interface Rejected {
  /** Which batch it is, or is of; absent for a payment of a report with one batch. */
  paymentInformationId?: string;
  /** True where all of the batch is rejected. */
  batch?: true;
  endToEndIdentification?: string;
  instructedAmount?: { readonly currency: string; readonly amount: string };
  reasons: readonly StatusReason[];
}

/**
 * The result of a status report: the status of the whole, the rejected parts, and where the report contradicts itself.
 */
export interface ReportStatus {
  transactionStatus?: string;
  rejected: readonly Rejected[];
  contradictions?: readonly string[];
}

/** Derives the status of the whole from the parts, because some banks tell of each batch and not, or wrongly, of all. */
export function statusOfReport(report: StatusReport): ReportStatus {
  const { groupStatus, batches, payments } = report;
  const contradictions: string[] = [];
  const parts = batches.map((batch, index) => {
    const name = `PmtInfSts ${batch.status ?? ''} of ${nameOf(batch, index)}`;
    const own = statusesOf(payments.filter((payment) => payment.batch === index));
    return statusOf(name, batch.status, own, contradictions);
  });
  const loose = statusesOf(payments.filter(({ batch }) => batch === undefined));
  const known = [...parts, ...loose].filter((status) => status !== undefined);
  const whole = statusOf(`GrpSts ${groupStatus ?? ''}`, groupStatus, known, contradictions);
  return {
    ...(whole !== undefined && { transactionStatus: whole }),
    rejected: rejectedOf(report),
    ...(contradictions.length > 0 && { contradictions }),
  };
}

const statusesOf = (payments: readonly PaymentStatusEntry[]): string[] =>
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
  const whole = batches
    .filter(({ status }) => status === 'RJCT' || status === 'CANC')
    .map(({ originalPaymentInformationId: id, reasons }) => ({
      ...(id !== undefined && { paymentInformationId: id }),
      batch: true as const,
      reasons,
    }));
  const single = payments
    .filter(({ status }) => status === 'RJCT')
    .map(({ originalEndToEndId, originalPaymentInformationId: id, instructedAmount, reasons }) => ({
      ...(several && id !== undefined && { paymentInformationId: id }),
      ...(originalEndToEndId !== undefined && { endToEndIdentification: originalEndToEndId }),
      ...(instructedAmount !== undefined && { instructedAmount }),
      reasons,
    }));
  return [...whole, ...single];
}
