import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { postgresCredentials } from '../../src/adapters/postgres/postgres-credentials.ts';
import { postgresUsage } from '../../src/adapters/postgres/postgres-usage.ts';
import { sharedState } from '../../src/adapters/postgres/shared-state.ts';
import { createClock } from '../../src/adapters/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { intentHash } from '../../src/flows/resources/intent.ts';
import { intentState } from '../../src/flows/resources/intent-state.ts';
import { Secret } from '../../src/secret.ts';
import { bundled } from '../helpers/bundled.ts';
import type { CuttingProxy } from '../helpers/cutting-proxy.ts';
import { cuttingProxy } from '../helpers/cutting-proxy.ts';
import { Dice } from '../helpers/dice.ts';
import { runMachine } from '../helpers/fleet-machine.ts';
import type { MachineTask } from '../helpers/fleet-machine.ts';
import { poolingProxy } from '../helpers/pooling-proxy.ts';
import { ownServer } from '../helpers/postgres-server.ts';
import { hasPostgres, testDatabase, testKey, testVault } from '../helpers/postgres.ts';
import { trials } from '../helpers/trials.ts';

/** The histories of a fleet: four machines on one database, and what may happen to each of them. */
const histories = trials('fleet', 3, 17);
const keys = ['k0', 'k1', 'k2', 'k3'];
const hour = 60 * 60 * 1000;
const day = 24 * hour;
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
  return {
    address,
    booked,
    accesses,
    used,
    good: () => good,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A machine, and what may befall it; `ended` has what it had to complain of. */
interface Machine {
  kill(): void;
  stop(): void;
  goOn(): void;
  ended: Promise<string>;
}

/** As a process of its own, by signals. */
function asProcess(task: MachineTask): Machine {
  const script = bundled(join(import.meta.dirname, '../helpers/fleet-process.ts'));
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const send = (signal: NodeJS.Signals) => () => void child.kill(signal);
  return {
    ...{ kill: send('SIGKILL'), stop: send('SIGSTOP'), goOn: send('SIGCONT') },
    ended: new Promise((resolve) => {
      child.once('close', () => {
        resolve(said);
      });
    }),
  };
}

let lives = 0;

/** As a part of this process, which costs a tenth: a machine of another boot, all of whose ways out can be shut. */
function asPart(task: MachineTask, at: number, proxy: CuttingProxy): Machine {
  let isDead = false;
  let stopped: Promise<void> | undefined;
  let goOn: () => void = () => undefined;
  let end: (said: string) => void = () => undefined;
  const host = `machine-${String(at)}`;
  const processInfo = { pid: 1 + (lives += 1), startTime: '1', bootId: host, namespace: host, host };
  const gate = async () => {
    await stopped;
    // Nobody waits for it: what is left of it is garbage.
    if (isDead) await new Promise<never>(() => undefined);
  };
  const ended = new Promise<string>((resolve) => {
    end = resolve;
    runMachine(task, { gate, processInfo }).then(
      () => {
        resolve('');
      },
      (error: unknown) => {
        resolve(isDead ? '' : inspect(error));
      },
    );
  });
  return {
    kill: () => {
      isDead = true;
      proxy.close();
      proxy.cutAll();
      end('');
    },
    stop: () => {
      const release = proxy.hold();
      stopped = new Promise((resolve) => {
        goOn = () => {
          stopped = undefined;
          release();
          resolve();
        };
      });
    },
    goOn: () => {
      goOn();
    },
    ended,
  };
}

describe.skipIf(!hasPostgres())('four machines with one PostgreSQL', () => {
  let server: ReturnType<typeof ownServer> | undefined;
  const shared = testDatabase({ from: () => (server ??= ownServer()) });

  it(
    'pay once, lose no token, keep to the budget and tell each other what is unknown, whatever dies when',
    async () => {
      const seen = { booked: 0, unknown: 0 };
      for (let turn = 0; turn < histories.count; turn++) {
        const one = await history(histories.seed + turn, turn % 10 === 0);
        seen.booked += one.booked;
        seen.unknown += one.unknown;
      }
      // A fleet that does nothing proves nothing.
      expect(seen.booked).toBeGreaterThan(histories.count);
      histories.report(`${String(seen.booked)} payments, ${String(seen.unknown)} of them unknown`);
    },
    histories.timeout(120_000),
  );

  async function history(seed: number, isReal: boolean) {
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
    const earlier = await accessesBefore(roll(3), clock);
    bank.accesses.push(...earlier);
    // Two of the machines have a pooler before their database.
    const pooler = await poolingProxy(await shared.url());
    const direct = await shared.url();
    const pooled = await pooler.url();
    const proxies: CuttingProxy[] = [];
    const stepsOf = () =>
      Array.from({ length: 4 }, () => {
        const what = roll(10);
        return what < 6 ? `pay ${keys[roll(keys.length)] ?? ''}` : what < 8 ? 'refresh' : 'read';
      });
    const start = async (at: number) => {
      // A proxy for each life: what a dead one was about to open must not come.
      const proxy = await cuttingProxy(at % 2 === 0 ? direct : pooled);
      proxies[at] = proxy;
      const task: MachineTask = {
        url: (await proxy.url()).reveal(),
        ...{ key: testKey, bank: bank.address, shiftMs: [0, hour, -hour, 60_000][at] ?? 0 },
        steps: stepsOf(),
      };
      return isReal ? asProcess(task) : asPart(task, at, proxy);
    };
    const machines = await Promise.all([0, 1, 2, 3].map(start));
    const [most, each] = isReal ? [5, 80] : [6, 40];
    for (let event = 0; event < most; event++) {
      await clock.sleep(each / 2 + roll(each));
      const at = roll(4);
      const what = roll(20);
      if (what < 5) {
        machines[at]?.kill();
        machines[at] = await start(at);
      } else if (what < 8) {
        machines[at]?.stop();
        await clock.sleep(isReal ? 60 : 30);
        machines[at]?.goOn();
      } else if (what < 10) await leasesEnd();
      else if (what < 19) proxies[at]?.cutAtCommit(roll(2) === 0 ? 'before' : 'after');
      else await (await ownServerOf()).restart();
    }
    for (const machine of machines) expect(await machine.ended, `seed ${String(seed)}`).toBe('');
    await noLockIsLeft(seed);
    for (const proxy of proxies) proxy.close();
    pooler.close();
    bank.close();
    const result = await check(seed, bank);
    await shared.end();
    return result;
  }

  /** The time of the server passes: no lease goes on. */
  async function leasesEnd(): Promise<void> {
    const administrator = await shared.administer();
    await administrator
      .rows(
        `UPDATE obk.intent SET leased_until = clock_timestamp() - interval '1 second'
          WHERE leased_until > clock_timestamp()`,
      )
      .catch(() => undefined);
  }

  /** Accesses of before: some within 24 hours, mostly of yesterday, and one that has left them. */
  async function accessesBefore(count: number, clock: Clock): Promise<number[]> {
    const now = Date.now();
    const usage = postgresUsage({ database: shared.open(), vault: testVault(), clock });
    const times = [now - 25 * hour, ...Array.from({ length: count }, (_, at) => now - 23 * hour + at)];
    await usage.update(JSON.stringify(['consent', 'acme', 'con-1']), () =>
      times.map((at) => ({ at, what: `getAccountList: before ${String(at)}` })),
    );
    return times;
  }

  /** A lock that outlives its transaction is never given up behind a pooler. */
  async function noLockIsLeft(seed: number): Promise<void> {
    const administrator = await shared.administer();
    const left = () => administrator.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'");
    await expect
      .poll(async () => (await left()).length, { timeout: 5_000, message: `seed ${String(seed)}: locks` })
      .toBe(0);
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
      const most = bank.accesses.map(
        (at) => bank.accesses.filter((one) => one > at - day && one <= at).length,
      );
      expect(Math.max(0, ...most), `${seeded}: accesses in any 24 hours`).toBeLessThanOrEqual(4);
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
