// Three banks' three months of one account, in MT940, in camt and in JSON, typed by hand: an accountant gets the same rows from each
// but for what a format does not have, which is listed here, and in docs/statements.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';
import { addsUp, reading } from './reading.ts';
import type { Format } from './three-formats.ts';

type Told = Partial<Omit<TransactionRow, 'position'>>;

interface Bank {
  /** What all formats say of each entry, in the order of the bookings. */
  rows: readonly Told[];
  /** What some formats say besides of the entry with this transactionId, and which. */
  more: readonly (readonly [id: string, formats: readonly Format[], told: Told])[];
  /** What one format writes otherwise, although it says the same. */
  written?: readonly (readonly [id: string, formats: readonly Format[], told: Told])[];
  /** The columns of the bank's own codes and references, which each format has in its way. */
  own: readonly (keyof TransactionRow)[];
}

const booked = (id: string, day: string, amount: string, currency: string, more: Told): Told => ({
  transactionId: id,
  bookingStatus: 'booked',
  bookingDate: day,
  valueDate: day,
  amount,
  currency,
  ...more,
});
const codes = [
  ...(['account', 'entryReference', 'resourceId', 'proprietaryBankTransactionCode'] as const),
  ...(['proprietaryBankTransactionCodeIssuer', 'bankTransactionCode', 'bankTransactionText'] as const),
];

const energy: Told = {
  counterpartyName: 'Energie BV',
  counterpartyAccount: 'NL44RABO0123456789',
  counterpartyAgent: 'RABONL2U',
  remittanceInformationUnstructured: 'Termijn 9',
  endToEndId: 'EN-9',
  mandateId: 'M-77',
  creditorId: 'NL12ZZZ301800120000',
};
const client: Told = {
  counterpartyName: 'Klant BV',
  counterpartyAccount: 'NL44RABO0999999999',
  counterpartyAgent: 'RABONL2U',
};
const dutch: Bank = {
  rows: [
    booked('1001', '2026-09-01', '2500.00', 'EUR', {
      counterpartyName: 'Werkgever BV',
      counterpartyAccount: 'NL91ABNA0417164300',
      counterpartyAgent: 'ABNANL2A',
      remittanceInformationUnstructured: 'Salaris september',
      endToEndId: 'SAL-09',
    }),
    booked('1002', '2026-09-03', '-850.00', 'EUR', {
      counterpartyName: 'Vastgoed NV',
      counterpartyAccount: 'NL02ABNA0123456789',
      counterpartyAgent: 'ABNANL2A',
      ultimateCreditor: 'Fonds Woningen',
      remittanceInformationUnstructured: 'Huur september 2026',
      endToEndId: 'NOTPROVIDED',
    }),
    booked('1003', '2026-09-15', '-49.95', 'EUR', energy),
    booked('1004', '2026-10-02', '49.95', 'EUR', energy),
    booked('1005', '2026-10-05', '-300.00', 'EUR', {}),
    booked('1006', '2026-10-20', '-92.33', 'EUR', {
      counterpartyName: 'ACME INC',
      counterpartyAccount: '123456789',
      counterpartyAgent: 'CHASUS33',
      remittanceInformationUnstructured: 'INV 7',
      endToEndId: 'X-1',
      originalAmount: '100.00',
      originalCurrency: 'USD',
      exchangeRate: '1.0831',
    }),
    booked('1007', '2026-10-31', '-4.20', 'EUR', { remittanceInformationUnstructured: 'Kosten oktober' }),
    booked('1008', '2026-11-03', '120.50', 'EUR', {
      ...client,
      remittanceInformationStructured: 'RF18539007547034',
      endToEndId: 'K-1',
    }),
    booked('1009', '2026-11-20', '-0.01', 'EUR', {
      ...client,
      valueDate: '2026-11-19',
      remittanceInformationUnstructured: 'cent',
      endToEndId: 'C-1',
    }),
    booked('1010', '2026-11-30', '-15.00', 'EUR', {
      bookingStatus: 'pending',
      counterpartyName: 'Kruidenier',
      counterpartyAccount: 'NL44RABO0888888888',
      counterpartyAgent: 'RABONL2U',
      remittanceInformationUnstructured: 'Pas 012',
    }),
  ],
  more: [
    ['1001', ['camt'], { otherInformation: 'InstrId I-1' }],
    ['1004', ['camt', 'mt940'], { reversal: true, returnReason: 'MD06' }],
    ['1005', ['camt', 'mt940'], { batchReference: 'BATCH-10' }],
    ['1005', ['camt', 'json'], { batchSize: 2 }],
    ['1006', ['camt', 'json'], { exchangeSourceCurrency: 'USD' }],
    ['1008', ['camt', 'json'], { creditorReferenceType: 'SCOR' }],
    ...(
      [
        ['1001', '/TRCD/00100/'],
        ['1002', '/TRCD/00105/'],
        ['1003', '/TRCD/01016/'],
        ['1004', '/TRCD/01315/'],
        ['1005', '/TRCD/00109/ /NRTX/2'],
        ['1006', '/TRCD/00220'],
        ['1007', '/TRCD/00801/'],
        ['1008', '/TRCD/00100/'],
        ['1009', '/TRCD/00105/'],
        ['1010', '/TRCD/00200/'],
      ] as const
    ).map(([id, otherInformation]) => [id, ['mt940'], { otherInformation }] as const),
  ],
  own: codes,
};

