import { ObkError } from '../errors.ts';
import type { TransactionRow } from '../formats/transaction-row.ts';
import type { SavedReport } from '../ports.ts';
import type { Answer } from '../xs2a/answer.ts';
import { resolveHref } from '../xs2a/links.ts';
import { operation } from '../xs2a/operations.ts';
import { buildPath } from '../xs2a/request.ts';
import type { JsonObject } from '../xs2a/json.ts';
import { linksOf } from './dialect.ts';
import { readAccountData, unwrapped } from './read.ts';
import type { Reading } from './read.ts';
import { idOf } from './transactions.ts';
import type { ReportPage } from './transactions.ts';

/** Details links that are kept of one account; a report may have a million. */
const mostKept = 1_000;

/** Keeps with the consent how an account was reported, and those links to details that nobody could build. */
export async function keepReport(
  reading: Reading,
  account: string,
  pages: readonly ReportPage[],
): Promise<void> {
  const { target, consent } = reading;
  const [first] = pages;
  if (first === undefined || consent.consent === undefined) return;
  const details: Record<string, string> = {};
  for (const row of pages.flatMap(({ rows }) => rows)) {
    if (Object.keys(details).length >= mostKept) break;
    const id = idOf(row);
    if (id !== undefined && row.details !== undefined && !isUsual(reading, account, id, row)) {
      details[id] = row.details;
    }
  }
  const report: SavedReport = {
    media: first.answer.media,
    ...(Object.keys(details).length > 0 && { details }),
  };
  const reports = { ...consent.consent.reports, [account]: report };
  if (JSON.stringify(reports) === JSON.stringify(consent.consent.reports)) return;
  reading.consent = { ...consent, consent: { ...consent.consent, reports } };
  await target.ports.store.saveResource(reading.consent);
}

/** Whether the link is the one that the table of operations gives as well. */
function isUsual(
  { target }: Reading,
  account: string,
  id: string,
  { details = '' }: TransactionRow,
): boolean {
  const params = { 'account-id': account, transactionId: id };
  const op = operation('getTransactionDetails');
  const policy = linksOf(target, op);
  const resolved = resolveHref(details, policy);
  return resolved.ok && resolved.url === policy.base + buildPath(target.variant, op, params);
}

/** Reads one transaction by the link that its report gave, else by its id. Throws USAGE after a report without details. */
export async function readTransaction(
  reading: Reading,
  account: string,
  id: string,
): Promise<{ answer: Answer; transaction: JsonObject }> {
  const report = reading.consent.consent?.reports?.[account];
  if (report !== undefined && report.media !== 'json' && report.media !== 'problem') {
    throw new ObkError({
      code: 'USAGE',
      title: 'Single transactions can be read only of reports in JSON.',
      detail: `The last report of account ${account} came as ${report.media === 'xml' ? 'camt' : 'MT940'}.`,
      hint: [`obk transactions list --account ${account} --accept json`],
    });
  }
  const href = report?.details?.[id];
  const answer = await readAccountData(reading, {
    operation: 'getTransactionDetails',
    params: { 'account-id': account, transactionId: id },
    ...(href !== undefined && { href }),
  });
  return { answer, transaction: unwrapped(answer.json, 'transactionsDetails') };
}
