import type { AccountCall } from './account-calls.ts';
import type { ReportQuery } from './report-query.ts';
import type { SeenAccount } from '../stores/seen-accounts.ts';

/** The content of a report. */
export interface Report {
  read: AccountCall;
  account: SeenAccount;
  query: ReportQuery;
}
