// Help that fits a screen: the pages of commands with many flags explain the usual ones and name every other one.
import { describe, expect, it } from 'vitest';
import { helpTexts } from '../../../../src/cli/program/pages.ts';
import { tree } from '../../../../src/cli/commands/catalogue/tree.ts';
import { load } from '../../../../src/cli/program/load.ts';
import { program } from '../../../helpers/program.ts';

const texts = await helpTexts();
const commands = await Promise.all(
  tree.filter(({ load: run }) => run !== undefined).map(({ path }) => load(path.split(' '))),
);
const shortened = commands.filter(({ page }) => page.usual !== undefined);
const pageOf = (path: string): string => texts[path]?.text ?? '';
const linesOf = (path: string): number => pageOf(path).trimEnd().split('\n').length;
const stdoutOf = async (words: string): Promise<string> => (await program(words)).stdout;

describe('the help of obk', () => {
  const lines = pageOf('').split('\n');

  it('has at most 45 lines', () => {
    expect(linesOf('')).toBeLessThanOrEqual(45);
  });

  it('is enough to begin with its first 24 lines: each subject, and examples', () => {
    const first = lines.slice(0, 24).join('\n');
    for (const subject of ['Payments', 'Accounts', 'Debugging', 'Testing', 'Set-up', '$ obk payment init'])
      expect(first).toContain(subject);
  });

  it('names every noun once, and every topic', () => {
    for (const { path } of tree.filter(({ path: at, hidden }) => !/ |^help$/.test(at) && hidden !== true))
      expect(lines.filter((line) => new RegExp(` ${path} {2,}[A-Z]`).test(line))).toHaveLength(1);
    for (const { path } of tree.filter(({ path: at }) => at.startsWith('help ')))
      expect(lines.at(-2)).toContain(path.slice('help '.length));
  });
});

describe('the help of a command', () => {
  it.each(commands.filter(({ page }) => page.text === undefined).map(({ entry }) => entry.path))(
    'has at most 80 lines: %s',
    (path) => {
      expect(linesOf(path)).toBeLessThanOrEqual(80);
    },
  );

  it.each(commands.map(({ entry, command }) => [entry.path, command] as const))(
    'names every flag of its own: %s',
    (path, command) => {
      const shown = pageOf(path);
      const own = command.options.filter((option) => option.helpGroupHeading !== 'GLOBAL FLAGS');
      for (const { long = '', hidden } of own)
        if (!hidden && shown.includes('USAGE')) expect(shown).toMatch(new RegExp(`${long}(?![\\w-])`));
    },
  );

  it.each(shortened.map(({ entry, command, page }) => [entry.path, command, page] as const))(
    'explains only flags that there are, and leads to the whole page: %s',
    (path, command, page) => {
      const names = command.options.map(({ long = '' }) => long.slice(2));
      expect(names).toEqual(expect.arrayContaining(page.usual?.split(' ') ?? []));
      expect(pageOf(path)).toContain(`obk ${path} --help all`);
    },
  );
});

describe('the word after --help', () => {
  it.each(shortened.map(({ entry, command }) => [entry.path, command] as const))(
    'is all for the whole page: %s',
    async (path, command) => {
      const whole = (await stdoutOf(`${path} --help all`)).replace(/\s+/g, ' ');
      for (const { description, hidden, helpGroupHeading } of command.options)
        if (!hidden && helpGroupHeading !== 'GLOBAL FLAGS')
          expect(whole).toContain(description.replace(/\s+/g, ' '));
    },
  );

  it('is a group for its flags only', async () => {
    const group = await stdoutOf('payment init --help sca');
    expect(group).toMatch(/^SCA FLAGS\n/);
    expect(group).toContain('--psu-encrypted-password-from');
    expect(group).not.toContain('--amount');
  });

  it('is a part of the command that a noun means without a verb', async () => {
    expect(await stdoutOf('transactions --help report')).toMatch(/^REPORT FLAGS\n/);
  });

  it('is a command where it is the name of one', async () => {
    expect(await stdoutOf('payment --help init')).toBe(pageOf('payment init'));
  });

  it('is refused with the groups where it is none of them', async () => {
    expect(await program('payment init --help nothing')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('obk payment init --help request') as string,
    });
  });
});
