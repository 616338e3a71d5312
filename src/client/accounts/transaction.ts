import { defined } from '../../base/defined.ts';
import { cleanLine } from '../../base/clean.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import type { JsonObject } from '../../standard/xs2a/json.ts';
import { readAccountData, unwrapped } from './counted-read.ts';
import type { AccountRead } from './counted-read.ts';

/** Reads one transaction by the link that its report gave, else by its id. Throws USAGE after a report without details. */
export async function readTransaction(
  reading: AccountRead,
  account: string,
  id: string,
): Promise<{ answer: Answer; transaction: JsonObject }> {
  const report = reading.consent?.consent?.reports?.[account];
  if (report !== undefined && report.media !== 'json' && report.media !== 'problem') {
    throw new ObkError({
      code: 'USAGE',
      title: 'Single transactions can be read only if the report is in JSON.',
      detail: `The last report of account ${account} came as ${report.media === 'xml' ? 'camt' : 'MT940'}.`,
      hint: [line`obk transactions list --account ${account} --accept json`],
    });
  }
  const href = report?.details?.[id];
  if (reading.target.profile.decode?.ids === 'unstable')
    reading.target.ports.notices.warn(
      cleanLine(
        `The bank gives a transaction another transactionId with each list (decode.ids): ${id} is good for the last one alone.`,
        300,
      ),
    );
  const answer = await readAccountData(reading, {
    operation: 'getTransactionDetails',
    params: { 'account-id': account, transactionId: id },
    ...defined({ href }),
  });
  // By the files from 1.3.8 on there is one wrapper inside the other; by their examples there is one.
  const inner = unwrapped(answer.json, 'transactionsDetails');
  return { answer, transaction: unwrapped(inner, 'transactionDetails') };
}
