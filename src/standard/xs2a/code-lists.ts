/** The smaller code lists: methods, formats, balances, standing orders. */
import type { OperationId } from './operations.ts';
import { always, both, inFile, isIn, sinceOf } from './origin.ts';
import type { Framework, Origin, Version } from './origin.ts';

/** A value of a code list: what it means, who says so and since when. */
export interface ListedCode {
  readonly code: string;
  readonly meaning: string;
  readonly origin: Origin;
  /** The version that brought it. */
  readonly since: Version;
}

const listed = (code: string, meaning: string, origin: Origin = always): ListedCode => ({
  code,
  meaning,
  origin,
  since: sinceOf(origin) ?? '1.3.2',
});

/** authenticationType, closed in every file; what a bank adds is read all the same. */
export const authenticationTypes: readonly ListedCode[] = [
  listed('SMS_OTP', 'A one-time password by text message.'),
  listed('CHIP_OTP', 'A one-time password made by a chip card reader.'),
  listed('PHOTO_OTP', 'A one-time password read from a picture.'),
  listed('PUSH_OTP', 'A one-time password or an approval in an app.'),
  listed('SMTP_OTP', 'A one-time password by electronic mail.', inFile('1.3.8')),
];

/** balanceType. */
export const balanceTypes: readonly ListedCode[] = [
  listed('closingBooked', 'Booked balance at the end of a period.'),
  listed('expected', 'Booked and known pending items at the time of the request.'),
  listed('authorised', 'The expected balance with a credit line.', both(['1.3.2', '1.3.4'])),
  listed('openingBooked', 'Booked balance at the beginning of a period.'),
  listed('interimAvailable', 'Available balance during the day.'),
  listed('interimBooked', 'Booked balance during the day.'),
  listed('forwardAvailable', 'Available balance on a future date.'),
  listed('nonInvoiced', 'Not yet invoiced; card accounts only.'),
];

/** bookingStatus of a transaction query. */
export const bookingStatuses: readonly ListedCode[] = [
  listed('booked', 'Booked transactions.'),
  listed('pending', 'Transactions that are not booked yet.'),
  listed('both', 'Booked and pending transactions.'),
  listed('information', 'Standing orders; JSON only.', both('1.3.6')),
  listed('all', 'Booked, pending and information.', inFile('1.3.9')),
];

/** bookingStatus of a query of card transactions. */
export const cardBookingStatuses: readonly ListedCode[] = [
  listed('booked', 'Booked transactions.'),
  listed('pending', 'Transactions that are not booked yet.'),
  listed('both', 'Booked and pending transactions.'),
  listed('information', 'Standing orders; JSON only.', both(['1.3.6', '1.3.8'])),
];

/** Returns the bookingStatus list of an operation: that of card transactions is one of its own. */
export function bookingStatusesOf(operation: OperationId): readonly ListedCode[] {
  return operation === 'getCardAccountTransactionList' ? cardBookingStatuses : bookingStatuses;
}

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
  listed('MonthlyVariable', 'In the listed months.', both('1.3.6')),
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
  listed('allAccountsWithOwnerName', 'All accounts, with the names of their owners.', both('1.3.6')),
];

/** The value of availableAccounts, which has had one more until the form got a member of its own. */
export const availableAccountsValues: readonly ListedCode[] = [
  ...allAccountsValues,
  listed('allAccountsWithBalances', 'All accounts, with their balances.', inFile(['1.3.2', '1.3.3'])),
];

/** Returns the values of a list that a framework knows. */
export function valuesIn(framework: Framework, list: readonly ListedCode[]): readonly string[] {
  return list.filter((row) => isKnown(framework, row)).map((row) => row.code);
}

/** Tells whether a framework has a code; one that no list has (undefined) is not the framework's to forbid, and counts as known. */
export function isKnown(framework: Framework, code: Pick<ListedCode, 'origin'> | undefined): boolean {
  return code === undefined || isIn(framework, code.origin);
}
