import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PrintedRow } from '../../../../src/cli/render/table.ts';
import { hostileStatement, statementPage } from '../../../helpers/statement-page.ts';

const iban = 'DE89370400440532013000';
const booked = (bookingDate: string, amount: string, more: PrintedRow = {}): PrintedRow => ({
  account: iban,
  currency: 'EUR',
  bookingStatus: 'booked',
  bookingDate,
  amount,
  ...more,
});
const opening = (amount: string, referenceDate?: string) => ({
  account: iban,
  balanceType: 'openingBooked',
  amount,
  currency: 'EUR',
  ...(referenceDate !== undefined && { referenceDate }),
});
const closing = (amount: string, referenceDate: string) => ({
  ...opening(amount, referenceDate),
  balanceType: 'closingBooked',
});

/** The words of a page, without tags. */
const words = (page: string) =>
  page
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

/** The rows of the table below a heading, as cells. */
function tableBelow(page: string, heading: string): string[][] {
  const from = page.slice(page.indexOf(`${heading}<`));
  const [, body = ''] = /<tbody>([\s\S]*?)<\/tbody>/.exec(from) ?? [];
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell),
  );
}

describe('a page of transactions', () => {
  const rows = [
    booked('2026-01-30', '0.10', { counterpartyName: 'A', counterpartyAccount: 'X1' }),
    booked('2026-01-30', '0.20', { counterpartyName: 'A again', counterpartyAccount: 'X1' }),
    booked('2026-02-02', '-90071992547409.93', { counterpartyName: 'B' }),
    booked('2026-02-03', '-5.00', { bookingStatus: 'pending' }),
    booked('2026-02-03', '99.00', { bookingStatus: 'information' }),
  ];

  it('adds up exactly, by month and counterparty, and keeps what is pending apart', () => {
    const page = statementPage(rows, { balances: [opening('1.00', '2026-01-29')] });
    expect(words(page)).toContain(
      'Opening balance 1.00 In 0.30 Out -90071992547409.93 Net -90071992547409.63 ' +
        'Balance after the last booking -90071992547408.63 Pending in 0.00, out -5.00, 1 entry ' +
        'Balance with what is pending -90071992547413.63',
    );
    expect(tableBelow(page, 'In and out by month')).toEqual([
      ['2026-02', '0.00', '-90071992547409.93', '-90071992547409.93'],
      ['2026-01', '0.30', '0.00', '0.30'],
    ]);
    expect(tableBelow(page, 'Largest counterparties')).toEqual([
      ['B', '', '1', '0.00', '-90071992547409.93', '-90071992547409.93'],
      ['A', 'X1', '2', '0.30', '0.00', '0.30'],
    ]);
    expect(tableBelow(page, 'Balance by day')).toEqual([
      ['2026-02-02', '-90071992547408.63'],
      ['2026-01-30', '1.30'],
    ]);
    expect(tableBelow(page, 'Transactions')).toHaveLength(5);
  });

  it('draws each booking day from the opening balance on, and what is pending as a line of its own', () => {
    const page = statementPage(
      [
        booked('2026-01-01', '10.00'),
        booked('2026-01-03', '-20.00'),
        booked('2026-01-03', '5', { bookingStatus: 'pending' }),
      ],
      { balances: [opening('10.00')] },
    );
    // 10, then 20 (the most), then 0 (the least), and 5 with what is pending; the days are two apart.
    expect(/class="booked" d="([^"]*)"/.exec(page)?.[1]).toBe('M0 150H313.3V6H940V294H940');
    expect(/class="pending" d="([^"]*)"/.exec(page)?.[1]).toBe('M940 294h30V222H1000');
    expect(page).not.toContain('class="zero"');
    expect(page).toContain('least 0.00, most 20.00');
  });

  it.each([
    [
      'the earliest one',
      [opening('7.00', '2026-01-29'), opening('3.00', '2026-01-02')],
      'Opening balance 3.00',
      undefined,
    ],
    [
      'worked out from the closing one',
      [closing('1.00', '2026-03-01')],
      'Opening balance 90071992547410.63',
      'worked out',
    ],
    ['not one within the time', [opening('7.00', '2026-02-01')], 'Entries 5 In', 'begins at zero'],
    ['not from a closing one within it', [closing('7.00', '2026-02-01')], 'Entries 5 In', 'begins at zero'],
    [
      'not one of another account',
      [{ ...opening('7.00'), account: 'other' }],
      'Entries 5 In',
      'begins at zero',
    ],
    [
      'not one of another currency',
      [{ ...opening('7.00'), currency: 'USD' }],
      'Entries 5 In',
      'begins at zero',
    ],
    [
      'not one without a sign',
      [{ ...opening('7.00'), marks: ['sign-unknown'] as const }],
      'Entries 5 In',
      'begins at zero',
    ],
  ])('takes as opening balance %s', (_, balances, has, says) => {
    const text = words(statementPage(rows, { balances }));
    expect(text).toContain(has);
    if (says !== undefined) expect(text).toContain(says);
    else expect(text).not.toContain('worked out');
  });

  it('says what is in no sum', () => {
    const text = words(
      statementPage([
        booked('2026-01-01', '1.00'),
        booked('2026-01-01', '2.00', { marks: ['sign-unknown'] }),
        { account: iban, currency: 'EUR', amountAsSent: '1e3', marks: ['amount-malformed'] },
        { account: iban, currency: 'EUR', amount: '4.00' },
        {
          account: iban,
          currency: 'EUR',
          amount: '8.00',
          bookingDate: '2026-02-41',
          bookingStatus: 'booked',
        },
      ]),
    );
    expect(text).toContain('In 13.00 Out 0.00');
    expect(text).toContain('1 entry without an amount that can be added');
    expect(text).toContain('1 entry of which nothing tells whether it is a debit or a credit');
    expect(text).toContain('2 entries without a day');
    expect(text).toContain('1 entry without a status: taken for booked');
    expect(text).toContain('1e3 EUR');
  });

  it('has a part for each account and currency, also for one that has balances alone', () => {
    const page = statementPage(
      [booked('2026-01-01', '1.00'), booked('2026-01-01', '500', { currency: 'JPY' })],
      {
        balances: [{ ...opening('9.00'), account: 'FR1' }],
      },
    );
    const headings = [...page.matchAll(/<h2[^>]*>([\s\S]*?)<\/h2>/g)].map(([, text = '']) =>
      text.replace(/\s+/g, ' ').trim(),
    );
    expect(headings).toEqual([`${iban}, EUR`, `${iban}, JPY`, 'FR1, EUR']);
    expect(words(page)).toContain('In 500 Out 0 Net 500');
  });

  it('says that there is nothing, and that there is more', () => {
    expect(words(statementPage([]))).toContain('No transactions in this report.');
    expect(words(statementPage([booked('2026-01-01', '1.00')], { goesOn: true }))).toContain(
      '--all reads them',
    );
  });

  it('escapes what a bank sends, and has neither foreign scripts nor links elsewhere', () => {
    const page = hostileStatement();
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<(script |img|a href="(?!#)|link|iframe)/);
    expect(page.match(/<style>/g)).toHaveLength(1);
    const odd = statementPage([booked('2026-01-01', '1.00', { counterpartyName: 'A\u202eB\u0000' })]);
    expect(odd).toContain('A\\u{202e}B\\x00');
  });
});

