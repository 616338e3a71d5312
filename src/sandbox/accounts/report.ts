import type { AccountCall } from './account-calls.ts';
import type { ReportQuery } from './report-query.ts';
import type { SeenAccount } from '../stores/seen-accounts.ts';

/** What a report is about. */
export interface Report {
  read: AccountCall;
  account: SeenAccount;
  query: ReportQuery;
}
