import { describe, expect, it } from 'vitest';
import { createStyle, plainStyle } from '../../../../src/cli/render/style.ts';
import { cellText, csvLine, tableText, tsvLine } from '../../../../src/cli/render/table.ts';
import { readJson } from '../../../../src/standard/xs2a/json.ts';

const columns = [
  { key: 'name', title: 'NAME' },
  { key: 'amount', title: 'AMOUNT', align: 'right' as const },
];
const width = (columns: number) => createStyle({ isTTY: true, columns, env: {}, colour: 'never' });

/** The lines of a text whose last one is ended too. */
function linesOf(text: string): string[] {
  const all = text.split('\n');
  expect(all.pop()).toBe('');
  return all;
}

async function lines(rows: Record<string, unknown>[], style = plainStyle, nameKey?: string) {
  let text = '';
  const named = nameKey === undefined ? {} : { nameKey };
  for await (const block of tableText(columns, rows, style, named)) text += block;
  return linesOf(text);
}

describe('a table', () => {
  it('aligns, and has no trailing blanks', async () => {
    expect(
      await lines([
        { name: 'Shop', amount: '12.50' },
        { name: 'A', amount: '1234.00' },
      ]),
    ).toEqual(['NAME   AMOUNT', 'Shop    12.50', 'A     1234.00']);
  });

  it('has no titles without rows', async () => {
    expect(await lines([])).toEqual([]);
  });

  it('cuts the widest column at the width of the terminal', async () => {
    const shown = await lines([{ name: 'x'.repeat(60), amount: '1.00' }], width(20));
    expect(shown[1]).toBe(`${'x'.repeat(11)}…    1.00`);
    expect(shown.every((line) => line.length <= 20)).toBe(true);
  });

  it('cuts nothing that a row is called by, since it is copied', async () => {
    const rows = [{ name: 'n'.repeat(15), amount: 'x'.repeat(40) }];
    expect((await lines(rows, width(30), 'name'))[1]).toBe(`${'n'.repeat(15)}  ${'x'.repeat(12)}…`);
    expect((await lines(rows, width(20), 'name'))[1]).toBe(`${'n'.repeat(15)}  ${'x'.repeat(7)}…`);
  });

  describe('for a person', () => {
    const wished = [
      { key: 'id', title: 'ID', forPerson: (id: string) => id.slice(0, 4) },
      { key: 'iban', title: 'IBAN', whole: true },
      { key: 'more', title: 'MORE', spare: 1 },
      { key: 'text', title: 'TEXT' },
    ];
    const row = { id: '12345678', iban: 'i'.repeat(20), more: 'm'.repeat(10), text: 't'.repeat(30) };
    const shown = async (style: ReturnType<typeof width>, exact = false) => {
      let text = '';
      for await (const block of tableText(wished, [row], style, { nameKey: 'id', exact })) text += block;
      return linesOf(text)[1];
    };

    it('shows what fits', async () => {
      expect(await shown(width(80))).toBe(`1234  ${row.iban}  ${row.more}  ${row.text}`);
    });

    it('cuts texts first, then leaves columns out, and cuts nothing that is copied', async () => {
      expect(await shown(width(60))).toBe(`1234  ${row.iban}  ${row.more}  ${'t'.repeat(19)}…`);
      expect(await shown(width(44))).toBe(`1234  ${row.iban}  ${'t'.repeat(15)}…`);
      expect(await shown(width(20))).toBe(`1234  ${row.iban}  ${'t'.repeat(7)}…`);
    });

    it('is exact where that is asked for, and in a pipe', async () => {
      const whole = `12345678  ${row.iban}  ${row.more}  ${row.text}`;
      expect(await shown(width(200), true)).toBe(whole);
      expect(await shown(plainStyle)).toBe(whole);
      expect(await shown(width(20), true)).toContain(`12345678  ${row.iban}`);
    });
  });

  it('cuts no day and no amount', async () => {
    const rows = [{ name: '2026-11-20', amount: '-123456789012345678.1234' }];
    expect((await lines(rows, width(20), 'name'))[1]).toBe('2026-11-20  -123456789012345678.1234');
    const texts = [
      { name: 'x'.repeat(30), amount: '-1234567890.00' },
      { name: 'y', amount: '' },
    ];
    expect((await lines(texts, width(26)))[1]).toBe(`${'x'.repeat(9)}…  -1234567890.00`);
  });

  it('cuts nothing where there is no terminal, nor after the first screenful', async () => {
    const rows = [...Array(300).keys()].map((at) => ({ name: 'x'.repeat(at), amount: '1.00' }));
    const shown = await lines(rows, createStyle({ isTTY: false, columns: 20, env: {}, colour: 'never' }));
    expect(shown.join('')).not.toContain('…');
  });

  it('counts wide and combining characters as a terminal does', async () => {
    expect(
      await lines([
        { name: '東京', amount: '1' },
        { name: 'e\u0301a', amount: '2' },
      ]),
    ).toEqual(['NAME  AMOUNT', '東京       1', 'e\u0301a         2']);
  });

  it('keeps the layout of the first screenful, and streams after it', async () => {
    let asked = 0;
    function* endless() {
      for (;;) {
        asked += 1;
        yield { name: `n${asked}`, amount: '1' };
      }
    }
    const seen: string[] = [];
    for await (const block of tableText(columns, endless(), plainStyle)) {
      seen.push(...linesOf(block));
      if (seen.length === 205) break;
    }
    expect(seen[204]).toBe('n204       1');
    expect(asked).toBe(204);
  });

  it('cuts no amount, and shows rows that broke off', async () => {
    async function* rows() {
      for (let at = 0; at < 30; at += 1)
        yield await Promise.resolve({ name: 'n', amount: `${'1'.repeat((at % 14) + 1)}.00` });
      throw new Error('lost');
    }
    const seen: string[] = [];
    const reading = (async () => {
      for await (const block of tableText(columns, rows(), plainStyle, { atOnce: 1 }))
        seen.push(...linesOf(block));
    })();
    await expect(reading).rejects.toThrow('lost');
    expect(seen).toHaveLength(31);
    expect(seen[28]).toBe(`n     ${'1'.repeat(14)}.00`);
  });

  it('shows what a bank wrote, never obeys it', async () => {
    const evil = 'a\u001b]52;c;eA==\u0007\u202eb\nc\td';
    const [, shown] = await lines([{ name: evil, amount: '1' }]);
    expect(shown).toBe('a\\x1b]52;c;eA==\\x07\\u{202e}b⏎c d       1');
    // eslint-disable-next-line no-control-regex
    expect(tsvLine([evil])).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

it.each<[unknown, string]>([
  [null, ''],
  [undefined, ''],
  ['text', 'text'],
  [true, 'true'],
  [12, '12'],
  [['a', 'b'], 'a, b'],
  [{ a: 1 }, '{"a":1}'],
  [readJson('12.500'), '12.500'],
])('the cell of %o', (value, text) => {
  expect(cellText(value)).toBe(text);
});

describe('CSV', () => {
  it.each<[unknown[], string]>([
    [['a', 'b'], 'a,b'],
    [['a,b', 'say "x"', 'two\nlines'], '"a,b","say ""x""","two\nlines"'],
    [['-1.50', '-5'], '-1.50,-5'],
    [['=1+1', '+49', '@x', '-a'], "'=1+1,'+49,'@x,'-a"],
    [['\t=x', '\uff1dx'], "'\t'=x,'\uff1dx"],
    [[null, undefined, ''], ',,'],
  ])('%o', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });
});
