// Three months of an account as a list in JSON, as statements in camt.053 and as statements in MT940, written here by hand:
// an accountant gets the same rows from each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addsUp, reading } from './reading.ts';
import { absent, common, unexpected } from './three-formats.ts';
import type { Format } from './three-formats.ts';

interface Booking {
  day: string;
  value: string;
  cents: number;
  name: string;
  account: string;
  text: string;
  id: string;
  endToEnd?: string;
  mandate?: string;
  creditor?: string;
  code: readonly [domain: string, family: string, sub: string];
  gvc: string;
  reversal?: boolean;
}

const own = 'DE02100100100006820101';
const months = ['2026-09', '2026-10', '2026-11'];
const day = (month: string, number: number) => `${month}-${String(number).padStart(2, '0')}`;

/** What a household and a small shop see in a month: wages, rent, debits, one of which comes back, a card, fees, cents. */
function bookingsOf(month: string, at: number): Booking[] {
  const transfer = ['PMNT', 'RCDT', 'ESCT'] as const;
  const debit = ['PMNT', 'RDDT', 'ESDD'] as const;
  const [first, second] = ['DE89370400440532013000', 'NL91ABNA0417164300'];
  const one = (
    number: number,
    cents: number,
    name: string,
    text: string,
    more: Partial<Booking>,
  ): Booking => ({
    ...{ day: day(month, number), value: day(month, number), cents, name, text, account: first },
    ...{ id: `B${month.replace('-', '')}${String(number)}${String(Math.abs(cents))}`.slice(0, 16) },
    ...{ code: transfer, gvc: '166' },
    ...more,
  });
  const due = { code: debit, gvc: '105', mandate: `M-${String(at)}`, creditor: 'DE98ZZZ09999999999' };
  return [
    one(1, 250_000 + at, 'Müller & Söhne GmbH', `Gehalt ${month}`, { endToEnd: `LOHN-${month}` }),
    one(2, -80_000, 'Vermieter Schmidt', 'Miete, Wohnung 3. OG links', {
      code: ['PMNT', 'ICDT', 'STDO'],
      gvc: '117',
    }),
    one(3, -4999, 'Stadtwerke', 'Abschlag Strom und Gas, Vertrag 0815-4711', {
      ...due,
      endToEnd: 'NOTPROVIDED',
    }),
    one(4, 4999, 'Stadtwerke', 'Rueckgabe mangels Deckung', {
      code: ['PMNT', 'RDDT', 'UPDD'],
      gvc: '109',
      reversal: true,
    }),
    one(5, -1, 'A', 'x', { account: second }),
    one(
      7,
      -12_345_678,
      'Notar Dr. Lang',
      'Kaufpreis Grundstueck Flur 7, Flurstueck 12/3 und die Nebenkosten nach Paragraph 448 BGB',
      { account: second, value: day(month, 9) },
    ),
    one(15, 1_999_999, 'Bank', 'Zuteilung', {}),
    one(28, -350, 'Bank', 'Kontofuehrung', {
      code: ['ACMT', 'MDOP', 'CHRG'],
      gvc: '808',
      value: day(month, 27),
    }),
  ];
}
const statements = months.map(bookingsOf);
const opening = 10_000_000;
const euros = (cents: number) =>
  `${cents < 0 ? '-' : ''}${String(Math.floor(Math.abs(cents) / 100))}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
const openings = statements.map((_, at) =>
  statements
    .slice(0, at)
    .flat()
    .reduce((sum, { cents }) => sum + cents, opening),
);
const closings = statements.map((bookings, at) =>
  bookings.reduce((sum, { cents }) => sum + cents, openings[at]!),
);

const json = (): string => {
  const money = (cents: number) => ({ currency: 'EUR', amount: euros(cents) });
  return JSON.stringify({
    account: { iban: own },
    transactions: {
      booked: statements.flat().map((booking) => {
        // A returned debit names the creditor that it goes back to.
        const side = booking.cents < 0 || booking.reversal === true ? 'creditor' : 'debtor';
        return {
          transactionId: booking.id,
          endToEndId: booking.endToEnd,
          mandateId: booking.mandate,
          creditorId: booking.creditor,
          bookingDate: booking.day,
          valueDate: booking.value,
          transactionAmount: money(booking.cents),
          [`${side}Name`]: booking.name,
          [`${side}Account`]: { iban: booking.account },
          remittanceInformationUnstructured: booking.text,
          bankTransactionCode: booking.code.join('-'),
          proprietaryBankTransactionCode: booking.gvc,
        };
      }),
    },
  });
};

const xml = (text: string) => text.replaceAll('&', '&amp;');
const tag = (name: string, inside: string | undefined) =>
  inside === undefined ? '' : `<${name}>${inside}</${name}>`;
const camtMoney = (cents: number) =>
  `<Amt Ccy="EUR">${euros(Math.abs(cents))}</Amt>${tag('CdtDbtInd', cents < 0 ? 'DBIT' : 'CRDT')}`;

function camtEntry(booking: Booking): string {
  const {
    cents,
    day: booked,
    value,
    id,
    code,
    gvc,
    endToEnd,
    mandate,
    name,
    account,
    text,
    creditor,
    reversal,
  } = booking;
  const [domain, family, sub] = code;
  const side = cents < 0 || reversal === true ? 'Cdtr' : 'Dbtr';
  const scheme = tag('Id', tag('PrvtId', tag('Othr', tag('Id', creditor))));
  const party = tag(side, tag('Pty', tag('Nm', xml(name)) + (creditor === undefined ? '' : scheme)));
  return tag(
    'Ntry',
    camtMoney(cents) +
      tag('RvslInd', reversal === true ? 'true' : undefined) +
      tag('Sts', tag('Cd', 'BOOK')) +
      tag('BookgDt', tag('Dt', booked)) +
      tag('ValDt', tag('Dt', value)) +
      tag('AcctSvcrRef', id) +
      tag(
        'BkTxCd',
        tag('Domn', tag('Cd', domain) + tag('Fmly', tag('Cd', family) + tag('SubFmlyCd', sub))) +
          tag('Prtry', tag('Cd', gvc) + tag('Issr', 'DK')),
      ) +
      tag(
        'NtryDtls',
        tag(
          'TxDtls',
          tag('Refs', tag('EndToEndId', endToEnd) + tag('MndtId', mandate)) +
            tag('RltdPties', party + tag(`${side}Acct`, tag('Id', tag('IBAN', account)))) +
            tag('RmtInf', tag('Ustrd', xml(text))),
        ),
      ),
  );
}

const camt = (): string => {
  const balance = (type: string, cents: number, on: string) =>
    tag('Bal', tag('Tp', tag('CdOrPrtry', tag('Cd', type))) + camtMoney(cents) + tag('Dt', tag('Dt', on)));
  const all = statements.map((bookings, at) =>
    tag(
      'Stmt',
      tag('Acct', tag('Id', tag('IBAN', own)) + tag('Ccy', 'EUR')) +
        balance('OPBD', openings[at]!, day(months[at]!, 1)) +
        balance('CLBD', closings[at]!, day(months[at]!, 28)) +
        bookings.map(camtEntry).join('\n'),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${tag('BkToCstmrStmt', tag('GrpHdr', tag('MsgId', '1')) + all.join('\n'))}</Document>`;
};

