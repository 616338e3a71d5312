// Every command line that an error, a hint or a next step can print, as it stands in the source, is read by a shell and then by obk.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { line } from '../../../src/base/command-line.ts';
import { findCommand } from '../../../src/cli/program/find-command.ts';
import { load } from '../../../src/cli/program/load.ts';
import { helpExamples } from '../../../src/cli/program/pages.ts';
import { blocksOf, guides } from '../../helpers/guides.ts';

interface Printed {
  at: string;
  text: string;
}

/** What stands for a value: most are hostile words of a bank, some are words of obk. */
const stands: readonly (readonly [RegExp, string | readonly string[]])[] = [
  [/^command$/, 'list'],
  [/noun|nounOf/i, 'consent'],
  [/^made$/, 'payment'],
  [/^method|toUpperCase|^other$/, 'GET'],
  [/^verb$/, 'get'],
  [/scaStatus/, 'authorise'],
  [/[qQ]uestion\.flag$/, '--psu-id'],
  [/^flag\.split/, ['--psu-id', 'ID']],
  [/^redirectFlags\[/, '--redirect-uri'],
  [/\.replace\('NAME'/, ['get', 'lifeCycle']],
  [/^(flags|flag|place|psu|whom|entered|named|named\.flat.*)$/, []],
  [/\.split\(' '\)$|^(wordsOf|flagsFor)\(/, []],
];
const hostile = "x;touch${IFS}f;#'\\ y";

/** A value as the source has it; of a choice between lists the one that is not empty. */
function valueFor(value: ts.Expression): string | readonly string[] {
  if (ts.isArrayLiteralExpression(value)) return value.elements.flatMap(valueFor);
  if (ts.isStringLiteral(value)) return value.text;
  if (ts.isTemplateExpression(value))
    return value.templateSpans.reduce(
      (text, { expression, literal }) => text + [valueFor(expression)].flat().join(' ') + literal.text,
      value.head.text,
    );
  if (ts.isConditionalExpression(value)) {
    const both = [value.whenTrue, value.whenFalse].map(valueFor);
    const lists = both.filter((one) => typeof one !== 'string');
    if (lists.length > 0) return lists.find((one) => one.length > 0) ?? [];
  }
  const source = value.getText();
  if (source === 'noun' && value.getSourceFile().fileName.includes('accounts')) return 'accounts';
  return stands.find(([known]) => known.test(source))?.[1] ?? hostile;
}

/** What `line` makes of a template with such values. */
function lineOf(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  const literals = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
  const values = template.templateSpans.map(({ expression }) => valueFor(expression));
  return line(Object.assign([...literals], { raw: literals }), ...values);
}

function printedIn(path: string): Printed[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Printed[] = [];
  const visit = (node: ts.Node): void => {
    const tagged = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'line';
    const text = tagged ? lineOf(node.template) : ts.isStringLiteral(node) ? node.text : undefined;
    if (text !== undefined && /^obk [a-z]/.test(text)) {
      const { line: row } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ at: `${path}:${String(row + 1)}`, text });
    }
    if (!tagged) ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const all = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .flatMap(printedIn)
  // Sentences that begin with the name of a command, and what certificates are called.
  .filter(({ text }) => !/\.$|^obk (test|is|does|needs|commands lists) /.test(text));

/** The words of each line as sh reads them. */
function readByShell(lines: readonly string[]): string[][] {
  const script = ['obk() { printf "%s\\0" "$@"; printf "\\1\\0"; }', ...lines].join('\n');
  const { stdout, stderr, status } = spawnSync('sh', [], { input: script, encoding: 'utf8', cwd: tmpdir() });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const words: string[][] = [[]];
  for (const word of stdout.split('\0').slice(0, -1)) {
    if (word === '\u0001') words.push([]);
    else words.at(-1)?.push(word);
  }
  return words.slice(0, -1);
}

const takesValue = (): ReadonlySet<string> => new Set(['--profile']);

/** What obk says of a command line before it runs; undefined where nothing is wrong with it. */
async function complaint(words: readonly string[]): Promise<string | undefined> {
  const { path, unknown, rest, help } = findCommand(words, takesValue);
  if (unknown !== undefined) return `no command ${[...path, unknown].join(' ')}`;
  if (path[0] === 'help' || help) return undefined;
  try {
    const { command } = await load(path);
    await command.action(() => undefined).parseAsync([...rest], { from: 'user' });
  } catch (error) {
    // What a flag makes of a placeholder is no matter here.
    if (error instanceof CommanderError) return error.message;
  }
  return undefined;
}

describe('a command line that is printed', () => {
  const words = readByShell(all.map(({ text }) => text));

  it('is one command each', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(words).toHaveLength(all.length);
  });

  it.each(all.map(({ at, text }, index) => [at, text, index] as const))(
    'at %s is taken: %s',
    async (_, __, index) => {
      expect(await complaint(words[index] ?? [])).toBeUndefined();
    },
  );
});

/** Words in capitals that are values. */
const meant = /PSDDE-BAFIN-\d+|IFS/g;

it('has no placeholder where the bank inside prints it', () => {
  const asPrinted = all.filter(({ at }) => /^src\/(bank|settings\/doors|cli\/commands\/sandbox)\//.test(at));
  const withPlaceholder = asPrinted.filter(({ text }) =>
    /\b[A-Z]{3,}\b/.test(text.replace(/ #.*/, '').replace(meant, '')),
  );
  expect(asPrinted.length).toBeGreaterThan(50);
  expect(withPlaceholder).toEqual([]);
});

// They run in .ci/run (test/e2e/examples and docs); here they are parsed.
describe('a command line that is shown', () => {
  const inGuides = guides.flatMap((name) =>
    blocksOf(readFileSync(name, 'utf8'), 'sh')
      .flatMap((block) => block.split('\n'))
      // Those that a shell reads as one command, whatever stands before them.
      .filter((text) => /^obk [^|&;<>$`()\\]*$/.test(text))
      .map((text) => [name, text] as const),
  );

  it.each([
    ['a help page', async () => (await helpExamples()).map(({ path, example }) => [path, example] as const)],
    ['a guide', () => Promise.resolve(inGuides)],
  ])('in %s is taken', async (_, shown) => {
    const lines = (await shown()).filter(([, text]) => /^obk\b/.test(text));
    expect(lines.length).toBeGreaterThan(50);
    const words = readByShell(lines.map(([, text]) => text));
    const wrong: string[] = [];
    for (const [index, [at, text]] of lines.entries()) {
      const said = await complaint(words[index] ?? []);
      if (said !== undefined) wrong.push(`${at}: ${text}: ${said}`);
    }
    expect(wrong).toEqual([]);
  });
});