it('runs one script, which its own policy names by its hash', () => {
  const page = hostileStatement();
  const [script, ...others] = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
  expect(others).toEqual([]);
  const [, policy = ''] = /Content-Security-Policy"\s+content="([^"]*)"/.exec(page) ?? [];
  const hash = createHash('sha256').update(script!).digest('base64');
  expect(policy.split('; ').filter((rule) => /script|default/.test(rule))).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "require-trusted-types-for 'script'",
  ]);
  expect(script).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function|fetch|import|https?:/,
  );
});

describe('a page of very many transactions', () => {
  const long = '"'.repeat(140);

  it('stays below 2 MB, sums all of them, and says how many it shows', () => {
    const many = 100_000;
    function* rows(): Generator<PrintedRow> {
      for (let at = 0; at < many; at += 1)
        yield booked(
          `${String(1990 + (at % 36))}-0${String(1 + (at % 9))}-${String(10 + (at % 19))}`,
          '-0.01',
          {
            counterpartyName: `${String(at)} ${long}`,
            remittanceInformationUnstructured: long,
          },
        );
    }
    const worst = '"'.repeat(1000);
    const page = statementPage(rows(), {
      balances: [opening('2000.00')],
      problems: Array.from({ length: 1000 }, () => ({ code: 'sum-differs' as const, detail: worst })),
      notes: Array.from({ length: 1000 }, () => ({ text: worst })),
      statements: Array.from({ length: 1000 }, () => ({ values: { [worst]: worst } })),
    });
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    expect(words(page)).toContain('Out -1000.00 Net -1000.00 Balance after the last booking 1000.00');
    const [, shown] = /the first (\d+) of 100000 transactions/.exec(words(page)) ?? [];
    expect(tableBelow(page, 'Transactions')).toHaveLength(Number(shown));
    expect(Number(shown)).toBeGreaterThan(500);
    expect(words(page)).toContain('too many counterparties');
  });

  it('stays below 2 MB with every day of ten thousand years and with very many accounts', () => {
    function* rows(): Generator<PrintedRow> {
      for (let at = 0; at < 40_000; at += 1)
        yield booked(`${String(at % 9999).padStart(4, '0')}-${String(10 + (at % 3))}-10`, '1.00', {
          account: `${String(at % 50)} ${long}`,
          counterpartyName: '😀'.repeat(70),
          remittanceInformationUnstructured: '\u202e'.repeat(140),
        });
    }
    const page = statementPage(rows());
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    expect(page.match(/<section/g)).toHaveLength(20);
    expect(words(page)).toContain('24000 entries of further accounts or currencies are not on this page');
    expect(words(page)).toContain('by year');
  });
});
