// How often a command waits for the disk, for what must not be lost: a count that no noise touches.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { hasPrograms } from '../helpers/programs.ts';
import { traced } from '../helpers/strace.ts';

const waits = ['fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync'];
const watch = [...waits, 'rename', 'renameat', 'renameat2', 'openat', 'write', 'writev', 'sendto'];

let obk: Obk;
/** The same home, for what is not watched. */
let inside: ReturnType<typeof insideOf>;
let secrets: NodeJS.ProcessEnv = {};

/**
 * Runs a command twice, the second time watched: what waits for the state, what leaves by a socket, in their order. The bank runs
 * already, unless `startsBank`: a bank that the watched command starts is watched to its end as well, seconds later.
 */
async function second(
  words: (turn: number) => readonly string[],
  startsBank = false,
): Promise<readonly string[]> {
  const env = { ...obk.env, ...secrets, ...(startsBank && { OBK_SANDBOX_IDLE: '3s' }) };
  const options = { env, cwd: obk.folder, watch };
  const state = join(obk.home, 'state', 'obk');
  await obk.run(words(1), { env });
  if (startsBank) await obk.json(['sandbox', 'stop']);
  const { code, stderr, calls } = await traced(words(2), options);
  expect(code, stderr).toBe(0);
  return calls.flatMap(({ name, line }) => {
    if (/<socket:/.test(line)) return ['leaves'];
    if (!line.includes(`${state}/`) && !line.includes(`<${state}>`)) return [];
    if (waits.includes(name) || (name === 'openat' && /O_D?SYNC/.test(line))) return ['wait'];
    return name.startsWith('rename') ? ['rename'] : [];
  });
}

const count = (all: readonly string[], what: string): number => all.filter((one) => one === what).length;

const pay = (psu: string) => (turn: number) => [
  ...['payment', 'init', ...shop, '--profile', 'sandbox', '--amount', `${String(turn)}.10`, '--psu-id', psu],
  ...['--psu-password-from', 'env:PSU_PASSWORD', '--otp-from', 'env:PSU_OTP', '--wait', '--no-input'],
];

const hasStrace = hasPrograms('strace');

describe.runIf(hasStrace)('a command waits for the disk', () => {
  beforeAll(async () => {
    obk = createObk({ OBK_SANDBOX_IDLE: '1m' });
    inside = insideOf(obk);
    await inside.json(['sandbox', 'people']);
  });
  afterAll(() => {
    obk.close();
  });

  async function knowing(psuId: string): Promise<void> {
    const people = (await inside.json(['sandbox', 'people'])) as {
      psuId: string;
      password: string;
      otp: string;
    }[];
    const { password, otp } = people.find((one) => one.psuId === psuId)!;
    secrets = { PSU_PASSWORD: password, PSU_OTP: otp };
  }

  it.each([
    ['embedded-one', [], 3],
    ['embedded-choice', ['--sca-method', 'sms'], 4],
  ] as const)('for a payment by %s: twice for each write, and four times', async (psu, more, writes) => {
    await knowing(psu);
    const calls = await second((turn) => [...pay(psu)(turn), ...more], psu === 'embedded-one');
    expect(count(calls, 'wait')).toBeLessThanOrEqual(4 + 2 * writes);
    expect(count(calls, 'rename')).toBe(0);
    // Before each request and each line there is one, or nothing was new: a line to a person is a socket too.
    const turns = calls.slice(calls.indexOf('wait')).filter((one, at, all) => one !== all[at - 1]);
    expect(count(turns, 'leaves')).toBeGreaterThanOrEqual(writes + 1);
  });

  it('for a consent at most ten times', async () => {
    await knowing('embedded-one');
    const calls = await second(() => [
      ...[
        'consent',
        'create',
        '--profile',
        'sandbox',
        '--psu-id',
        'embedded-one',
        '--all-psd2',
        '--recurring',
      ],
      ...['--psu-password-from', 'env:PSU_PASSWORD', '--otp-from', 'env:PSU_OTP', '--no-input'],
    ]);
    expect(count(calls, 'wait')).toBeLessThanOrEqual(10);
    expect(count(calls, 'rename')).toBe(0);
  });

  it.each([
    'accounts --consent @last',
    'payment status @last',
    'payment list',
    'consent list',
    'log list',
    'pending list',
  ])('not at all for %s', async (line) => {
    const calls = await second(() => [...line.split(' '), '--profile', 'sandbox']);
    expect(calls.filter((one) => one !== 'leaves')).toEqual([]);
  });
});
