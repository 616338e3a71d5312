import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { acceptOf, reportQuery } from '../../../../src/client/accounts/report-query.ts';
import type { ReportOptions } from '../../../../src/client/accounts/report-query.ts';

const now = new Date('2026-11-21T10:00:00Z');

describe('the query of a transaction list', () => {
  it.each<[string, ReportOptions, object]>([
    ['nothing said', {}, { dateFrom: '2026-10-22', bookingStatus: 'booked' }],
    [
      'days',
      { dateFrom: '2026-01-01', dateTo: '2026-02-28' },
      { dateFrom: '2026-01-01', dateTo: '2026-02-28', bookingStatus: 'booked' },
    ],
    [
      'a last day in the past',
      { dateTo: '2026-02-28' },
      { dateFrom: '2026-01-29', dateTo: '2026-02-28', bookingStatus: 'booked' },
    ],
    ['a delta needs no day', { delta: true }, { bookingStatus: 'booked', deltaList: 'true' }],
    [
      'nor does an entry',
      { entryReferenceFrom: 'E1', bookingStatus: 'both' },
      { bookingStatus: 'both', entryReferenceFrom: 'E1' },
    ],
    [
      'a delta with a day',
      { delta: true, dateFrom: '2026-11-01' },
      {
        dateFrom: '2026-11-01',
        bookingStatus: 'booked',
        deltaList: 'true',
      },
    ],
    [
      'balances',
      { withBalance: true },
      {
        dateFrom: '2026-10-22',
        bookingStatus: 'booked',
        withBalance: 'true',
      },
    ],
  ])('is built from the flags: %s', (_, wish, query) => {
    expect(reportQuery(wish, { framework: '1.3.2', now })).toEqual(query);
  });

  it('has no days for standing orders', () => {
    expect(reportQuery({ bookingStatus: 'information' }, { framework: '1.3.6', now })).toEqual({
      bookingStatus: 'information',
    });
  });

  it.each<[string, ReportOptions, string]>([
    ['no such day', { dateFrom: '2026-02-30' }, '--date-from "2026-02-30"'],
    ['another form', { dateTo: '21.11.2026' }, '--date-to "21.11.2026"'],
    ['the end before the beginning', { dateFrom: '2026-02-01', dateTo: '2026-01-31' }, 'is after --date-to'],
    ['both deltas', { delta: true, entryReferenceFrom: 'E' }, '--delta and --entry-reference-from'],
    ['no such status', { bookingStatus: 'bocked' }, '--booking-status takes booked, pending, both'],
    ['a status of the other framework', { bookingStatus: 'information' }, 'not part of framework 1.3.2'],
  ])('ends in one clear error: %s', (_, wish, text) => {
    try {
      reportQuery(wish, { framework: '1.3.2', now });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ObkError);
      expect((error as ObkError).exit).toBe(2);
      expect((error as ObkError).title).toContain(text);
    }
  });
});

describe('the Accept header of a report', () => {
  it.each([
    ['json', 'application/json'],
    ['xml', 'application/xml, application/json;q=0.5'],
    ['MT940', 'text/plain, application/text;q=0.9, application/json;q=0.5'],
    ['camt.053', 'application/vnd.BerlinGroup.camt.053+xml, application/xml;q=0.9, application/json;q=0.1'],
    ['application/vnd.bank+json;q=0.9', 'application/vnd.bank+json;q=0.9'],
  ])('is that of the format: %s', (format, accept) => {
    expect(acceptOf(format)).toBe(accept);
  });

  it('offers both media types of plain text in the older framework', () => {
    expect(acceptOf('text', '1.3.2')).toBe('text/plain, application/text, application/json;q=0.5');
    expect(acceptOf('text/plain', '1.3.2')).toBe('text/plain');
  });

  it('is refused for a format that obk does not know', () => {
    expect(() => acceptOf('pdf')).toThrow('--accept takes json, xml, text');
  });
});