const cut = (text: string, size: number): string[] =>
  text === '' ? [] : [text.slice(0, size), ...cut(text.slice(size), size)];
const short = (iso: string) => iso.slice(2).replaceAll('-', '');
const swift = (cents: number) => euros(Math.abs(cents)).replace('.', ',');

function mtEntry(booking: Booking): string[] {
  const {
    cents,
    day: booked,
    value,
    id,
    gvc,
    endToEnd,
    mandate,
    creditor,
    name,
    account,
    text,
    reversal,
  } = booking;
  const told = [
    ...(endToEnd === undefined ? [] : cut(`EREF+${endToEnd}`, 27)),
    ...(mandate === undefined ? [] : cut(`MREF+${mandate}`, 27)),
    ...(creditor === undefined ? [] : cut(`CRED+${creditor}`, 27)),
    ...cut(`SVWZ+${text}`, 27),
  ];
  const parts = [
    ...told.map((part, at) => `?${String(20 + at)}${part}`),
    `?31${account}`,
    ...cut(name, 27).map((part, at) => `?${String(32 + at)}${part}`),
  ];
  // What takes a debit back is a credit.
  const mark = reversal === true ? 'RD' : cents < 0 ? 'D' : 'C';
  return [
    `:61:${short(value)}${short(booked).slice(2)}${mark}${swift(cents)}NTRFNONREF//${id}`,
    ...cut(`:86:${gvc}${parts.join('')}`, 65),
  ];
}

const mt940 = (): string =>
  statements
    .flatMap((bookings, at) => [
      `:20:ST${String(at)}`,
      `:25:${own}`,
      `:28C:${String(at + 1)}/1`,
      `:60F:${openings[at]! < 0 ? 'D' : 'C'}${short(day(months[at]!, 1))}EUR${swift(openings[at]!)}`,
      ...bookings.flatMap(mtEntry),
      `:62F:${closings[at]! < 0 ? 'D' : 'C'}${short(day(months[at]!, 28))}EUR${swift(closings[at]!)}`,
      '-',
    ])
    .map((line) => `${line}\r\n`)
    .join('');

const written: Readonly<Record<Format, () => string>> = { json, camt, mt940 };
const formats = Object.keys(written) as Format[];

describe('three months of an account, written in each format', () => {
  it('are the same rows', async () => {
    const [list, ...others] = await Promise.all(
      formats.map(async (format) => {
        const { rows, items, error } = await reading(written[format]());
        expect(error, format).toBeUndefined();
        expect(
          items.filter(({ kind }) => kind === 'problem'),
          format,
        ).toEqual([]);
        expect(
          rows.flatMap(({ marks = [] }) => marks),
          format,
        ).toEqual([]);
        expect(unexpected(format, rows), format).toEqual([]);
        return rows.map((row) => ({
          ...common(row),
          account: row.account,
          amount: row.amount,
          creditorId: row.creditorId,
          reversal: format === 'json' ? undefined : row.reversal,
        }));
      }),
    );
    const plain = list!.map((row, at) => ({ ...row, reversal: statements.flat()[at]!.reversal }));
    expect(plain.map(({ amount }) => amount)).toEqual(statements.flat().map(({ cents }) => euros(cents)));
    for (const rows of others) expect(rows).toEqual(plain);
  });

  it.each(['camt', 'mt940'] as const)(
    'lead from the opening to the closing balance in %s',
    async (format) => {
      const { items } = await reading(written[format]());
      expect(items.filter(({ kind }) => kind === 'balance')).toHaveLength(6);
      expect(addsUp(items)).toBe(true);
    },
  );
});

it('the columns that a format does not have stand in docs/statements.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/statements.md'), 'utf8');
  const titles: Readonly<Record<Format, string>> = { json: 'JSON', camt: 'camt', mt940: 'MT940' };
  for (const format of formats) {
    const [, listed = ''] = new RegExp(`^- ${titles[format]}: ([^]*?)\\n(?:-|\\n)`, 'm').exec(page) ?? [];
    const names = [...listed.matchAll(/`([A-Za-z]+)`/g)].map(([, name]) => name);
    expect(names.sort(), titles[format]).toEqual([...absent[format]].sort());
  }
});
