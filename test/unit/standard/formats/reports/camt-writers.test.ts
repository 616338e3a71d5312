// Entries written by hand in every layout of camt come back with their amount, sign, days, text, parties and reasons.
import { expect, it } from 'vitest';
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';
import { Dice } from '../../../../helpers/dice.ts';
import { trials } from '../../../../helpers/trials.ts';
import { reading } from './reading.ts';

interface Written {
  minor: bigint;
  debit: boolean;
  reversal: boolean;
  booked: string;
  valued: string;
  name: string;
  account: string;
  lines: string[];
  reference: string;
  reason: string;
  charges: bigint;
}

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,&<>\'"äöüßéñ';
const word = (by: Dice, least: number, most: number, of = signs): string =>
  Array.from({ length: least + by.below(most - least + 1) }, () => of[by.below(of.length)]).join('');
const sentence = (by: Dice): string =>
  Array.from({ length: 1 + by.below(6) }, () => word(by, 1, 9)).join(' ');
const day = (by: Dice): string =>
  `2026-${String(1 + by.below(12)).padStart(2, '0')}-${String(1 + by.below(28)).padStart(2, '0')}`;

const written = (by: Dice): Written => ({
  minor: BigInt(1 + by.below(1_000_000_000)),
  debit: by.maybe(),
  reversal: by.below(5) === 0,
  booked: day(by),
  valued: day(by),
  name: sentence(by),
  account: `NL${word(by, 16, 16, '0123456789')}`,
  lines: Array.from({ length: 1 + by.below(3) }, () => sentence(by)),
  reference: word(by, 1, 35, 'ABCDEFabcdef0123456789-'),
  reason: by.pick(['AC01', 'AC04', 'AM04', 'MD01', 'MS03']),
  charges: BigInt(1 + by.below(9999)),
});

