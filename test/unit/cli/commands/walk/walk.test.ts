// Every command of the tree, once or more for each way it ends: its document against the published schema, its failure
// as one error with nothing on stdout. A command without a case fails the first test.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tree } from '../../../../../src/cli/commands/catalogue/tree.ts';
import { ObkError } from '../../../../../src/base/errors.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { part, ranTable } from '../../../../helpers/trials.ts';
import { cases } from './cases.ts';
import { judgeOf } from './published.ts';
import type { Judge, Published } from './published.ts';
import { order, split, startWalk } from './walk.ts';
import type { Failure, Line, Walk } from './walk.ts';

let walk: Walk;
let published: Published;
let problems: Judge;
beforeAll(async () => {
  walk = await startWalk();
  published = (await walk.json('commands')) as Published;
  problems = judgeOf(published);
});
afterAll(async () => {
  ranTable(`every line of, and Ctrl-C in, ${String(Object.keys(cases).length)} commands`);
  await walk.close();
});

const described = (path: string) => published.commands.find(({ command }) => command === path)!;

async function typed(path: string, { words }: Line): Promise<string[]> {
  return [...split(path), ...split(typeof words === 'string' ? words : await words(walk)), '--json'];
}

/** One document on one line, and no error unless it stands beside a result that was not wanted. */
async function runs(path: string, line: Line): Promise<void> {
  const { exit = 0, code } = line;
  const args = await typed(path, line);
  const ran = await walk.run(args, line);
  expect(ran.code, `obk ${args.join(' ')}\n${ran.stderr}`).toBe(exit);
  expect(ran.stdout.split('\n')).toHaveLength(2);
  const printed = JSON.parse(ran.stdout) as unknown;
  // A list without a row proves nothing of its rows.
  if (Array.isArray(printed)) expect(printed, args.join(' ')).not.toHaveLength(0);
  expect(problems(described(path).output ?? 'none', printed), `obk ${args.join(' ')}\n${ran.stdout}`).toBe(
    '',
  );
  expect(described(path).exitCodes).toContain(exit);
  if (code === undefined) expect(ran.stderr).not.toContain('{"error":');
  else expect(oneError(ran).code).toBe(code);
}

async function fails(path: string, line: Failure): Promise<void> {
  const args = await typed(path, line);
  const ran = await walk.run([...args, '--no-input'], line);
  const said = `obk ${args.join(' ')}\n${ran.stderr}`;
  expect({ code: ran.code, stdout: ran.stdout }, said).toEqual({ code: line.exit, stdout: '' });
  const error = oneError(ran);
  expect(error.code, said).toBe(line.code);
  expect(problems('error', { error }), said).toBe('');
  expect(described(path).exitCodes, said).toContain(line.exit);
}

it('walks every command, and each of them publishes what it prints', () => {
  const commands = tree.filter(({ load }) => load !== undefined).map(({ path }) => path);
  expect(Object.keys(cases).sort()).toEqual([...commands].sort());
  expect(published.commands.filter(({ output }) => output === null)).toEqual([]);
  const used = new Set(published.commands.map(({ output }) => output));
  // A payment is a case of what its commands print.
  const beside = ['dryRun', 'error', 'payment', 'refused', 'told', 'unknown'];
  expect(
    Object.keys(published.schemas)
      .filter((name) => !used.has(name))
      .sort(),
  ).toEqual(beside);
});

const interrupted = part(Object.keys(cases), 9, 0);
/** The first line of each command, and of the others so many as `npm test` has time for. */
const some = <One>([first, ...others]: readonly One[], at: number): readonly One[] =>
  first === undefined ? [] : [first, ...part(others, 5, at)];

const commands = Object.entries(cases).map(([path, one], at) => [path, one, at] as const);

describe.each(commands)('obk %s', (path, one, at) => {
  it('prints what its schema says', async ({ skip }) => {
    if (one.runs.length === 0) skip('PostgreSQL is not installed');
    for (const line of one.together ? one.runs : some(one.runs, at)) await runs(path, line);
  });

  it('fails with one error and an empty stdout', async () => {
    expect(one.fails).not.toHaveLength(0);
    for (const line of some(one.fails, at + 1)) await fails(path, line);
  });

  if (interrupted.includes(path))
    it('is stopped by Ctrl-C, or done', async ({ skip }) => {
      if (one.runs.length === 0) skip('PostgreSQL is not installed');
      const [line] = one.runs;
      const stopped = new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' });
      const ran = await walk.run(await typed(path, line!), { ...line, signal: AbortSignal.abort(stopped) });
      expect([line!.exit ?? 0, 130], ran.stderr).toContain(ran.code);
      if (ran.code === 130) expect(oneError(ran).code).toBe('INTERRUPTED');
      else expect(ran.stdout + ran.stderr).not.toContain('Interrupted');
    });
});

it.each(['payment init', 'consent create', 'payment status', 'accounts list', 'api'])(
  'obk %s --dry-run prints the request by its schema',
  async (path) => {
    const ids: Record<string, string> = {
      'payment init': order,
      'consent create': '--all-psd2',
      'accounts list': '--consent from-elsewhere',
      'payment status': await walk.payment(),
      api: 'GET v1/consents/none/status',
    };
    const printed = (await walk.json(`${path} ${ids[path] ?? ''} --dry-run --curl`)) as unknown;
    expect(problems('dryRun', printed)).toBe('');
  },
);

it.each([
  ['--print b', ['< ', '< {"transactionStatus":"RCVD"}']],
  ['-v --print h', ['< 200']],
])('%s shows these parts of each call on stderr, and log show later', async (flags, lines) => {
  const typed = `payment status ${await walk.payment()} ${flags}`;
  for (const line of [typed, `log show @last ${flags}`]) {
    const { stdout, stderr } = await walk.run(split(line));
    const shown = line === typed ? stderr : stdout;
    for (const part of lines) expect(shown.split('\n').map((one) => one.trimEnd())).toContain(part.trimEnd());
    expect(shown).not.toMatch(/^> /m);
  }
});

it.each(['payment get none-such --product sepa-credit-transfers', 'consent get none-such'])(
  'nothing goes on with what the bank does not know: %s',
  async (line) => {
    const error = oneError(await walk.run([...split(line), '--json']));
    expect(error.resource).not.toBeNull();
    expect(error.next ?? '').not.toContain('none-such');
  },
);

describe('a schema refuses', () => {
  const broken = (value: object) => problems('transactions', [value]);

  it('what lacks a member, has one of another kind, or has one that it does not know', () => {
    expect(broken({ position: 1, amount: '1.00' })).toBe('');
    expect(broken({ amount: '1.00' })).toMatch(/position/);
    expect(broken({ position: 1, amount: 1 })).toMatch(/amount/);
    expect(broken({ position: 1, ammount: '1.00' })).toMatch(/additional properties/);
  });

  it('every member of an error that is renamed', async () => {
    const { stderr } = await walk.run(['payment', 'gett', '--json']);
    const { error } = JSON.parse(stderr) as { error: object };
    for (const name of Object.keys(error)) {
      const renamed = Object.entries(error).map(
        ([key, value]) => [key === name ? `${key}2` : key, value] as const,
      );
      expect(problems('error', { error: Object.fromEntries(renamed) }), name).not.toBe('');
    }
  });
});
