import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { postgresCredentials } from '../../src/adapters/postgres/postgres-credentials.ts';
import { sharedState } from '../../src/adapters/postgres/shared-state.ts';
import { createClock } from '../../src/adapters/system-clock.ts';
import { intentHash } from '../../src/flows/resources/intent.ts';
import { intentState } from '../../src/flows/resources/intent-state.ts';
import { Secret } from '../../src/secret.ts';
import { bundled } from '../helpers/bundled.ts';
import { cuttingProxy } from '../helpers/cutting-proxy.ts';
import { Dice } from '../helpers/dice.ts';
import type { MachineTask } from '../helpers/fleet-machine.ts';
import { ownServer } from '../helpers/postgres-server.ts';
import { hasPostgres, testDatabase, testKey, testVault } from '../helpers/postgres.ts';
import { trials } from '../helpers/trials.ts';

/** The histories of a fleet: four machines on one database, and what may happen to each of them. */
const histories = trials('fleet', 3, 17);
const keys = ['k0', 'k1', 'k2', 'k3'];
const canaries = ['Canary Shop', 'DE02100100109307118603', 'refresh-', 'access-'];

/** A bank that books what it gets, rotates refresh tokens, and loses an answer now and then. */
async function bankOf(chance: () => number) {
  const booked: string[] = [];
  const accesses: number[] = [];
  const used = new Map<string, number>();
  let good = 'refresh-0';
  let count = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = (status: number, value: object) => {
        if (chance() < 0.15) request.socket.destroy();
        else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
      };
      const { url = '' } = request;
      if (url === '/token') {
        const token = new URLSearchParams(body).get('refresh_token') ?? '';
        used.set(token, (used.get(token) ?? 0) + 1);
        if (token !== good) {
          answer(400, { error: 'invalid_grant' });
          return;
        }
        good = `refresh-${String(++count)}`;
        answer(200, {
          ...{ access_token: `access-${String(count)}`, token_type: 'Bearer', expires_in: 300 },
          refresh_token: good,
        });
      } else if (url === '/access') {
        accesses.push(Date.now());
        response.end();
      } else if (url === '/use') response.end();
      else {
        const { endToEndIdentification: id } = JSON.parse(body) as { endToEndIdentification: string };
        booked.push(id);
        const self = { href: `${url}/p-${id}` };
        answer(201, { transactionStatus: 'RCVD', paymentId: `p-${id}`, _links: { self } });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { address, booked, accesses, used, good: () => good, close: () => server.close() };
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else
      child.once('close', () => {
        resolve();
      });
  });

