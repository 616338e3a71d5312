import { parse, parseAllDocuments } from 'yaml';
import { expect, it } from 'vitest';
import { changeLine, render } from '../../../../src/cli/program/document.ts';
import { plainStyle } from '../../../../src/cli/render/style.ts';
import { toYaml } from '../../../../src/cli/render/yaml.ts';
import { readJson } from '../../../../src/standard/xs2a/json.ts';

const printing = { format: 'yaml', style: plainStyle } as const;

it('keeps the digits of a bank', () => {
  expect(toYaml(readJson('{"a":1.00,"b":12345678901234567890,"c":-0.10,"d":1E2}'))).toBe(
    'a: 1.00\nb: 12345678901234567890\nc: -0.10\nd: 1E2\n',
  );
});

it.each([
  'no',
  'Yes',
  '012345',
  '1e3',
  '12:30:45',
  '2026-11-02',
  '0x1F',
  '~',
  'null',
  '',
  ' a ',
  '- a',
  '# a',
  '*a',
  '<<',
  '1_000',
  '.5',
  'a: b',
])('the text %j stays a text for readers of YAML 1.1 and 1.2', (text) => {
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(toYaml({ [text]: text }), { version })).toEqual({ [text]: text });
});

it.each([
  '=',
  'a\u0085b',
  'a\u2028b',
  'a\u2029 b',
  '\u007f',
  '\u009b',
  '\ufeffa',
  'a\n\u0085b: c\\',
  '\uffff',
])('the text %j has nothing that ends a line or has a type of its own in YAML 1.1', (text) => {
  const printed = toYaml({ [text]: text, list: [text] });
  expect(printed).toMatch(/^[\n\x20-\x7e]+$/);
  expect(printed).not.toMatch(/(^|[\n ])=[:\n]/);
  for (const version of ['1.1', '1.2'] as const)
    expect(parse(printed, { version })).toEqual({ [text]: text, list: [text] });
});

it('gives nothing of a bank another line or level', () => {
  const hostile = { text: 'a\n---\nb: c\n\u001b[2J\u2028\u0085\t', list: ['\n- x', '"', "'"] };
  expect(parseAllDocuments(toYaml(hostile))).toHaveLength(1);
  expect(parse(toYaml(hostile))).toEqual(hostile);
});

it('leaves out what is undefined, and repeats what stands twice', () => {
  const twice = { iban: 'DE1' };
  expect(toYaml({ a: twice, b: twice, c: undefined, d: null })).toBe(
    'a:\n  iban: DE1\nb:\n  iban: DE1\nd: null\n',
  );
});

async function textOf(parts: AsyncIterable<string> | Iterable<string>): Promise<string> {
  let all = '';
  for await (const part of parts) all += part;
  return all;
}

it('writes a list as one sequence, row by row, and an empty one as such', async () => {
  const rows = (all: object[]) =>
    render(
      { kind: 'rows', columns: [], rows: all as never, nameKey: 'id', empty: '' },
      { ...printing, fields: ['id'] },
    );
  expect(
    await textOf(
      rows([
        { id: '1', x: 2 },
        { id: 'b', x: 3 },
      ]),
    ),
  ).toBe('- id: "1"\n- id: b\n');
  expect(await textOf(rows([]))).toBe('[]\n');
});

it('writes each result that is watched as a document', async () => {
  const result = (scaStatus: string) =>
    changeLine({ kind: 'data', data: { scaStatus }, text: () => '' }, printing);
  const stream = (await result('received')) + (await result('finalised'));
  expect(parseAllDocuments(stream).map((document) => document.toJS() as unknown)).toEqual([
    { scaStatus: 'received' },
    { scaStatus: 'finalised' },
  ]);
});

it.each([
  '\u202eIBAN',
  'a\u2066b\u2069',
  '\u061c1',
  'pay\u200bment',
  'soft\u00adhyphen',
  '\u2060',
  '\ufff9x',
  'a\u001b]52;c;AA\u0007',
])('writes what turns or hides text on a screen as an escape (%j)', (text) => {
  const yaml = toYaml({ [text]: [text] });
  expect(yaml).toMatch(/^[\u0020-\u007e\n]*$/);
  expect(parse(yaml)).toEqual({ [text]: [text] });
});
