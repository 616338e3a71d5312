import { defined } from '../../base/defined.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { ObkError } from '../../base/errors.ts';
import { checkIsoDate } from '../../standard/xs2a/check.ts';
import { bookingStatuses, valuesIn } from '../../standard/xs2a/code-lists.ts';
import { acceptHeaders } from '../../standard/xs2a/media.ts';
import { usualFramework, wireForm } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { addDays, isoDate } from '../consents/consent-body.ts';

/** Which transactions are asked for, as it is asked for by flags. */
export interface ReportOptions {
  dateFrom?: string;
  dateTo?: string;
  bookingStatus?: string;
  entryReferenceFrom?: string;
  delta?: boolean;
  withBalance?: boolean;
  /** All pages are wanted, so that a long time may be read window by window. */
  all?: boolean;
  /** Entries of a page, for a bank that counts its pages. */
  pageSize?: number;
}

const standardDays = 30;

/** The days before today that are asked for where nobody says which: no more than the bank gives. */
function usualDays({ maxDays = Infinity, windowDays = Infinity }: BankHistory = {}) {
  return Math.min(standardDays, maxDays, windowDays - 1);
}

type BankHistory = NonNullable<NonNullable<BankDescriptor['ais']>['history']>;

/** What a list is asked for by: the interface, the moment at the bank, what the bank says of its lists, and the consent. */
export interface ReportTerms {
  framework: Framework;
  now: Date;
  bank?: BankDescriptor['ais'];
  authorisedAt?: string | undefined;
}

/**
 * The query of a transaction list: booked ones of the last 30 days unless asked otherwise, the day being that of the bank.
 * Throws USAGE and INPUT_INVALID, each naming the flag.
 */
export function reportQuery(wish: ReportOptions, terms: ReportTerms): Record<string, string> {
  const { dateFrom, dateTo, entryReferenceFrom, delta = false } = wish;
  const { now, bank: { history } = {}, authorisedAt } = terms;
  const bookingStatus = bookingStatusOf(wish, terms);
  if (delta && entryReferenceFrom !== undefined)
    throw usage('--delta and --entry-reference-from cannot be given together.');
  checkDays(wish);
  const isNews = delta || entryReferenceFrom !== undefined;
  const isSplit = wish.all === true && bookingStatus === 'booked' && !isNews;
  needInHistory(wish, now, history, isSplit);
  needFresh(dateFrom, now, history, authorisedAt);
  // Standing orders have no dates; with a delta the bank knows where to begin.
  const isOpen = isNews || bookingStatus === 'information';
  const from = dateFrom ?? (isOpen ? undefined : usualBegin(dateTo, now, history));
  return {
    ...defined({ dateFrom: from, dateTo }),
    bookingStatus,
    ...defined({ entryReferenceFrom }),
    ...(delta && { deltaList: 'true' }),
    ...(wish.withBalance === true && { withBalance: 'true' }),
    ...(wish.pageSize !== undefined && { pageIndex: '0', itemsPerPage: String(wish.pageSize) }),
  };
}

/** The first day that is asked for where nobody says which. */
function usualBegin(dateTo: string | undefined, now: Date, history: BankHistory | undefined): string {
  const end = dateTo !== undefined && dateTo < isoDate(now) ? dayOf(dateTo) : now;
  return isoDate(addDays(end, -usualDays(history)));
}

const dayOf = (text: string) => new Date(`${text}T00:00:00Z`);

/** The booking status that is asked for; throws USAGE for one that the bank or the framework does not have. */
function bookingStatusOf(wish: ReportOptions, { framework, bank = {} }: ReportTerms): string {
  const taken: readonly string[] = bank.bookingStatus ?? [];
  const [best = 'booked'] = taken;
  const status = wish.bookingStatus ?? (taken.includes('booked') ? 'booked' : best);
  if (taken.length > 0 && !taken.includes(status))
    throw usage(`The bank takes --booking-status ${taken.join(', ')} alone (ais.bookingStatus).`);
  const known = valuesIn(framework, bookingStatuses);
  if (known.includes(status)) return status;
  const elsewhere = bookingStatuses.some(({ code }) => code === status);
  throw usage(
    elsewhere
      ? `--booking-status ${status} is not part of framework ${framework}.`
      : `--booking-status takes ${known.join(', ')}; not ${JSON.stringify(status)}.`,
    // What other programs call it.
    ...(status.toLowerCase() === 'all' ? ['--booking-status both'] : []),
  );
}

