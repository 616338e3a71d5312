import { ObkError } from '../../base/errors.ts';
import type { TransactionRow } from '../../standard/formats/rows/transaction-row.ts';
import type { SavedReport } from '../../settings/records/resources.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { resolveHref } from '../../standard/xs2a/links.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { buildPath } from '../../standard/xs2a/request.ts';
import { linksOf } from '../exchange/addresses.ts';
import type { AccountRead } from './counted-read.ts';

/** Keeps with the consent how an account was reported, and the links to details that cannot be built from an id. */
export interface ReportKeeper {
  answered(answer: Answer): void;
  row(row: TransactionRow): void;
  /** The rows were read; that they can be found again is not worth an error. */
  save(): Promise<void>;
}

/** Details links that are kept of one account, the newest; a report may have a million. */
const mostKept = 1_000;

/** The id of a transaction, or what a bank sends in place of one. */
export function idOf({ transactionId, resourceId, entryReference }: TransactionRow): string | undefined {
  return transactionId ?? resourceId ?? entryReference;
}

export function keeperOf(reading: AccountRead, account: string): ReportKeeper {
  const before = reading.consent?.consent?.reports?.[account];
  // Ids that change with each list would lead to another transaction, or to none.
  const isStable = reading.target.profile.decode?.ids !== 'unstable';
  const details = new Map(Object.entries((isStable ? before?.details : undefined) ?? {}));
  const isUsual = usualLinks(reading, account);
  let media = before?.media;
  return {
    answered(answer) {
      ({ media } = answer);
    },
    row(row) {
      const id = idOf(row);
      if (id === undefined) return;
      details.delete(id);
      if (row.details === undefined || isUsual(id, row.details)) return;
      details.set(id, row.details);
      for (const oldest of details.keys()) {
        if (details.size <= mostKept) break;
        details.delete(oldest);
      }
    },
    async save() {
      if (reading.consent?.consent === undefined || media === undefined) return;
      const report: SavedReport = {
        media,
        ...(details.size > 0 && { details: Object.fromEntries(details) }),
      };
      if (JSON.stringify(report) === JSON.stringify(before)) return;
      const { name, ports } = reading.target;
      try {
        // While a long report was read, another process may have learned more of the consent.
        const saved = (await ports.resources.find(name, 'consent', reading.consent.id)) ?? reading.consent;
        const consent = saved.consent ?? reading.consent.consent;
        const reports = { ...consent.reports, [account]: report };
        reading.consent = { ...saved, consent: { ...consent, reports } };
        await ports.resources.save(reading.consent);
      } catch (error) {
        if (!(error instanceof ObkError)) throw error;
        ports.notices.warn(`The links to details were not kept: ${error.detail ?? error.title}`);
      }
    },
  };
}

/** Recognises links that equal those built from the table of operations, so they need not be kept. */
function usualLinks({ target }: AccountRead, account: string): (id: string, href: string) => boolean {
  const op = operation('getTransactionDetails');
  const policy = linksOf(target, op);
  // The links of a report differ by the id at their end: one of a million has to be taken apart.
  let known: string | undefined;
  return (id, href) => {
    const end = `/${encodeURIComponent(id)}`;
    const stem = href.endsWith(end) ? href.slice(0, -end.length) : undefined;
    if (stem !== undefined && stem === known) return true;
    const resolved = resolveHref(href, policy);
    const params = { 'account-id': account, transactionId: id };
    const isUsual = resolved.ok && resolved.url === policy.base + buildPath(target.variant, op, params);
    if (isUsual) known = stem;
    return isUsual;
  };
}