const abroad: Told = {
  counterpartyName: 'LIEFERANT GMBH',
  counterpartyAccount: 'DE89370400440532013000',
  counterpartyAgent: 'COBADEFF',
  remittanceInformationUnstructured: 'Rechnung 5',
};
const other = { counterpartyAccount: 'PL27114020040000300201355387', counterpartyAgent: '11402004' };
const polish: Bank = {
  rows: [
    booked('PL0001', '2026-09-02', '1230.00', 'PLN', {
      counterpartyName: 'KLIENT SP Z OO WARSZAWA',
      counterpartyAccount: 'PL10105000997603123456789123',
      counterpartyAgent: '105000',
      remittanceInformationUnstructured: 'Faktura 12/2026',
      additionalInformation: 'PRZELEW PRZYCHODZACY',
    }),
    booked('PL0002', '2026-09-10', '-45.00', 'PLN', {
      ...other,
      counterpartyName: 'ORANGE POLSKA',
      remittanceInformationUnstructured: 'Abonament 09.2026',
      additionalInformation: 'PRZELEW',
    }),
    booked('PL0003', '2026-09-30', '-8.00', 'PLN', {
      remittanceInformationUnstructured: 'Oplata za prowadzenie rachunku',
      additionalInformation: 'OPLATA',
    }),
    booked('PL0004', '2026-10-06', '-440.00', 'PLN', {
      ...abroad,
      additionalInformation: 'PRZELEW ZAGRANICZNY',
      originalAmount: '100.00',
      originalCurrency: 'EUR',
      exchangeRate: '4.3000',
    }),
    booked('PL0005', '2026-10-08', '440.00', 'PLN', { ...abroad, additionalInformation: 'ZWROT' }),
    booked('PL0006', '2026-11-12', '77.77', 'PLN', {
      ...other,
      counterpartyName: 'TAURON',
      remittanceInformationUnstructured: 'Zwrot nadplaty za energie elektryczna nr 123/11/2026',
      additionalInformation: 'PRZELEW',
    }),
    booked('PL0007', '2026-11-30', '-1000000.00', 'PLN', {
      ...other,
      counterpartyName: 'NOTARIUSZ',
      remittanceInformationUnstructured: 'Zakup nieruchomosci',
      additionalInformation: 'PRZELEW',
    }),
    booked('PL0008', '2026-12-01', '-20.00', 'PLN', {
      bookingStatus: 'pending',
      counterpartyName: 'KAWIARNIA',
      remittanceInformationUnstructured: 'Blokada karty',
      additionalInformation: 'KARTA',
    }),
  ],
  more: [
    ['PL0004', ['camt', 'mt940'], { chargesAmount: '10.00', chargesCurrency: 'PLN' }],
    ['PL0004', ['camt'], { chargesIncluded: true, otherInformation: 'CntrValAmt 430.00 PLN' }],
    [
      'PL0004',
      ['camt', 'json'],
      { exchangeSourceCurrency: 'EUR', exchangeTargetCurrency: 'PLN', exchangeUnitCurrency: 'EUR' },
    ],
    ['PL0005', ['camt', 'mt940'], { reversal: true }],
  ],
  own: codes,
  written: [
    ['PL0005', ['json'], { amount: '440.0' }],
    ['PL0007', ['json'], { amount: '-1000000' }],
  ],
};