/** Throws USAGE for a time that the bank does not give, with one that it does. */
function needInHistory(
  { dateFrom: from, dateTo }: ReportOptions,
  now: Date,
  { maxDays, windowDays }: BankHistory = {},
  isSplit: boolean,
): void {
  const to = dateTo ?? isoDate(now);
  if (from === undefined) return;
  const first = maxDays === undefined ? undefined : isoDate(addDays(dayOf(isoDate(now)), -maxDays));
  if (first !== undefined && from < first)
    throw usage(
      `The bank gives the last ${String(maxDays)} days alone (ais.history).`,
      `--date-from ${first}`,
    );
  const last = windowDays === undefined ? undefined : isoDate(addDays(dayOf(from), windowDays - 1));
  if (last !== undefined && to > last && !isSplit)
    throw usage(
      `The bank gives ${String(windowDays)} days at once (ais.history).`,
      '--all --booking-status booked   # window by window, each a call of its own',
      `--date-from ${from} --date-to ${last}   # one window`,
    );
}

/** Days that are given however long ago the SCA was (RTS on SCA, article 10: the last 90 days). */
const plainDays = 90;

/** Throws CONSENT_NEEDED for days that the bank gives soon after the SCA of a consent alone. */
function needFresh(
  from: string | undefined,
  now: Date,
  { freshMinutes }: BankHistory = {},
  authorisedAt: string | undefined,
): void {
  const first = isoDate(addDays(now, -plainDays));
  if (from === undefined || freshMinutes === undefined || authorisedAt === undefined || from >= first) return;
  if (now.getTime() - Date.parse(authorisedAt) <= freshMinutes * 60_000) return;
  throw new ObkError({
    code: 'CONSENT_NEEDED',
    title: `The bank gives more than ${String(plainDays)} days within ${String(freshMinutes)} minutes after the SCA alone.`,
    detail: `The consent is usable since ${authorisedAt} (ais.history.freshMinutes); the request was not sent.`,
    hint: [`--date-from ${first}`, 'obk consent create --help   # a new consent gives all of it again'],
  });
}

function checkDays({ dateFrom, dateTo }: ReportOptions): void {
  checkDay('--date-from', dateFrom);
  checkDay('--date-to', dateTo);
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo)
    throw usage(`--date-from ${dateFrom} is after --date-to ${dateTo}.`);
}

function checkDay(flag: string, text: string | undefined): void {
  const checked = text === undefined ? { ok: true as const } : checkIsoDate(text);
  if (checked.ok) return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `${flag} ${JSON.stringify(text)} cannot be sent.`,
    detail: `${checked.why[0]?.toUpperCase() ?? ''}${checked.why.slice(1)}.`,
    hint: [`${flag} 2026-11-01`],
  });
}

const formats: Readonly<Record<string, string>> = {
  json: acceptHeaders.json,
  xml: acceptHeaders.xml,
  text: acceptHeaders.text,
  mt940: acceptHeaders.text,
  mt942: acceptHeaders.text,
};

/** The formats that banks usually offer, best first: JSON has the most detail, the others can be read as well. */
const usualAccept = 'application/json, application/xml;q=0.8, text/plain;q=0.5, application/text;q=0.4';

/** The formats in which entries are asked for: those of the bank, which are of accounts and not of cards. */
export const usualReport = ({ ais }: Pick<BankDescriptor, 'ais'>, kind: 'account' | 'card'): string =>
  (kind === 'card' ? undefined : acceptOfBank(ais)) ?? usualAccept;

/** The Accept of a format by its short name or media type, as a framework spells it; throws USAGE for any other text. */
export function acceptOf(format: string, framework: Framework = usualFramework): string {
  const known = formats[format.toLowerCase()];
  const { form } = wireForm(framework, 'plainReports');
  // Banks of the older framework may have either word for plain text.
  if (known === acceptHeaders.text && form !== 'text/plain')
    return `text/plain, ${form}, application/json;q=0.5`;
  if (known !== undefined) return known;
  const [, message] = /^(camt\.05[234])$/i.exec(format) ?? [];
  if (message !== undefined) {
    return `application/vnd.BerlinGroup.${message.toLowerCase()}+xml, application/xml;q=0.9, application/json;q=0.1`;
  }
  if (/^[\w.+*-]+\/[\w.+*-]+(\s*[;,].*)?$/.test(format)) return format;
  throw usage(
    `--accept takes json, xml, text, camt.052, camt.053, camt.054, mt940, mt942 or a media type; not ${JSON.stringify(format)}.`,
  );
}

/** The formats of a bank in the order in which it gives them best; undefined where nothing is said. */
function acceptOfBank({ transactionFormats = [] }: NonNullable<BankDescriptor['ais']> = {}):
  string | undefined {
  const types = transactionFormats.map((format) =>
    format === 'json' ? 'application/json' : plainTypes[format],
  );
  if (types.length === 0) return undefined;
  return [...new Set(types)]
    .map((type, at) => (at === 0 ? type : `${type};q=0.${String(Math.max(1, 9 - at))}`))
    .join(', ');
}

const plainTypes = {
  'camt.052': 'application/xml',
  'camt.053': 'application/xml',
  'camt.054': 'application/xml',
  mt940: 'text/plain',
} as const;

function usage(title: string, ...hint: readonly string[]): ObkError {
  return new ObkError({ code: 'USAGE', title, hint });
}
