// Entries written by hand in every layout of field 86 come back with their amount, sign, day and text; not a character is lost.
// And files with mistakes in them are read to their end, whatever the mistakes are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import type { TransactionRow } from '../../../../../src/standard/formats/rows/transaction-row.ts';
import { Dice } from '../../../../helpers/dice.ts';
import { trials } from '../../../../helpers/trials.ts';
import { reading } from './reading.ts';

interface Written {
  minor: bigint;
  mark: 'C' | 'D' | 'RC' | 'RD';
  day: string;
  name: string;
  text: string;
  reference: string;
  account: string;
  /** Of a part or a word that nobody knows. */
  odd: string;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const signs = `${letters}.,()'&%=;#äöüßéçñłżő`;

const word = (by: Dice, of: string, least: number, most: number): string =>
  Array.from({ length: least + by.below(most - least + 1) }, () => of[by.below(of.length)]).join('');
const sentence = (by: Dice, words: number): string =>
  Array.from({ length: 1 + by.below(words) }, () => word(by, signs, 1, 9)).join(' ');

function written(by: Dice): Written {
  return {
    minor: BigInt(by.below(1_000_000_000)),
    mark: by.pick(['C', 'D', 'RC', 'RD']),
    day: `26${String(1 + by.below(12)).padStart(2, '0')}${String(1 + by.below(28)).padStart(2, '0')}`,
    name: sentence(by, 5),
    text: sentence(by, 30),
    reference: `R${word(by, letters, 4, 30)}`,
    account: `NL${word(by, '0123456789', 16, 16)}`,
    odd: `Q${word(by, letters, 3, 9)}`,
  };
}

const cut = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
/** A bank that folds at 65 counts the tag. */
const folded = (text: string): string => cut(`:86:${text}`, 65).join('\r\n');

/** Parts of at most 27 characters under numbers; more of them than there are numbers would be lost by the bank. */
function parts(sign: string, { name, text, reference, account, odd }: Written): string {
  const room = [...Array(10).keys()].map((at) => String(20 + at)).concat(['60', '61', '62', '63']);
  const told = [...cut(`EREF+${reference}`, 27), ...cut(`SVWZ+${text}`, 27)].slice(0, 14);
  const numbered = told.map((part, at) => sign + (room[at] ?? '') + part).join('');
  const names = cut(name, 27).slice(0, 2);
  return folded(
    `166${sign}00TRANSFER${numbered}${sign}31${account}${names.map((part, at) => `${sign}3${String(2 + at)}${part}`).join('')}${sign}96${odd}`,
  );
}

/** What begins like a part of field 86 and is none. */
const sums = ['$20', '*10 X', '123+25', '~20', '100%20', '@32', '>30', '250(20', '500*20', '^20 AND ^30'];
const sumBefore = (text: string): string => sums[text.length % sums.length] ?? '';

const layouts: Readonly<Record<string, (entry: Written) => string>> = {
  german: (entry) => parts('?', entry),
  polish: (entry) => parts('~', entry),
  caret: (entry) => parts('^', entry),
  less: (entry) => parts('<', entry),
  'a line for each part': (entry) =>
    parts('?', entry)
      .replaceAll('\r\n', '')
      .replaceAll(/\?(?=[0-9]{2})/g, '\r\n?'),
  'ABN AMRO': ({ name, text, reference, account, odd }) =>
    folded(
      `/TRTP/TRANSFER/IBAN/${account}/BIC/ABNANL2A/NAME/${name}/EREF/${reference}/QQQQ/${odd}/REMI/${text}`,
    ),
  Rabobank: ({ name, text, reference, account, odd, mark }) => {
    const role =
      (mark.endsWith('D') ? mark === 'D' : mark === 'RC') === mark.startsWith('R') ? 'ORDP' : 'BENM';
    return folded(`/EREF/${reference}/${role}//NAME/${name}/IBAN/${account}/REMI/${text}/ISDT/${odd}`);
  },
  ING: ({ name, text, reference, account, odd }) =>
    folded(`/EREF/${reference}//CNTP/${account}/INGBNL2A/${name}/${odd}//REMI/USTD//${text}/`),
  'words with a plus': ({ name, text, reference, account, odd }) =>
    `:86:EREF+${reference}\r\nNAME+${name}\r\nIBAN+${account}\r\nRTYP+${odd}\r\n${cut(`SVWZ+${text}`, 65).join('\r\n')}`,
  'two fields': ({ name, text, reference, account, odd }) =>
    `:86:/EREF/${reference}/IBAN/${account}/NAME/${name}/QQQQ/${odd}/\r\n${folded(text)}`,
  'a sum first': ({ name, text, reference, account, odd }) =>
    folded([sumBefore(text), text, name, reference, account, odd].join(' ')),
  plain: ({ name, text, reference, account, odd }) => folded([text, name, reference, account, odd].join(' ')),
};
const names = Object.keys(layouts);

const money = (minor: bigint): string => `${String(minor / 100n)},${String(minor % 100n).padStart(2, '0')}`;
const dense = (text: string): string => text.replace(/\s/g, '');

function check(layout: string, entry: Written, row: TransactionRow): void {
  const negative = entry.mark === 'D' || entry.mark === 'RC';
  const size = money(entry.minor).replace(',', '.');
  expect(row.amount).toBe(negative && entry.minor !== 0n ? `-${size}` : size);
  expect(row.valueDate).toBe(`20${entry.day.slice(0, 2)}-${entry.day.slice(2, 4)}-${entry.day.slice(4)}`);
  expect(row.marks).toBeUndefined();
  const kept = dense(Object.values(row).join(' '));
  // Fourteen parts hold no more of a text, and two no more of a name.
  const [text, name] = [entry.text, entry.name].map((whole, at) => {
    if (!/^(?:german|polish|caret|less|a line)/.test(layout)) return whole;
    const room = at === 1 ? 54 : 27 * (14 - Math.ceil((entry.reference.length + 5) / 27)) - 5;
    return whole.slice(0, room).trim();
  }) as [string, string];
  for (const told of [text, name, entry.reference, entry.account, entry.odd])
    expect(kept, layout).toContain(dense(told));
  if (layout === 'plain' || layout === 'a sum first') {
    const first = layout === 'plain' ? [] : [sumBefore(entry.text)];
    expect(row.remittanceInformationUnstructured).toBe(
      [...first, text, name, entry.reference, entry.account, entry.odd].join(' '),
    );
    return;
  }
  expect(row).toMatchObject({
    endToEndId: entry.reference,
    counterpartyAccount: entry.account,
    counterpartyName: name,
  });
  expect(row.remittanceInformationUnstructured).toBe(text);
}

const losses = trials('mt940-text', 600);
it(
  'every MT940 entry comes back as it was written, in every layout, without a lost character',
  async () => {
    const by = new Dice(losses.seed);
    for (let done = 0; done < losses.count;) {
      const entries = Array.from({ length: 40 }, () => ({ layout: by.pick(names), entry: written(by) }));
      const text = [
        ':20:1',
        ':25:NL20INGB0001234567',
        ':60F:C260101EUR0,00',
        ...entries.flatMap(({ layout, entry }) => [
          `:61:${entry.day}${entry.mark}${money(entry.minor)}NTRFNONREF`,
          layouts[layout]!(entry),
        ]),
        ':62M:C260102EUR0,00',
        '-',
        '',
      ].join('\r\n');
      const { rows, error } = await reading(text);
      expect(error).toBeUndefined();
      expect(rows).toHaveLength(entries.length);
      for (const [at, { layout, entry }] of entries.entries()) check(layout, entry, rows[at]!);
      done += entries.length;
    }
    losses.report(`${String(losses.count)} entries, 0 lost`);
  },
  losses.timeout(30_000),
);

const folder = import.meta.dirname;
const seeds = ['framing', 'entries', 'balances', 'parts', 'words']
  .flatMap((name) =>
    readFileSync(join(folder, 'mt940', `${name}.txt`), 'utf8')
      .split(/^# .*\n/m)
      .slice(1),
  )
  .map((sample) => sample.replace(/^=> .*\n/m, ''))
  .map((sample) =>
    sample.includes(':20:') ? sample : `:20:1\n:60F:C260101EUR0,00\n${sample}:62F:C260101EUR0,00\n-\n`,
  )
  .map((text) => Buffer.from(text));
const strange = [
  ':61:',
  ':86:',
  ':20:',
  ':60F:',
  ':62F:',
  '-',
  '-}',
  '{4:',
  '{',
  '}',
  '?',
  '/',
  '\r',
  '\n',
  '\0',
  '\u0001',
  ',',
  '+',
];

/** A file with up to eight mistakes: bytes turned, cut out, doubled, or put in. */
function mutated(by: Dice): Buffer {
  let bytes: Buffer = by.pick(seeds);
  for (let left = 1 + by.below(8); left > 0; left -= 1) {
    const at = by.below(bytes.length + 1);
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    const how = by.below(6);
    if (how === 0) bytes = Buffer.concat([head, Buffer.of(by.below(256)), tail.subarray(1)]);
    else if (how === 1) bytes = Buffer.concat([head, tail.subarray(1 + by.below(20))]);
    else if (how === 2) bytes = Buffer.concat([head, tail, tail]).subarray(0, 20_000);
    else if (how === 3) bytes = Buffer.concat([head, Buffer.from(by.pick(strange)), tail]);
    else if (how === 4)
      bytes = Buffer.concat([head, Buffer.from(by.pick(strange).repeat(by.below(300))), tail]);
    else bytes = Buffer.concat([head, by.pick(seeds), tail]).subarray(0, 20_000);
  }
  return bytes;
}

const mutants = trials('mt940-mutants', 400);
it(
  'a mistake in an MT940 file is at most an error: no crash, no hang',
  async () => {
    const by = new Dice(mutants.seed);
    let refused = 0;
    let slowest = 0;
    for (let done = 0; done < mutants.count; done += 1) {
      const bytes = mutated(by);
      const begun = performance.now();
      const { error, rows } = await reading(bytes, { code: 'INPUT_INVALID' });
      slowest = Math.max(slowest, performance.now() - begun);
      if (error !== undefined) {
        refused += 1;
        expect(error, bytes.toString('latin1')).toBeInstanceOf(ObkError);
      }
      // An amount is a number or it is kept.
      for (const row of rows) {
        if (row.amount === undefined) expect(row.amountAsSent).toBeDefined();
        else expect(row.amount).toMatch(/^-?[0-9]+(?:\.[0-9]+)?$/);
      }
    }
    expect(slowest).toBeLessThan(5000);
    mutants.report(`${String(mutants.count)} files, ${String(refused)} refused, none crashed`);
  },
  mutants.timeout(30_000),
);
