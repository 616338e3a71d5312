import { spawnSync } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { runScript } from '../helpers/script.ts';
import { trials } from '../helpers/trials.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const count = 40_000;

let obk: Obk;
beforeAll(() => {
  obk = createObk();
  const booked = Array.from({ length: count }, (_, at) => ({
    transactionId: `T${String(at)}`,
    bookingDate: '2026-11-02',
    transactionAmount: { currency: 'EUR', amount: '-1.00' },
    remittanceInformationUnstructured: 'x'.repeat(140),
  }));
  const report = { account: { iban: 'DE89370400440532013000' }, transactions: { booked } };
  writeFileSync(join(obk.folder, 'large.json'), JSON.stringify(report));
});
afterAll(() => {
  obk.close();
});

const read = ['transactions', 'read', 'large.json'];

/** A line of bash, and the exit code of the first program of its last pipe. */
async function bash(line: string) {
  const { stdout, stderr } = await runScript(obk, `${line}; printf '%s' "\${PIPESTATUS[0]}"`);
  return { stdout, stderr };
}

describe('a reader that goes', () => {
  it.each(['-o csv', '-o tsv', '-o ndjson', '-o table', '--json'])('is no failure with %s', async (how) => {
    const { stdout, stderr } = await bash(`obk ${read.join(' ')} ${how} | head -c 20 | wc -c | tr -d ' \\n'`);
    expect({ stdout, stderr }).toEqual({ stdout: '200', stderr: '' });
  });

  it('is no failure after the first line, or before it', async () => {
    expect(await bash(`obk ${read.join(' ')} -o name | head -1`)).toEqual({ stdout: 'T0\n0', stderr: '' });
    expect(await bash('obk sandbox people --json | true')).toEqual({ stdout: '0', stderr: '' });
    expect(await bash('obk help exit-codes | true')).toEqual({ stdout: '0', stderr: '' });
  });
});

it.each([read, [...read, '--json'], ['sandbox', 'people', '--json'], ['help', 'exit-codes'], ['version']])(
  'a full disk is exit 1 with a message: %s %s',
  (...args) => {
    const { status, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd: obk.folder,
      env: obk.env,
      encoding: 'utf8',
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      timeout: 10_000,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('could not be written: ENOSPC');
  },
);

const row = trials('27', 1);

it('10 MB of JSON arrive whole at a slow reader', { timeout: row.timeout(20_000) }, async () => {
  for (let round = 0; round < row.count; round += 1) await readSlowly();
  row.report('all whole; a full disk is exit 1');
});

async function readSlowly(): Promise<void> {
  const child = obk.start([...read, '--json']);
  const ended = new Promise((done) => child.once('exit', done));
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout!) {
    chunks.push(chunk as Buffer);
    await new Promise((done) => setImmediate(done));
  }
  expect(await ended).toBe(0);
  const all = Buffer.concat(chunks);
  expect(all.length).toBeGreaterThan(10_000_000);
  const rows = JSON.parse(all.toString()) as { transactionId: string }[];
  expect(rows).toHaveLength(count);
  expect(rows.at(-1)).toMatchObject({ position: count, transactionId: `T${String(count - 1)}` });
}