const euros = (minor: bigint): string => `${String(minor / 100n)}.${String(minor % 100n).padStart(2, '0')}`;
const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${String(sign.charCodeAt(0))};`);
const tag = (name: string, inside: string): string => `<${name}>${inside}</${name}>`;
const amount = (minor: bigint): string => `<Amt Ccy="EUR">${euros(minor)}</Amt>`;

/** What differs between the versions and banks. */
interface Layout {
  version: string;
  status: string;
  day: (text: string) => string;
  party: (name: string) => string;
  charges: (minor: bigint) => string;
  /** The details with what stands around them. */
  details: (inside: string, entry: Written) => string;
  frame?: (document: string) => string;
}

const later: Layout = {
  version: '08',
  status: tag('Sts', tag('Cd', 'BOOK')),
  day: (text) => tag('Dt', text),
  party: (name) => tag('Pty', tag('Nm', name)),
  charges: (minor) => tag('Chrgs', tag('Rcrd', amount(minor) + tag('CdtDbtInd', 'DBIT'))),
  details: (inside) => tag('NtryDtls', tag('TxDtls', inside)),
};
const layouts: Readonly<Record<string, Layout>> = {
  '02': {
    ...later,
    version: '02',
    status: tag('Sts', 'BOOK'),
    party: (name) => tag('Nm', name),
    charges: (minor) => tag('Chrgs', amount(minor)),
  },
  '08': later,
  '13': { ...later, version: '13', day: (text) => tag('DtTm', `${text}T23:59:59.999+02:00`) },
  '01': {
    ...later,
    version: '01',
    status: tag('Sts', 'BOOK'),
    party: (name) => tag('Nm', name),
    charges: (minor) => tag('Chrgs', amount(minor)),
    details: (inside) => tag('TxDtls', inside),
    frame: (document) => document.replaceAll('BkToCstmrStmt>', 'BkToCstmrStmtV01>'),
  },
  'amounts in the details': {
    ...later,
    details: (inside, { minor, debit }) =>
      tag(
        'NtryDtls',
        tag(
          'TxDtls',
          amount(minor) +
            tag('CdtDbtInd', debit ? 'DBIT' : 'CRDT') +
            tag('AmtDtls', tag('TxAmt', amount(minor))) +
            inside,
        ),
      ),
  },
  'the original direction in the details': {
    ...later,
    details: (inside, { minor, debit }) =>
      tag('NtryDtls', tag('TxDtls', amount(minor) + tag('CdtDbtInd', debit ? 'CRDT' : 'DBIT') + inside)),
  },
  'laid out, with prefixes and comments': {
    ...later,
    frame: (document) =>
      document
        .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1ns2:')
        .replace('xmlns=', 'xmlns:ns2=')
        .replaceAll(/>(?=<ns2)/g, '>\n\t<!-- - -->'),
  },
};
const names = Object.keys(layouts);

function entryOf(layout: Layout, entry: Written): string {
  const { minor, debit, reversal, booked, valued, name, account, lines, reference, reason, charges } = entry;
  // A reversal names the parties as the original had them.
  const side = debit === reversal ? 'Dbtr' : 'Cdtr';
  const parties =
    tag(side, layout.party(escaped(name))) + tag(`${side}Acct`, tag('Id', tag('IBAN', account)));
  return tag(
    'Ntry',
    amount(minor) +
      tag('CdtDbtInd', debit ? 'DBIT' : 'CRDT') +
      (reversal ? tag('RvslInd', 'true') : '') +
      layout.status +
      tag('BookgDt', layout.day(booked)) +
      tag('ValDt', layout.day(valued)) +
      layout.details(
        tag('Refs', tag('EndToEndId', reference)) +
          layout.charges(charges) +
          tag('RltdPties', parties) +
          tag('RmtInf', lines.map((line) => tag('Ustrd', escaped(line))).join('')) +
          (reversal ? tag('RtrInf', tag('Rsn', tag('Cd', reason))) : ''),
        entry,
      ),
  );
}

function check(layout: string, entry: Written, row: TransactionRow): void {
  const { minor, debit, reversal, reason } = entry;
  const days = { bookingDate: entry.booked, valueDate: entry.valued };
  const times = Object.entries(days).flatMap(([name, day]) => {
    const sent = layouts[layout]?.day(day).replace(/<[^>]*>/g, '') ?? '';
    return sent.length > day.length ? [`${name} ${sent}`] : [];
  });
  expect(row, layout).toEqual({
    position: row.position,
    account: 'DE89370400440532013000',
    bookingStatus: 'booked',
    bookingDate: entry.booked,
    valueDate: entry.valued,
    amount: `${debit ? '-' : ''}${euros(minor)}`,
    currency: 'EUR',
    counterpartyName: entry.name,
    counterpartyAccount: entry.account,
    remittanceInformationUnstructured: entry.lines.join(' '),
    endToEndId: entry.reference,
    chargesAmount: euros(entry.charges),
    chargesCurrency: 'EUR',
    ...(times.length > 0 && { otherInformation: times.join(' ') }),
    ...(reversal && { reversal, returnReason: reason }),
  });
}

const rounds = trials('camt-entries', 600);
it(
  'every camt entry comes back as it was written, in every layout',
  async () => {
    const by = new Dice(rounds.seed);
    for (let done = 0; done < rounds.count; done += 60) {
      const name = by.pick(names);
      const layout = layouts[name]!;
      const entries = Array.from({ length: 60 }, () => written(by));
      const statement = tag(
        'Stmt',
        tag('Acct', tag('Id', tag('IBAN', 'DE89370400440532013000'))) +
          entries.map((entry) => entryOf(layout, entry)).join(''),
      );
      const document = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${layout.version}">${tag('BkToCstmrStmt', statement)}</Document>`;
      const { rows, error } = await reading((layout.frame ?? String)(document), {}, [1000 + by.below(9000)]);
      expect(error).toBeUndefined();
      expect(rows).toHaveLength(entries.length);
      for (const [at, entry] of entries.entries()) check(name, entry, rows[at]!);
    }
    rounds.report(`${String(rounds.count)} entries, 0 lost`);
  },
  rounds.timeout(30_000),
);
