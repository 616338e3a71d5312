import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/adapters/postgres/database.ts';
import { migrate } from '../../src/adapters/shared-state/state-store.ts';
import { postgresCredentials } from '../../src/adapters/postgres/postgres-credentials.ts';
import { postgresLocks } from '../../src/adapters/postgres/postgres-locks.ts';
import { serverAddress } from '../../src/adapters/postgres/server-address.ts';
import { sharedState } from '../../src/adapters/shared-state/shared-state.ts';
import { checksOf } from '../../src/adapters/shared-state/state-checks.ts';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/client/ports/clock.ts';
import { intentHash } from '../../src/client/resources/intent.ts';
import { intentState } from '../../src/client/resources/intent-state.ts';
import { Secret } from '../../src/base/secret.ts';
import type { CuttingProxy } from '../helpers/cutting-proxy.ts';
import { cuttingProxy } from '../helpers/cutting-proxy.ts';
import { Dice } from '../helpers/dice.ts';
import { failedWith } from '../helpers/failed-with.ts';
import { bankOf } from '../helpers/fleet-bank.ts';
import { asPart, asProcess, identityOf } from '../helpers/fleet-lives.ts';
import { runMachine } from '../helpers/fleet-machine.ts';
import { traced, tracedWhile } from '../helpers/fleet-trace.ts';
import type { MachineTask } from '../helpers/fleet-machine.ts';
import { poolingProxy } from '../helpers/pooling-proxy.ts';
import { ownServer } from '../helpers/postgres-server.ts';
import { endLeases, fleetIn, hasPostgres, testDatabase, testKey, testVault } from '../helpers/postgres.ts';
import { trials } from '../helpers/trials.ts';

/** The histories of a fleet: four machines on one database, and what may happen to each of them. */
const histories = trials('fleet', 6, 17);
const keys = ['k0', 'k1', 'k2', 'k3'];
const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** What a machine may take its time over, and its bank and the others do not. */
const stalls = [[], ['UPDATE intent'], ['UPDATE credential'], ['UPDATE intent', 'UPDATE usage']];
const numberOf = (refreshToken: string | undefined) =>
  Number(/^refresh-(\d+)$/.exec(refreshToken ?? '')?.[1]);
const canaries = ['Canary Shop', 'DE02100100109307118603', 'refresh-', 'access-'];

