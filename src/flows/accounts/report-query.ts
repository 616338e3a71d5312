import { ObkError } from '../../errors.ts';
import { checkIsoDate } from '../../xs2a/check.ts';
import { bookingStatuses, valuesIn } from '../../xs2a/code-lists.ts';
import { acceptHeaders } from '../../xs2a/media.ts';
import { usualFramework, wireForm } from '../../xs2a/variants.ts';
import type { Framework } from '../../xs2a/variants.ts';
import { addDays, isoDate } from '../consents/consent-body.ts';

/** Which transactions are asked for, as it is asked for by flags. */
export interface ReportOptions {
  dateFrom?: string;
  dateTo?: string;
  bookingStatus?: string;
  entryReferenceFrom?: string;
  delta?: boolean;
  withBalance?: boolean;
  /** Entries of a page, for a bank that counts its pages. */
  pageSize?: number;
}

const standardDays = 30;

/**
 * The query of a transaction list: booked ones of the last 30 days unless asked otherwise, the day being that of the bank.
 * Throws USAGE and INPUT_INVALID, each naming the flag.
 */
export function reportQuery(wish: ReportOptions, framework: Framework, now: Date): Record<string, string> {
  const { dateFrom, dateTo, entryReferenceFrom, delta = false, withBalance = false } = wish;
  const bookingStatus = wish.bookingStatus ?? 'booked';
  const known = valuesIn(framework, bookingStatuses);
  if (!known.includes(bookingStatus)) {
    const elsewhere = bookingStatuses.some(({ code }) => code === bookingStatus);
    throw usage(
      elsewhere
        ? `--booking-status ${bookingStatus} is not part of framework ${framework}.`
        : `--booking-status takes ${known.join(', ')}; not ${JSON.stringify(bookingStatus)}.`,
      // What other programs call it.
      ...(bookingStatus.toLowerCase() === 'all' ? ['--booking-status both'] : []),
    );
  }
  if (delta && entryReferenceFrom !== undefined)
    throw usage('--delta and --entry-reference-from cannot be given together.');
  checkDay('--date-from', dateFrom);
  checkDay('--date-to', dateTo);
  const today = isoDate(now);
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo)
    throw usage(`--date-from ${dateFrom} is after --date-to ${dateTo}.`);
  // Standing orders have no dates; with a delta the bank knows where to begin.
  const begins = dateFrom ?? (delta || entryReferenceFrom !== undefined || bookingStatus === 'information');
  const usual = dateTo !== undefined && dateTo < today ? new Date(`${dateTo}T00:00:00Z`) : now;
  const from =
    begins === false ? isoDate(addDays(usual, -standardDays)) : begins === true ? undefined : begins;
  return {
    ...(from !== undefined && { dateFrom: from }),
    ...(dateTo !== undefined && { dateTo }),
    bookingStatus,
    ...(entryReferenceFrom !== undefined && { entryReferenceFrom }),
    ...(delta && { deltaList: 'true' }),
    ...(withBalance && { withBalance: 'true' }),
    ...(wish.pageSize !== undefined && { pageIndex: '0', itemsPerPage: String(wish.pageSize) }),
  };
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
export const usualAccept =
  'application/json, application/xml;q=0.8, text/plain;q=0.5, application/text;q=0.4';

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

function usage(title: string, ...hint: readonly string[]): ObkError {
  return new ObkError({ code: 'USAGE', title, hint });
}
