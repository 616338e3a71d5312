import { describe, expect, it } from 'vitest';
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';
import { rowsOf } from './reading.ts';

/** The row of one entry with the lines of its field 86. */
async function rowOf(
  information: string | readonly string[],
  entry = '2601020102C1,00NTRFNONREF',
): Promise<TransactionRow | undefined> {
  const lines = typeof information === 'string' ? [information] : information;
  const [first = '', ...more] = lines;
  const [row] = await rowsOf(
    [
      ':20:1',
      ':25:X',
      ':28C:1/1',
      ':60F:C260101EUR0,00',
      `:61:${entry}`,
      `:86:${first}`,
      ...more,
      ':62F:C260102EUR1,00',
      '-',
      '',
    ].join('\r\n'),
  );
  return row;
}

describe('field 86 of MT940', () => {
  it.each([
    '100.00 rent',
    '100,20 for Tom',
    '123-45 invoice',
    '120:30 meeting',
    "999'50 coins",
    '105?99 odd',
  ])('is plain text that begins with a number: %s', async (text) => {
    const row = await rowOf(text);
    expect(row?.remittanceInformationUnstructured).toBe(text);
    expect(row?.proprietaryBankTransactionCode).toBe('NTRF');
  });

  it.each(['?', '<', '@', '~', '+', '$', '^', '*'])('is structured by %s', async (mark) => {
    const row = await rowOf(['166', '00GUTSCHRIFT', '20rent', '32Jane'].join(mark));
    expect(row).toMatchObject({
      proprietaryBankTransactionCode: 'NTRF+166',
      additionalInformation: 'GUTSCHRIFT',
      remittanceInformationUnstructured: 'rent',
      counterpartyName: 'Jane',
    });
  });
});

describe('a separator of control within a text of field 86', () => {
  it.each([
    ['\x1e', 'EREF+E\x1e1', { endToEndId: 'E1' }],
    ['\x1f', 'EREF+E\x1f1', { endToEndId: 'E1' }],
    ['\x1f', 'blue\x1fEREF+E1', { remittanceInformationUnstructured: 'blueEREF+E1' }],
    ['\x1e', 'blue\x1eEREF+E1', { remittanceInformationUnstructured: 'blueEREF+E1' }],
  ])('does not end a part: %j', async (_sign, text, expected) => {
    expect(await rowOf(text)).toMatchObject(expected);
    const [word, rest] = text.split('+');
    expect(await rowOf(`166?20${word ?? ''}+${rest ?? ''}?32Jane`)).toMatchObject({
      ...expected,
      counterpartyName: 'Jane',
    });
  });
});

describe('the words between slashes of field 86', () => {
  const ordered = '/ORDP//NAME/Jane/IBAN/NL76RABO0359400371';
  const paid = '/BENM//NAME/Shop/IBAN/NL20INGB0001234567';
  const debit = '2601020102D1,00NTRFNONREF';
  const credit = '2601020102C1,00NTRFNONREF';
  it.each([
    ['a debit', debit, ordered + paid, 'Shop', 'NL20INGB0001234567'],
    ['a credit', credit, paid + ordered, 'Jane', 'NL76RABO0359400371'],
    ['a debit of the one that is named', debit, ordered, 'Jane', 'NL76RABO0359400371'],
    ['a credit of the one that is named', credit, paid, 'Shop', 'NL20INGB0001234567'],
    [
      'a credit that is taken back',
      '2601020102RC1,00NRTINONREF',
      paid + ordered,
      'Jane',
      'NL76RABO0359400371',
    ],
    [
      'a debit with ultimate parties',
      debit,
      `/ULTD//NAME/Boss${paid}/ULTB//NAME/Chief`,
      'Shop',
      'NL20INGB0001234567',
    ],
    ['a debit with its account in front', debit, '/IBAN/NL1/BENM//NAME/Shop', 'Shop', 'NL1'],
    ['a debit without roles', debit, '/NAME/Shop/ULTD//NAME/Boss', 'Shop', undefined],
  ])('name the counterparty of %s', async (_, entry, parties, name, account) => {
    const row = await rowOf(`/EREF/E-1${parties}/REMI/USTD//rent/`, entry);
    expect(row).toMatchObject({ endToEndId: 'E-1', remittanceInformationUnstructured: 'rent' });
    expect([row?.counterpartyName, row?.counterpartyAccount]).toEqual([name, account]);
  });
});

describe('field 61 of MT940', () => {
  it.each([
    ['NONREF', undefined, '166?20SVWZ+rent'],
    ['KREF+', undefined, '166?20SVWZ+rent'],
    ['KREF+', 'K-1', '166?20KREF+K-1?21SVWZ+rent'],
    ['REF-7', 'REF-7', '166?20KREF+K-1?21SVWZ+rent'],
  ])('has the reference %s for %s', async (sent, entryReference, information) => {
    const row = await rowOf(information, `2601020102C1,00NTRF${sent}//BANK`);
    expect(row?.entryReference).toBe(entryReference);
    expect(row?.transactionId).toBe('BANK');
  });
});