const power: Told = {
  counterpartyName: 'Strom AG',
  counterpartyAccount: 'DE27100777770209299700',
  counterpartyAgent: 'GENODEF1ABC',
  remittanceInformationUnstructured: 'Abschlag 9',
  endToEndId: 'ST-9',
  mandateId: 'M-1',
  creditorId: 'DE98ZZZ09999999999',
};
const german: Bank = {
  rows: [
    booked('DE0001', '2026-09-01', '2500.00', 'EUR', {
      counterpartyName: 'Muster GmbH',
      counterpartyAccount: 'DE89370400440532013000',
      counterpartyAgent: 'COBADEFFXXX',
      remittanceInformationUnstructured: 'Gehalt September',
      additionalInformation: 'GUTSCHRIFT',
      endToEndId: 'LOHN-09',
      purposeCode: 'SALA',
    }),
    booked('DE0002', '2026-09-03', '-650.00', 'EUR', {
      counterpartyName: 'Hausverwaltung Nord',
      counterpartyAccount: 'DE75512108001245126199',
      counterpartyAgent: 'NOLADE21KIE',
      ultimateCreditor: 'Eigentuemer Ost',
      remittanceInformationUnstructured: 'Miete September 2026 Wohnung 12 im zweiten Obergeschoss',
      additionalInformation: 'DAUERAUFTRAG',
      endToEndId: 'NOTPROVIDED',
    }),
    booked('DE0003', '2026-09-15', '-79.90', 'EUR', { ...power, additionalInformation: 'FOLGELASTSCHRIFT' }),
    booked('DE0004', '2026-09-17', '79.90', 'EUR', { ...power, additionalInformation: 'RUECKLASTSCHRIFT' }),
    booked('DE0005', '2026-10-05', '-23.45', 'EUR', {
      counterpartyName: 'BOOKSHOP',
      counterpartyAgent: 'CHASUS33',
      remittanceInformationUnstructured: 'BOOKSHOP NEW YORK',
      additionalInformation: 'KARTENZAHLUNG',
      endToEndId: '4711',
      originalAmount: '25.00',
      originalCurrency: 'USD',
      exchangeRate: '1.0661',
    }),
    booked('DE0006', '2026-10-15', '-1800.00', 'EUR', { additionalInformation: 'SAMMEL-UEBERWEISUNG' }),
    booked('DE0007', '2026-10-30', '-9.90', 'EUR', {
      remittanceInformationUnstructured: 'Kontofuehrung Oktober',
      additionalInformation: 'ENTGELTABSCHLUSS',
    }),
    booked('DE0008', '2026-11-10', '119.00', 'EUR', {
      counterpartyName: 'Klient KG',
      counterpartyAccount: 'DE12500105170648489890',
      counterpartyAgent: 'BYLADEM1001',
      ultimateDebtor: 'Zahler mbH',
      remittanceInformationUnstructured: 'Rechnung 2026-114',
      additionalInformation: 'GUTSCHRIFT',
      endToEndId: 'R-1',
    }),
    booked('DE0009', '2026-11-20', '0.01', 'EUR', {
      valueDate: '2026-11-21',
      counterpartyName: 'Jürgen Groß',
      remittanceInformationUnstructured: 'Prüfung für Größe',
      additionalInformation: 'GUTSCHRIFT',
    }),
    booked('DE0010', '2026-11-30', '-30.00', 'EUR', {
      bookingStatus: 'pending',
      counterpartyName: 'Turnverein',
      remittanceInformationUnstructured: 'Beitrag',
      additionalInformation: 'VORGEMERKTE LASTSCHRIFT',
    }),
  ],
  more: [
    ['DE0004', ['camt', 'mt940'], { reversal: true }],
    ['DE0004', ['camt'], { returnReason: 'MD06' }],
    [
      'DE0005',
      ['camt', 'json'],
      { exchangeSourceCurrency: 'EUR', exchangeTargetCurrency: 'USD', exchangeUnitCurrency: 'EUR' },
    ],
    ['DE0006', ['camt'], { batchReference: 'LOHN-10' }],
    ['DE0006', ['camt', 'json'], { batchSize: 2 }],
  ],
  own: codes,
};

