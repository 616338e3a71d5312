// A shipped journey of each approach, recorded at the bank inside and replayed, passes as the same file; what is told again has
// ids and times of its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCaptures } from '../../src/client/evidence/captured-request.ts';
import type { CapturedRequest } from '../../src/client/evidence/captured-request.ts';
import { commandTree } from '../../src/cli/program/pages.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { runInside } from '../helpers/inside.ts';
import { part, ranTable } from '../helpers/trials.ts';

const shipped = ['pay-redirect', 'pay-oauth', 'pay-decoupled', 'embedded-wrong-otp-then-cancel'].map((name) =>
  resolve('journeys', `${name}.yaml`),
);

let bank: TestBank;
let env: NodeJS.ProcessEnv;
let replay: TestBank;
let recording: CapturedRequest[];
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  env = { HOME: bank.stateDir, XDG_CONFIG_HOME: join(bank.stateDir, 'config'), OBK_STATE_DIR: bank.stateDir };
  await commandTree();
  expect((await obk(['journey', 'run', ...shipped, '--profile', 'sandbox'])).code).toBe(0);
  const runs = JSON.parse((await obk(['log', 'list', '--json'])).stdout) as { run: string }[];
  const entries: unknown[] = [];
  for (const { run } of runs.reverse())
    entries.push(...(JSON.parse((await obk(['log', 'har', run, '--json'])).stdout) as Har).log.entries);
  const text = JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries } });
  recording = readCaptures(Buffer.from(text));
  replay = await startBank({
    stateDir: bank.stateDir,
    name: 'case',
    database: ':memory:',
    recording,
    doors: { httpsPort: 0 },
  });
}, 60_000);
afterAll(async () => {
  ranTable('replayed journeys of every approach');
  await replay.close();
  await bank.close();
});

interface Har {
  log: { entries: unknown[] };
}

const obk = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  runInside(args, { env: { ...env, ...more }, cwd: bank.stateDir });
const atCase = { OBK_SANDBOX: 'case' };

it('a replay may be the trace of a journey, which has all of its calls', async () => {
  const trace = join(bank.stateDir, 'trace.har');
  const before = bank.arrivals().length;
  const ran = await obk(['journey', 'run', 'cancel-free', '--profile', 'sandbox', '--trace', trace], {
    OBK_SANDBOX: 'default',
  });
  expect(ran.code, ran.stderr).toBe(0);
  const captures = readCaptures(readFileSync(trace));
  expect(captures.map(({ method }) => method)).toContain('DELETE');
  expect(captures).toHaveLength(bank.arrivals().length - before);
});

it('a replay answers what it lacks under the X-Request-ID of the call', async () => {
  const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
  const answer = await fetch(`${replay.baseUrl}/v1/accounts/none`, {
    headers: { 'X-Request-ID': requestId },
  });
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([404, requestId]);
});

describe('a replayed recording', () => {
  it.each(part(shipped, 3, 0))('passes %s', async (file) => {
    const before = bank.arrivals().length;
    const ran = await obk(['journey', 'run', file, '--profile', 'sandbox', '--json'], atCase);
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(bank.arrivals()).toHaveLength(before);
  });
});

it('a replay leads PSUs whom the built-in bank does not know, with secrets that it has for them', async () => {
  const bankers = recording.map((call) => ({
    ...call,
    headers: call.headers.map(([name, value]): [string, string] => [
      name,
      value === 'next-day' ? 'k-4711@bank' : value,
    ]),
  }));
  const server = await startBank({
    stateDir: bank.stateDir,
    name: 'strangers',
    database: ':memory:',
    recording: bankers,
  });
  try {
    const file = join(bank.stateDir, 'stranger.yaml');
    const text = readFileSync(shipped.at(-1) ?? '', 'utf8').replace(
      /psu-id: .*/,
      "psu-id: 'k-4711@bank'\n      debtor: DE02120300000000202051",
    );
    writeFileSync(file, text);
    const known = { OBK_SANDBOX: 'strangers' };
    const ran = await obk(['journey', 'run', file, '--profile', 'sandbox', '--json'], known);
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const { stdout } = await obk(['sandbox', 'people', 'k-4711@bank', '--field', 'password'], known);
    expect(stdout.trim()).not.toBe('');
  } finally {
    await server.close();
  }
});

it('a replay asks for a client certificate where it is set so', async () => {
  const server = await startBank({
    database: ':memory:',
    recording,
    doors: { httpsPort: 0, clientCertificate: 'required' },
  });
  try {
    const { status } = await fetch(`${server.baseUrl}/v1/consents/1/status`);
    expect(status).toBe(401);
  } finally {
    await server.close();
  }
});
