// Two containers of one host with one state folder: each sees what the other does, though its pids mean nothing there.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneError } from '../helpers/one-error.ts';
import type { Ran } from '../helpers/obk.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { rowsIn } from '../helpers/state-file.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const container = ['unshare', '-r', '--pid', '--fork', '--mount-proc', '--kill-child', '--'] as const;

/** Whether processes can have pids of their own here; stderr says so where not. */
function hasContainers(): boolean {
  const [program, ...words] = container;
  const able = spawnSync(program, [...words, 'true'], { stdio: 'ignore' }).status === 0;
  if (!able)
    process.stderr.write('SKIPPED: no pid namespace can be made here, so no two containers are tested\n');
  return able;
}

/** A bank that makes payments, and answers when it is told to. */
async function slowBank() {
  const made: string[] = [];
  let isHeld = false;
  let held: (() => void)[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      const answer = (status: number, body: object) => {
        response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
        response.end(JSON.stringify(body));
      };
      if (request.method !== 'POST') {
        answer(200, { transactionStatus: 'ACSC' });
        return;
      }
      const { amount } = (JSON.parse(text) as { instructedAmount: { amount: string } }).instructedAmount;
      made.push(amount);
      const paymentId = `payment-${String(made.length)}`;
      const _links = { self: { href: `${request.url ?? ''}/${paymentId}` } };
      const say = () => {
        answer(201, { transactionStatus: 'ACSC', paymentId, _links });
      };
      if (isHeld) held.push(say);
      else say();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    made: (amount: string) => made.filter((one) => one === amount).length,
    hold: () => (isHeld = true),
    release: () => {
      isHeld = false;
      for (const say of held) say();
      held = [];
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

let bank: Awaited<ReturnType<typeof slowBank>>;
let home: PayingHome;
beforeEach(async () => {
  bank = await slowBank();
  home = await payingHome({ ...bank, decide: () => undefined, close: () => Promise.resolve() });
});
afterEach(() => {
  home.close();
  bank.close();
});

/** obk as a process behind what makes a container, with the state folder of the home. */
function run(within: readonly string[], args: readonly string[]): Promise<Ran> {
  const [program = '', ...words] = [...within, process.execPath, bin, ...args];
  const child = spawn(program, words, { env: home.env, cwd: home.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => {
      done({ code, stdout, stderr });
    });
  });
}
const idOf = ({ stdout }: Ran) => (JSON.parse(stdout) as { paymentId?: string }).paymentId;
const pending = ['pending', 'list', '--profile', 'acme', '--json'];

const places = [
  ['of one machine', []],
  ['of two containers', container],
] as const;

describe.each(places)('processes %s', (_place, within) => {
  const isHere = within.length === 0 || hasContainers();

  it.runIf(isHere)(
    'see that a payment is under way, and what became of it',
    { timeout: 60_000 },
    async () => {
      bank.hold();
      const first = run(within, payArgs('3.00', 'key'));
      await expect.poll(() => bank.made('3.00'), { timeout: 20_000 }).toBe(1);
      const again = await run(within, payArgs('3.00', 'key'));
      expect({ exit: again.code, ...oneError(again) }).toMatchObject({ exit: 8, code: 'INTENT_IN_PROGRESS' });
      const alike = await run(within, payArgs('3.00'));
      expect({ exit: alike.code, ...oneError(alike) }).toMatchObject({ exit: 8, code: 'INTENT_IN_PROGRESS' });
      // It is listed, since its end is not known; whoever settles it is told to wait.
      const listed = await run(within, pending);
      const [one, ...others] = JSON.parse(listed.stdout) as { id: string; amount: string; next: string }[];
      expect([one?.amount, others], listed.stderr).toEqual(['3.00', []]);
      expect(one?.next).toMatch(/; first let its run end$/);
      const show = await run(within, ['pending', 'show', one?.id ?? '', '--profile', 'acme', '--json']);
      expect(show.stdout).toContain('the run that sent it may still be waiting');
      expect(bank.made('3.00')).toBe(1);
      bank.release();
      const ended = await first;
      expect(ended.code, ended.stderr).toBe(0);
      const later = await run(within, payArgs('3.00', 'key'));
      expect([later.code, idOf(later)], later.stderr).toEqual([0, idOf(ended)]);
      expect(JSON.parse((await run(within, pending)).stdout)).toEqual([]);
      expect(bank.made('3.00')).toBe(1);
    },
  );

  it.runIf(isHere)('write one state at once, and lose nothing of it', { timeout: 120_000 }, async () => {
    const amounts = ['4.01', '4.02', '4.03'];
    // Each by two of them, with one key.
    const ran = await Promise.all(
      amounts.flatMap((amount) => [amount, amount].map((one) => run(within, payArgs(one, `key ${one}`)))),
    );
    for (const { code, stderr } of ran) expect(code, stderr).toBeOneOf([0, 8]);
    for (const [at, amount] of amounts.entries()) {
      expect(bank.made(amount), JSON.stringify(ran)).toBe(1);
      expect([ran[2 * at]?.code, ran[2 * at + 1]?.code]).toContain(0);
    }
    const stateDir = join(home.folder, 'state');
    for (const file of ['state', 'log'] as const)
      expect(rowsIn(stateDir, file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(rowsIn(stateDir, 'state', 'SELECT state, count(*) AS number FROM intent GROUP BY state')).toEqual([
      { state: 'made', number: 3n },
    ]);
  });
});