describe.skipIf(!hasPostgres())('four machines with one PostgreSQL', () => {
  let server: ReturnType<typeof ownServer> | undefined;
  const shared = testDatabase({ from: () => (server ??= ownServer()) });

  it(
    'pay once, lose no token, keep to the budget and tell each other what is unknown, whatever dies when',
    async () => {
      const seen = { booked: 0, unknown: 0 };
      for (let turn = 0; turn < histories.count; turn++) {
        const one = await history(histories.seed + turn);
        seen.booked += one.booked;
        seen.unknown += one.unknown;
      }
      // A fleet that does nothing proves nothing.
      expect(seen.booked).toBeGreaterThan(histories.count);
      histories.report(`${String(seen.booked)} payments, ${String(seen.unknown)} of them unknown`);
    },
    histories.timeout(120_000),
  );

  async function history(seed: number) {
    const dice = new Dice(seed);
    const roll = (most: number) => dice.below(most);
    const chance = () => dice.next();
    const clock = createClock();
    shared.empty();
    const bank = await bankOf(chance);
    const credentials = postgresCredentials({
      ...{ database: shared.open(), vault: testVault(), chosen: () => Promise.resolve(undefined) },
    });
    const server = {
      issuer: bank.address,
      tokenEndpoint: `${bank.address}/token`,
      clientId: 'PSDDE-BAFIN-125314',
    };
    await credentials.update('acme', () => ({
      tokens: [
        { psuId: 'anna', token: new Secret('access-0'), refreshToken: new Secret('refresh-0'), server },
      ],
    }));
    const script = bundled(join(import.meta.dirname, '../helpers/fleet-machine.ts'));
    const proxies = await Promise.all([0, 1, 2, 3].map(async () => cuttingProxy(await shared.url())));
    const stepsOf = () =>
      Array.from({ length: 4 }, () => {
        const what = roll(10);
        return what < 6 ? `pay ${keys[roll(keys.length)] ?? ''}` : what < 8 ? 'refresh' : 'read';
      });
    const start = async (machine: number) => {
      const task: MachineTask = {
        url: (await proxies[machine]?.url())?.reveal() ?? '',
        ...{ key: testKey, bank: bank.address, shiftMs: [0, 3_600_000, -3_600_000, 60_000][machine] ?? 0 },
        steps: stepsOf(),
      };
      return spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'pipe'] });
    };
    const machines = await Promise.all([0, 1, 2, 3].map(start));
    let said = '';
    const listen = (child: ChildProcess) =>
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    machines.forEach(listen);
    for (let event = 0; event < 5; event++) {
      await clock.sleep(40 + roll(80));
      const at = roll(4);
      const child = machines[at];
      const what = roll(10);
      if (what < 3) {
        child?.kill('SIGKILL');
        const next = await start(at);
        listen(next);
        machines[at] = next;
      } else if (what < 5) {
        child?.kill('SIGSTOP');
        await clock.sleep(60);
        child?.kill('SIGCONT');
      } else if (what < 9) proxies[at]?.cutAtCommit(roll(2) === 0 ? 'before' : 'after');
      else await (await ownServerOf()).restart();
    }
    await Promise.all(machines.map(ended));
    for (const proxy of proxies) proxy.close();
    bank.close();
    expect(said, `seed ${String(seed)}`).toBe('');
    const result = await check(seed, bank);
    await shared.end();
    return result;
  }

  const ownServerOf = () => (server ??= ownServer());

  async function check(seed: number, bank: Awaited<ReturnType<typeof bankOf>>) {
    const seeded = `seed ${String(seed)}`;
    const state = sharedState({
      url: shared.url,
      keys: [new Secret(testKey)],
      clock: createClock(),
      run: 'checker',
      stateDir: '/checker',
      chosen: () => Promise.resolve(undefined),
    });
    try {
      const open = await state.journal.openWrites();
      let unknown = 0;
      for (const key of keys) {
        const hash = intentHash('acme', key);
        const times = bank.booked.filter((id) => id === `OBK${hash.slice(0, 29).toUpperCase()}`).length;
        expect(times, `${seeded}: ${key} at the bank`).toBeLessThanOrEqual(1);
        const intent = await state.intents.find(hash);
        if (intent === undefined) {
          expect(times, seeded).toBe(0);
          continue;
        }
        const { kind } = await intentState(state.journal, intent);
        if (kind === 'not-sent') expect(times, `${seeded}: ${key} counts as not sent`).toBe(0);
        if (kind !== 'unknown') continue;
        unknown += 1;
        expect(
          open.map((write) => write.intent),
          `${seeded}: ${key} is listed`,
        ).toContain(hash);
      }
      // A token that was used up is never sent again: its server would take that for theft.
      expect(
        [...bank.used].filter(([, times]) => times > 1),
        seeded,
      ).toEqual([]);
      const { tokens: [token] = [] } = await state.credentials.read('acme');
      // The answer to one that was lost is known to be lost; all others are kept.
      if (token?.refreshSentAt === undefined) expect(token?.refreshToken?.reveal(), seeded).toBe(bank.good());
      expect(bank.accesses.length, seeded).toBeLessThanOrEqual(4);
      await noSecretIn(seeded);
      return { booked: bank.booked.length, unknown };
    } finally {
      await state.close();
    }
  }

  async function noSecretIn(seeded: string): Promise<void> {
    const administrator = await shared.administer();
    const tables = await administrator.rows<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'obk'",
    );
    for (const { name } of tables) {
      const rows = await administrator.rows<{ text: string }>(
        `SELECT one::text AS text FROM obk.${name} one`,
      );
      const dump = rows.map(({ text }) => text).join('\n');
      for (const canary of canaries)
        for (const form of [
          canary,
          Buffer.from(canary).toString('hex'),
          Buffer.from(canary).toString('base64'),
        ])
          expect(dump.includes(form), `${seeded}: ${canary} in ${name}`).toBe(false);
    }
  }
});