describe.skipIf(!hasPostgres())('four machines with one PostgreSQL', () => {
  let server: ReturnType<typeof ownServer> | undefined;
  const shared = testDatabase({ from: () => (server ??= ownServer()) });

  it(
    "pay once, lose no token, keep to the budget and see each other's unknown outcomes, whatever dies when",
    async () => {
      const seen = { booked: 0, unknown: 0 };
      for (let turn = 0; turn < histories.count; turn++) {
        const seed = histories.seed + turn;
        const one = await tracedWhile('history', String(seed), () => history(seed, turn % 10 === 0));
        seen.booked += one.booked;
        seen.unknown += one.unknown;
      }
      // A fleet that does nothing proves nothing.
      expect(seen.booked).toBeGreaterThan(histories.count);
      histories.report(`${String(seen.booked)} payments, ${String(seen.unknown)} of them unknown`);
    },
    histories.timeout(120_000),
  );

  it('refuse a replica as their database, and report it', { timeout: 30_000 }, async () => {
    const before = shared.open();
    await before.rows('SELECT 1');
    await (await ownServerOf()).becomeReplica();
    const clock = createClock();
    const lock = postgresLocks({ url: shared.url, clock });
    const replica = {
      ...{ code: 'STATE_UNREACHABLE', exit: 3, title: 'This server of the database only reads.' },
      hint: ['Name the address of the writer.'],
    };
    const owner = createDatabase({ url: shared.adminUrl, clock, anySchema: true });
    for (const refused of [
      () => before.again(() => before.rows('SELECT 1')),
      () => shared.open().transaction(() => Promise.resolve()),
      () => lock.exclusively('it', 1_000, () => Promise.resolve()),
      () => migrate(owner),
    ])
      expect(await failedWith(refused())).toMatchObject(replica);
    const found = await checksOf({
      ...{ database: owner, clock, vault: () => Promise.resolve(testVault()) },
      address: async () => serverAddress(await shared.url()),
    });
    expect(found).toMatchObject([
      { check: 'writer', state: 'fail', hint: expect.stringContaining('writer') as unknown },
    ]);
    await owner.close();
    await shared.end();
  });

  async function history(seed: number, isReal: boolean) {
    const dice = new Dice(seed);
    const roll = (most: number) => dice.below(most);
    const chance = () => dice.next();
    const clock = createClock();
    shared.empty();
    const watching = shared.open();
    const credentials = postgresCredentials({
      ...{ database: watching, vault: testVault(), chosen: () => Promise.resolve(undefined) },
    });
    const early: string[] = [];
    const bank = await bankOf({
      chance,
      told: {
        '/minute': leasesEnd,
        '/use': async (used) => {
          // Nothing can be said while the database starts again.
          const kept = await credentials.read('acme').catch(() => undefined);
          const number = numberOf(kept?.tokens?.[0]?.refreshToken?.reveal());
          if (kept !== undefined && !(number >= numberOf(used))) early.push(used);
        },
      },
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
    const stepsOf = (first: readonly string[]) =>
      Array.from({ length: 4 }, (_, step) => {
        const what = roll(20);
        const key = keys[roll(keys.length)] ?? '';
        const any = what < 8 ? `pay ${key}` : what < 10 ? `seize ${key}` : what < 14 ? 'refresh' : 'read';
        return first[step] ?? any;
      });
    const abandoned = roll(2) === 0 ? keys.slice(0, 2) : [];
    for (const key of abandoned) await abandon(key, bank.address, direct);
    const start = async (at: number, first: readonly string[] = []) => {
      // A proxy for each life: what a dead one was about to open must not come.
      const proxy = await cuttingProxy(at % 2 === 0 ? direct : pooled);
      proxies[at] = proxy;
      proxy.stallAt(stalls[roll(stalls.length)] ?? [], 40);
      const task: MachineTask = {
        url: (await proxy.url()).reveal(),
        ...{ key: testKey, bank: bank.address, shiftMs: [0, hour, -hour, 60_000][at] ?? 0 },
        steps: stepsOf(first),
      };
      return isReal ? asProcess(task) : asPart(task, at, proxy);
    };
    // All at once after what somebody has left behind.
    const first = abandoned.map((key) => `pay ${key}`);
    const machines = await Promise.all([0, 1, 2, 3].map((at) => start(at, first)));
    const [most, each] = isReal ? [5, 80] : [6, 40];
    for (let event = 0; event < most; event++) {
      await clock.sleep(each / 2 + roll(each));
      const at = roll(4);
      const what = roll(20);
      if (what < 5) {
        machines[at]?.kill();
        machines[at] = await start(at);
        traced('event', `machine ${String(at)} is killed`);
      } else if (what < 8) {
        traced('event', `machine ${String(at)} is stopped`);
        machines[at]?.stop();
        await clock.sleep(isReal ? 60 : 30);
        machines[at]?.goOn();
      } else if (what < 10) await leasesEnd();
      else if (what < 19) proxies[at]?.cutAtCommit(roll(2) === 0 ? 'before' : 'after');
      else await tracedWhile('event', 'restart', async () => (await ownServerOf()).restart());
    }
    for (const machine of machines) expect(await machine.ended, `seed ${String(seed)}`).toBe('');
    await noLockIsLeft(seed);
    for (const proxy of proxies) proxy.close();
    pooler.close();
    await bank.close();
    expect(early, `seed ${String(seed)}: used before they were durable`).toEqual([]);
    const result = await check(seed, bank);
    await shared.end();
    return result;
  }

  /** A payment is begun by a machine that dies before its request leaves, so long ago that its lease is over. */
  async function abandon(key: string, bank: string, url: Secret): Promise<void> {
    const proxy = await cuttingProxy(url);
    const task = { url: (await proxy.url()).reveal(), key: testKey, bank, shiftMs: 0, steps: [`pay ${key}`] };
    await new Promise<void>((resolve) => {
      const gate = (way: 'database' | 'bank') => {
        if (way === 'database') return Promise.resolve();
        resolve();
        return new Promise<never>(() => undefined);
      };
      void runMachine(task, { gate, processInfo: identityOf('machine-gone') });
    });
    proxy.close();
    proxy.cutAll();
    await leasesEnd();
  }

  /** The time of the server passes: no lease goes on. */
  async function leasesEnd(): Promise<void> {
    await endLeases(await shared.administer()).catch(() => undefined);
  }

  /** Accesses of before: some within 24 hours, mostly of yesterday, and one that has left them. */
  async function accessesBefore(count: number, clock: Clock): Promise<number[]> {
    const now = Date.now();
    const { usage } = fleetIn(shared.open(), { clock });
    const times = [now - 25 * hour, ...Array.from({ length: count }, (_, at) => now - 23 * hour + at)];
    await usage.update(JSON.stringify(['consent', 'acme', 'con-1']), () =>
      times.map((at) => ({ at, what: `getAccountList: before ${String(at)}` })),
    );
    return times;
  }

  /**
   * A lock that outlives its transaction is never given up behind a pooler. That of a machine which died within one goes with
   * the transaction, which the server ends after 30 seconds.
   */
  async function noLockIsLeft(seed: number): Promise<void> {
    const administrator = await shared.administer();
    const left = () => administrator.rows("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'");
    await expect
      .poll(async () => (await left()).length, { timeout: 45_000, message: `seed ${String(seed)}: locks` })
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