const banks = { dutch, polish, german };
const formats = ['mt940', 'camt', 'json'] as const;
const file = (name: string) => readFileSync(join(import.meta.dirname, 'accountant', name));

async function rowsAs(name: string, format: Format): Promise<TransactionRow[]> {
  const ends = { mt940: 'sta', camt: 'xml', json: 'json' };
  const files = [name, ...(format === 'json' ? [] : [`${name}-pending`])];
  const rows: TransactionRow[] = [];
  for (const each of files) {
    const report = await reading(file(`${each}.${ends[format]}`));
    expect(report.error).toBeUndefined();
    const problems = report.items.flatMap((item) => (item.kind === 'problem' ? [item.problem.code] : []));
    // The lines of the transport in front of a file are skipped, which is said.
    expect(problems).toEqual(format === 'mt940' && name === 'dutch' ? ['text-skipped'] : []);
    rows.push(...report.rows);
  }
  // A list has its newest entry first.
  return rows.sort((one, two) => (one.transactionId ?? '').localeCompare(two.transactionId ?? ''));
}

describe.each(Object.entries(banks))(
  'three months at a %s bank',
  (name, { rows, more, own, written = [] }) => {
    it.each(formats)('are in %s the rows that were typed, and nothing else', async (format) => {
      const read = await rowsAs(name, format);
      expect(
        read.map((row) =>
          Object.fromEntries(
            Object.entries(row).filter(([key]) => ![...own, 'position'].includes(key as never)),
          ),
        ),
      ).toEqual(
        rows.map((row) =>
          Object.assign(
            {},
            row,
            ...[...more, ...written]
              .filter(([id, where]) => id === row.transactionId && where.includes(format))
              .map(([, , told]) => told),
          ),
        ),
      );
      expect(new Set(read.map(({ account }) => account?.replace(/^\//, ''))).size).toBe(1);
    });

    it.each([
      ['mt940', 'sta'],
      ['camt', 'xml'],
    ])('lead from balance to balance in %s', async (_, end) => {
      const { items } = await reading(file(`${name}.${end}`));
      expect(items.filter(({ kind }) => kind === 'balance').length).toBeGreaterThanOrEqual(6);
      expect(addsUp(items)).toBe(true);
    });
  },
);

it('what a format does not have stands in docs/statements.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/statements.md'), 'utf8');
  const titles = { json: 'JSON', camt: 'camt', mt940: 'MT940' };
  const lists = new Map(
    formats.map((format) => {
      const [, listed = ''] = new RegExp(`^- ${titles[format]}: ([^]*?)\\n(?:-|\\n)`, 'm').exec(page) ?? [];
      return [format, [...listed.matchAll(/`([A-Za-z]+)`/g)].map(([, column]) => column)];
    }),
  );
  const missing = Object.values(banks).flatMap(({ more }) =>
    more.flatMap(([, where, told]) =>
      formats
        .filter((format) => !where.includes(format))
        .flatMap((format) => Object.keys(told).map((column) => [format, column] as const)),
    ),
  );
  // What a bank says besides is in the format that it says it in; of charges JSON has those of cards alone, and of returns and
  // batches MT940 has what the layout of a country has.
  const besides = (column: string) =>
    ['otherInformation', 'chargesAmount', 'chargesCurrency', 'returnReason', 'batchReference'].includes(
      column,
    );
  expect(page).toMatch(/JSON has charges only for cards/);
  expect(page).toMatch(/German layout has neither `returnReason` nor `batchReference`/);
  expect(page).toMatch(/decimals that the bank wrote/);
  expect(
    missing.filter(([format, column]) => !besides(column) && lists.get(format)?.includes(column) !== true),
  ).toEqual([]);
});
