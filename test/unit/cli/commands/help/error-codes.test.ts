import { describe, expect, it } from 'vitest';
import { tree } from '../../../../../src/cli/commands/catalogue/tree.ts';
import { errorExits } from '../../../../../src/base/errors.ts';
import { program } from '../../../../helpers/program.ts';

const json = async (line: string): Promise<unknown> => {
  const { code, stdout, stderr } = await program(`${line} --json`);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
};

describe('the error codes of obk', () => {
  it('are each on the page, with the exit and a sentence, in the order of exits', async () => {
    const rows = (await json('help errors')) as { code: string; exit: number; meaning: string }[];
    expect(Object.fromEntries(rows.map(({ code, exit }) => [code, exit]))).toEqual(errorExits);
    expect(rows.map(({ exit }) => exit)).toEqual(rows.map(({ exit }) => exit).sort((a, b) => a - b));
    for (const { code, meaning } of rows) expect(meaning, code).toMatch(/^[A-Z].{15,}\.$/);
    const lines = (await program('help errors')).stdout.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const { code, exit } of rows) {
      expect(
        lines.some((line) => new RegExp(`^ *${String(exit)}  ${code}( |$)`).test(line)),
        code,
      ).toBe(true);
    }
  });

  it('name no flag that there is not', async () => {
    const rows = (await json('help errors')) as { meaning: string }[];
    const tree = JSON.stringify(await json('commands'));
    const flags = rows.flatMap(({ meaning }) => meaning.match(/--[a-z-]+/g) ?? []);
    expect(flags).not.toEqual([]);
    for (const flag of flags) expect(tree).toContain(`"name":"${flag}"`);
  });

  it.each(Object.entries(errorExits))('%s is explained, with who must act', async (code, exit) => {
    expect(await json(`explain ${code}`)).toContainEqual(
      expect.objectContaining({
        term: code,
        kind: 'error code',
        facts: { 'exit code': String(exit) },
        who: expect.stringMatching(/^(TPP|PSU|ASPSP|nobody)$/) as unknown,
      }),
    );
  });

  it('are told apart from those of banks, and found in any case', async () => {
    const kinds = async (word: string) =>
      ((await json(`explain ${word}`)) as { kind: string }[]).map(({ kind }) => kind);
    expect(await kinds('CERTIFICATE_EXPIRED')).toEqual(['tppMessage', 'error code']);
    expect(await kinds('duplicate_payment')).toEqual(['error code']);
    expect((await program('explain DUPLICATE_PAYMENTS')).stderr).toContain('obk explain DUPLICATE_PAYMENT');
  });
});

describe('the commands of obk', () => {
  it.each(tree.filter(({ hidden }) => hidden !== true).map(({ path, summary }) => [path, summary]))(
    '%s: what it does, and where its help is',
    async (path, summary) => {
      expect(await json(`explain ${path}`)).toContainEqual(
        expect.objectContaining({
          term: path,
          kind: 'command',
          meaning: `${summary}.`,
          advice: expect.stringContaining(`obk help ${path} `) as unknown,
        }),
      );
    },
  );

  it('are suggested, and not among the words of the list', async () => {
    expect((await program('explain paymnt init')).stderr).toContain('obk explain payment init');
    const kinds = ((await json('explain')) as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toContain('error code');
    expect(kinds).not.toContain('command');
  });
});
