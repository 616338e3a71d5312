import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMinor, fractionDigits } from '../../../../../src/standard/formats/money/amount.ts';
import { addsUp, reading } from './reading.ts';

const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((all) => all.replace(/[\p{C}\p{Z}]/gu, ' ').trim());
const entry = fc.record({
  minor: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }).filter((minor) => minor !== 0n),
  name: text,
  purpose: text,
});
const report = fc.record({
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  opening: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  entries: fc.array(entry, { maxLength: 12 }),
  breaks: fc.constantFrom('\n', '\r\n', ''),
});
type Report = typeof report extends fc.Arbitrary<infer T> ? T : never;

const closing = ({ opening, entries }: Report) => entries.reduce((sum, { minor }) => sum + minor, opening);
const abs = (minor: bigint) => (minor < 0n ? -minor : minor);
const xml = (plain: string) => plain.replace(/[&<>"]/g, (found) => `&#${String(found.charCodeAt(0))};`);

/** The same statement in every kind of report, written by hand. */
const writers: Record<string, (report: Report) => string> = {
  json: ({ currency, opening, entries, breaks, ...more }) =>
    JSON.stringify(
      {
        account: { iban: 'DE89370400440532013000' },
        balances: [
          {
            balanceType: 'openingBooked',
            balanceAmount: { currency, amount: formatMinor(opening, currency) },
          },
          {
            balanceType: 'closingBooked',
            balanceAmount: {
              currency,
              amount: formatMinor(closing({ currency, opening, entries, breaks, ...more }), currency),
            },
          },
        ],
        transactions: {
          booked: entries.map(({ minor, name, purpose }) => ({
            bookingDate: '2026-11-20',
            transactionAmount: { currency, amount: formatMinor(minor, currency) },
            debtorName: minor > 0n ? `D${name}` : undefined,
            creditorName: minor > 0n ? undefined : `D${name}`,
            remittanceInformationUnstructured: `P${purpose}`,
          })),
        },
      },
      undefined,
      breaks === '' ? 0 : 1,
    ),
  camt: (all) => {
    const { currency, opening, entries, breaks } = all;
    const money = (minor: bigint) =>
      `<Amt Ccy="${currency}">${formatMinor(abs(minor), currency)}</Amt><CdtDbtInd>${minor < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
    const balance = (type: string, minor: bigint) =>
      `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${money(minor)}</Bal>`;
    const rows = entries.map(({ minor, name, purpose }) => {
      const party = minor < 0n ? 'Cdtr' : 'Dbtr';
      return `<Ntry>${money(minor)}<Sts>BOOK</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls><TxDtls><RltdPties><${party}><Nm>D${xml(name)}</Nm></${party}></RltdPties><RmtInf><Ustrd>P${xml(purpose)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
    });
    return [
      '<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>',
      balance('OPBD', opening),
      ...rows,
      balance('CLBD', closing(all)),
      '</Stmt></BkToCstmrStmt></Document>',
    ].join(breaks);
  },
  mt940: (all) => {
    const { currency, opening, entries, breaks } = all;
    const size = (minor: bigint) => {
      const amount = formatMinor(abs(minor), currency).replace('.', ',');
      return fractionDigits(currency) === 0 ? `${amount},` : amount;
    };
    const balance = (minor: bigint) => `${minor < 0n ? 'D' : 'C'}261120${currency}${size(minor)}`;
    const rows = entries.flatMap(({ minor, name, purpose }) => [
      `:61:2611201120${minor < 0n ? 'D' : 'C'}${size(minor)}NTRFNONREF`,
      `:86:166?20SVWZ+P${purpose.replaceAll('?', '.')}?32D${name.replaceAll('?', '.')}`,
    ]);
    return [
      ':20:1',
      ':25:DE89370400440532013000',
      `:60F:${balance(opening)}`,
      ...rows,
      `:62F:${balance(closing(all))}`,
      '-',
    ].join(breaks || '\n');
  },
};

describe.each(Object.keys(writers))('any report in %s', (kind) => {
  const write = writers[kind]!;

  it('yields its rows exactly, and they lead from the opening to the closing balance', () =>
    fc.assert(
      fc.asyncProperty(report, async (all) => {
        const { items, rows, error } = await reading(write(all));
        expect(error).toBeUndefined();
        expect(items.filter((item) => item.kind === 'problem')).toEqual([]);
        expect(rows.map(({ amount }) => amount)).toEqual(
          all.entries.map(({ minor }) => formatMinor(minor, all.currency)),
        );
        const plain = (wanted: string) => (kind === 'mt940' ? wanted.replaceAll('?', '.') : wanted).trim();
        expect(rows.map((row) => [row.counterpartyName, row.remittanceInformationUnstructured])).toEqual(
          all.entries.map(({ name, purpose }) => [plain(`D${name}`), plain(`P${purpose}`)]),
        );
        expect(addsUp(items)).toBe(true);
      }),
      { numRuns: 60 },
    ));

  it('is the same wherever its bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(
        report,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
        async (all, sizes) => {
          const text = write(all);
          const whole = await reading(text);
          expect((await reading(text, {}, sizes)).items).toEqual(whole.items);
        },
      ),
      { numRuns: 60 },
    ));

  it('yields a beginning of its rows, and an error, wherever it ends too early', () =>
    fc.assert(
      fc.asyncProperty(report, fc.double({ min: 0, max: 0.99, noNaN: true }), async (all, part) => {
        const bytes = Buffer.from(write(all).trimEnd());
        const whole = await reading(bytes);
        const cut = await reading(bytes.subarray(0, Math.floor((bytes.length - 2) * part)));
        const problems = cut.items.filter((item) => item.kind === 'problem');
        // The closing balance is the last line of MT940: cut off in it, the sum does not fit.
        const told = problems.some(({ problem }) => problem.code === 'cut-off');
        if (kind === 'mt940' && cut.error === undefined && !told) {
          expect(cut.rows).toEqual(whole.rows);
          if (problems.length === 0) expect(cut.items).toEqual(whole.items);
          return;
        }
        expect(told || cut.error !== undefined).toBe(true);
        // An entry of MT940 that is cut off within its own lines cannot be told from a whole one.
        const sure = kind === 'mt940' ? cut.rows.slice(0, -1) : cut.rows;
        expect(sure).toEqual(whole.rows.slice(0, sure.length));
      }),
      { numRuns: 60 },
    ));
});
