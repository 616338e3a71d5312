import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/client/ports/clock.ts';
import { runInside } from './inside.ts';
import { leftOut } from './setting-keys.ts';
import { typedBank } from './typed-bank.ts';
import type { Answered, Asked, RunningBank, Secured, TypedBank } from './typed-bank.ts';

type Line = readonly string[];
type Env = Readonly<Record<string, string>>;

/** How a command ended. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Command lines one after the other, where each depends on what the last one told; the end of the last one is judged. */
export type Journey = (
  obk: (line: Line, more?: Env, laterMs?: number) => Promise<Ended>,
  bank: RunningBank,
) => Promise<Ended>;

/** The exit code, or what is printed; anything but 0 if not given. */
type Failure = number | RegExp;

/** A bank of one oddity, and the settings by which obk works with it: without any one of them it does not. */
export interface Oddity {
  /** What distinguishes it from other banks for the same settings. */
  about?: string;
  bank: TypedBank | { readonly fresh: () => TypedBank };
  /** Where the bank is reached by https. */
  tls?: Secured;
  /** What is said of the bank; each of it is left out once. */
  settings: object;
  /** Said of it in all runs. */
  always?: object;
  /** The command lines, one after the other; the last one is judged. `{port}` stands for the port of the bank. */
  run: readonly Line[] | Journey;
  flags?: Line;
  /** How it ends where a setting is left out, for all settings or by their keys. */
  without?: Failure | { readonly by: Readonly<Record<string, Failure>> };
  /** What stands on stdout with them. */
  gives?: RegExp;
  /** What stdout must not hold with them. */
  never?: RegExp;
  /** The exit code with them; 0 if not given. */
  code?: number;
  /** What stands on stderr with them. */
  tells?: RegExp;
  env?: Env;
}

const home = mkdtempSync(join(tmpdir(), 'obk-oddities-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
let made = 0;

const merged = (a: object, b: object): object => {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    ...a,
    ...Object.fromEntries(
      Object.entries(b).map(([key, value]: [string, unknown]) => {
        const under: unknown = Reflect.get(a, key);
        return [key, isObject(under) && isObject(value) ? merged(under, value) : value];
      }),
    ),
  };
};

let passed = 0;

/** The time of obk and the bank: nobody waits for what sleeps, the time goes on by it. */
export const timeHere = (): number => Date.now() + passed;

function quickClock(laterMs: number): Clock {
  const clock = createClock();
  return {
    ...clock,
    now: () => new Date(timeHere() + laterMs),
    monotonic: () => clock.monotonic() + passed,
    async sleep(ms, signal) {
      await clock.sleep(0, signal);
      passed += ms;
    },
  };
}

/** Runs command lines, or a journey, with a profile of the bank; `settings` is its file. */
export async function atBank(
  bank: RunningBank,
  settings: object,
  lines: readonly Line[] | Journey,
  {
    flags = [],
    more = {},
    name: known,
    mayBeWrong = false,
  }: { flags?: Line; more?: Env; name?: string; mayBeWrong?: boolean } = {},
): Promise<Ended & { name: string }> {
  made += 1;
  const name = known ?? `odd${String(made)}`;
  const file = join(home, `${name}.json`);
  const here = `http://127.0.0.1:${String(bank.port)}`;
  const text = JSON.stringify(merged({ baseUrl: here }, settings));
  writeFileSync(file, text.replaceAll('{port}', String(bank.port)));
  const signs = flags.includes('--certificate') || 'signing' in settings ? [] : ['--signing', 'none'];
  const run = (line: Line, own: Env = {}, laterMs = 0) =>
    runInside(
      line.map((word) => word.replaceAll('{port}', String(bank.port))),
      {
        env: { ...env, ...more, ...own },
        cwd: home,
        input: '',
        ports: { clock: quickClock(laterMs) },
      },
    );
  if (known === undefined) {
    const create = await run([
      'profile',
      'create',
      name,
      '--bank',
      file,
      '--psu-ip',
      '192.0.2.7',
      ...signs,
      ...flags,
    ]);
    if (create.code !== 0 && mayBeWrong) return { ...create, name };
    expect(create.code, create.stderr).toBe(0);
  }
  const obk = (line: Line, own?: Env, laterMs?: number) =>
    run([...line, '--profile', name, '--no-input'], own, laterMs);
  if (typeof lines === 'function') return { ...(await lines(obk, bank)), name };
  let last: Ended = { code: 0, stdout: '', stderr: '' };
  for (const line of lines) last = await obk(line);
  return { ...last, name };
}

/** The settings of a bank and what else distinguishes it. */
const titleOf = ({ settings, about }: Oddity) =>
  [
    leftOut(settings)
      .map(({ key }) => key)
      .join(', '),
    ...(about === undefined ? [] : [about]),
  ].join(': ');

/** One test for each bank: without any one of its settings obk fails there or warns, with all of them it does neither. */
export function oddities(title: string, table: readonly Oddity[]): void {
  describe(title, () => {
    const banks: RunningBank[] = [];
    afterAll(() => Promise.all(banks.map((bank) => bank.close())));
    it.each(table.map((oddity) => [titleOf(oddity), oddity] as const))('%s', async (_, oddity) => {
      const { always = {}, settings, run, without, gives, never, tells, flags = [], env: more = {} } = oddity;
      const at = async (said: object, mayBeWrong: boolean) => {
        const bank = await typedBank('fresh' in oddity.bank ? oddity.bank.fresh() : oddity.bank, oddity.tls);
        banks.push(bank);
        return atBank(bank, merged(always, said), run, { flags, more, mayBeWrong });
      };
      const told = await at(settings, false);
      expect(told.code, told.stderr + told.stdout).toBe(oddity.code ?? 0);
      if (gives !== undefined) expect(told.stdout).toMatch(gives);
      if (never !== undefined) expect(told.stdout + told.stderr).not.toMatch(never);
      if (tells !== undefined) expect(told.stderr).toMatch(tells);
      for (const { key, without: said } of leftOut(settings)) {
        const isByKey = typeof without === 'object' && 'by' in without;
        const failure = isByKey ? without.by[key] : without;
        const plain = await at(said, isByKey);
        if (failure instanceof RegExp) {
          expect(plain.stderr + plain.stdout, `without ${key}`).toMatch(failure);
          expect(told.stderr + told.stdout).not.toMatch(failure);
        } else
          expect(plain.code, key + plain.stdout + plain.stderr).toEqual(failure ?? expect.not.closeTo(0));
      }
    });
  });
}

/** A refusal in the words of the interface. */
export const refused = (status: number, code: string, text = ''): Answered => [
  status,
  { tppMessages: [{ category: 'ERROR', code, text }] },
];

/** The path of a request without its query. */
export const pathOf = ({ path }: Asked): string => path.replace(/\?.*$/s, '');

/** The parameters of its query. */
export const queryOf = ({ path }: Asked): URLSearchParams => new URL(path, 'http://h').searchParams;
