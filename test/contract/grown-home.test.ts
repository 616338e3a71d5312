import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock, createIds } from '../../src/adapters/system/system-clock.ts';
import type { Ports } from '../../src/client/ports.ts';
import type { Target } from '../../src/client/exchange/target.ts';
import type { JournalRecord } from '../../src/settings/records/journal.ts';
import { fakePerson } from '../helpers/fakes/index.ts';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { grow } from '../helpers/grown-home.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { fileJournal } from '../helpers/file-store.ts';
import { plantInto, rowsIn } from '../helpers/state-file.ts';

let bank: ExemptingBank;
let home: PayingHome;
const count = 400;

beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  await home.pay('1.00', 'k');
  await grow(home, count);
  await home.run(['payment', 'status', 'payment-0001', '--profile', 'acme']);
}, 30_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await home.run([...args, '--profile', 'acme', '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** How many runs a command has read, of those that are there. */
async function runsRead(
  what: (journal: ReturnType<typeof fileJournal>) => Promise<unknown>,
): Promise<number> {
  const journal = fileJournal({
    stateDir: join(home.folder, 'state'),
    clock: createClock(),
    ids: createIds(),
  });
  let reads = 0;
  await what({
    ...journal,
    read: (run) => {
      reads += 1;
      return journal.read(run);
    },
  });
  return reads;
}

const searches = [
  ['log', 'list', '--status', '2xx', '--limit', '1000'],
  ['log', 'list', '--status', '500'],
  ['log', 'list', '--operation', 'getPaymentInitiationStatus'],
  ['log', 'prune', '--keep', '0', '--dry-run'],
];

describe.skipIf(!existsSync('/proc/self/io'))('the reading of a command', () => {
  const counted = () =>
    ['syscr', 'rchar'].map((name) =>
      Number(new RegExp(`${name}: (\\d+)`).exec(readFileSync('/proc/self/io', 'utf8'))?.[1]),
    );
  /** How many reads a command makes of this home, and of how many bytes. */
  async function readBy(args: readonly string[], terminal: boolean) {
    const ran = () =>
      home.run(args, {
        env: terminal ? { ...home.env, CI: '' } : home.env,
        ...(terminal && { terminal, columns: 80, ports: { person: fakePerson().answer('home', '') } }),
      });
    // The first run loads what it needs.
    await ran();
    const [callsBefore = 0, bytesBefore = 0] = counted();
    const { code, stderr } = await ran();
    const [calls = 0, bytes = 0] = counted();
    return { code, stderr, calls: calls - callsBefore, bytes: bytes - bytesBefore };
  }

  /** A row costs a page or two; a list of all runs costs about 200 bytes for each. */
  const [screenful, ofAll] = [80, 200 * count];

  it.each([
    [0, screenful, ['payment', 'list', '--limit', '20']],
    [0, screenful, ['log', 'list', '--limit', '20']],
    [0, screenful, ['log', 'list', '--limit', '20', '--status', '2xx']],
    [0, 0, ['log', 'list', '--status', '500']],
    [0, 0, ['log', 'prune', '--older-than', '3650d', '--dry-run']],
    [0, ofAll / 2000, ['log', 'prune', '--older-than', '1d', '--dry-run']],
    [0, 0, ['log', 'show', '@last']],
    [2, 0, ['log', 'show', '@failed']],
    [0, 0, ['payment', 'status', '@last', '--dry-run']],
    // The newest 200 are looked through for what is open.
    [0, 400, ['pending', 'list']],
    [0, 400, []],
  ] as const)(
    'ends with exit %i and %i reads for %j, and does not grow with the history',
    async (exit, most, words) => {
      const args = words.length === 0 ? words : [...words, '--profile', 'acme'];
      for (const terminal of words.length === 0 ? [true] : [false, true]) {
        const { code, stderr, calls, bytes } = await readBy(args, terminal);
        expect(code, stderr).toBe(exit);
        expect(calls).toBeLessThan(most + 64);
        expect(bytes).toBeLessThan((most + 64) * 4096);
      }
    },
  );
});

describe('the summary that a run records at its end', () => {
  it('does not change what is found', async () => {
    const results = async () => {
      const found: unknown[] = [];
      for (const words of searches) found.push(await json(...words));
      return found;
    };
    const whole = await results();
    expect(whole[0]).toHaveLength(count + 2);
    expect(whole[1]).toEqual([]);
    expect((whole[3] as { removed: string[] }).removed).toHaveLength(count + 2);
    const stateDir = join(home.folder, 'state');
    const noted = rowsIn(stateDir, 'log', 'SELECT run, ended FROM run');
    plantInto(stateDir, 'log', 'UPDATE run SET ended = NULL');
    expect(await results()).toEqual(whole);
    for (const { run = null, ended = null } of noted)
      plantInto(stateDir, 'log', 'UPDATE run SET ended = ?2 WHERE run = ?1', [run, ended]);
  });

  it('saves the reading of what cannot match', async () => {
    const { filterRuns } = await import('../../src/client/evidence/log-filter.ts');
    const search = async (status: string) =>
      runsRead(async (journal) => {
        for await (const run of filterRuns(journal, { status })) expect(run.run).not.toBe('');
      });
    expect(await search('500')).toBe(0);
    expect(await search('2xx')).toBe(count + 2);
  });

  it('is read instead of the run', async () => {
    const { prune } = await import('../../src/client/evidence/log-prune.ts');
    const { fileStore } = await import('../helpers/file-store.ts');
    const folders = { configDir: join(home.folder, 'config'), stateDir: join(home.folder, 'state') };
    const store = fileStore({ ...folders, clock: createClock(), env: {}, warn: () => undefined });
    plantInto(folders.stateDir, 'log', `UPDATE run SET ended = replace(ended, ',"free":true', '')`);
    const plan = () =>
      runsRead(async (journal) => {
        const ports = {
          ...store,
          journal,
          intents: journal.intents,
          clock: createClock(),
        } as unknown as Ports;
        const { removed } = await prune(ports, { allBut: 0 }, { dryRun: true });
        expect(removed).toHaveLength(count + 2);
      });
    // Each payment's run twice, once for its intent; the run that only read not at all.
    expect(await plan()).toBe(2 * (count + 1));
    expect(await plan()).toBe(0);
  });

  it.skipIf(!existsSync('/proc/self/io'))(
    'is not needed by a look for new calls, which reads only what is new',
    async () => {
      const stateDir = join(home.folder, 'state');
      const open = () => fileJournal({ stateDir, clock: createClock(), ids: createIds() });
      const [growing, looking] = [open(), open()];
      const at = new Date().toISOString();
      const head = {
        type: 'run',
        at,
        version: '1',
        command: 'x',
        profile: 'acme',
        environment: 'test',
        pid: 1,
      };
      await growing.append(head as JournalRecord);
      const add = async (size: number, exchange: string) => {
        const known = { at, exchange, durationMs: 1, headers: [] } as const;
        const body = 'x'.repeat(size);
        const asked = {
          operation: 'getAccountList',
          method: 'GET',
          url: 'https://bank.example/v1',
          write: false,
        };
        for (const record of [
          { type: 'prepared', ...known, ...asked, body: '', bodySha256: '', requestId: exchange },
          { type: 'answered', ...known, outcome: 'DONE', status: 200, body },
        ])
          await growing.append(record as JournalRecord);
      };
      await add(2_000_000, 'first');
      const { tailOf } = await import('../../src/client/evidence/log-tail.ts');
      const tail = tailOf(
        looking,
        createClock(),
        {},
        {
          signal: new AbortController().signal,
          say: () => undefined,
        },
      );
      expect((await tail.last(10)).map(({ requestId }) => requestId)).toContain('first');
      const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
      for (const [size, calls] of [
        [0, 0],
        [500, 1],
        [0, 0],
      ] as const) {
        if (calls > 0) await add(size, 'next');
        const before = bytesRead();
        expect(await tail.more()).toHaveLength(calls);
        expect(bytesRead() - before).toBeLessThan(80_000);
      }
    },
  );

  it('is no longer shown for a run that was resolved since', async () => {
    const lost = await home.pay('201.00', 'lost');
    expect(lost.code).toBe(12);
    const { intent } = JSON.parse(lost.stdout) as { intent: string };
    await json('pending', 'resolve', intent.slice(0, 12), '--not-created', '--reason', 'asked');
    expect(await json('log', 'list', '--status', 'RESOLVED')).toHaveLength(1);
  });
});

describe('a search by an id', () => {
  /** How many saved resources a search reads, of those that are there. */
  async function resourcesRead(what: (ports: Ports, name: string) => Promise<unknown>): Promise<number> {
    const { fileStore } = await import('../helpers/file-store.ts');
    const folders = { configDir: join(home.folder, 'config'), stateDir: join(home.folder, 'state') };
    const clock = createClock();
    const store = fileStore({ ...folders, clock, env: {}, warn: () => undefined });
    const journal = fileJournal({ stateDir: folders.stateDir, clock, ids: createIds() });
    let reads = 0;
    const counted = async <T>(found: Promise<readonly T[]>): Promise<readonly T[]> => {
      const { length } = await found;
      reads += length;
      return found;
    };
    const resources: Ports['resources'] = {
      ...store.resources,
      list: (...given) => counted(store.resources.list(...given)),
      listBeginning: (...given) => counted(store.resources.listBeginning(...given)),
    };
    await what({ ...store, resources, journal, intents: journal.intents, clock } as unknown as Ports, 'acme');
    return reads;
  }

  it.each(['grown-000000000003', 'grown-00000000000', '@last-2', 'nothing-is-called-so'])(
    'finds such as %s for a ticket, or not, without reading everything',
    async (id) => {
      const { savedFor } = await import('../../src/client/evidence/ticket.ts');
      const reads = await resourcesRead(({ resources }, name) => savedFor(resources, name, id).catch(String));
      expect(reads).toBeLessThanOrEqual(10);
    },
  );

  it.each(['@last', '@last-2', 'grown-000000000399', undefined])(
    'finds such as %s with its authorisation without reading everything',
    async (id) => {
      const { findAuthorisation } = await import('../../src/client/authorisations/find-authorisation.ts');
      const reads = await resourcesRead((ports, name) =>
        findAuthorisation({ ports, name }, id).catch(String),
      );
      expect(reads).toBeLessThanOrEqual(200);
    },
  );

  it.each(['grown-000000000003', 'grown-00000000000', 'nothing-is-called-so'])(
    'finds for such as %s a payment, or none, without reading everything',
    async (id) => {
      const { findResource } = await import('../../src/cli/commands/run/find-resource.ts');
      const reads = await resourcesRead((ports, name) =>
        findResource({ ports, name } as unknown as Target, 'payment', { id }).catch(String),
      );
      expect(reads).toBeLessThanOrEqual(210);
    },
  );

  it('opens no conversation of what is booked, to see what is pending', async () => {
    const { listPending } = await import('../../src/client/payments/pending.ts');
    let opened = 0;
    await resourcesRead((ports, name) => {
      const resources: Ports['resources'] = {
        ...ports.resources,
        conversations: (...given) => {
          opened += 1;
          return ports.resources.conversations(...given);
        },
      };
      return listPending({ ...ports, resources }, name);
    });
    expect(opened).toBeLessThanOrEqual(2);
  });
});
