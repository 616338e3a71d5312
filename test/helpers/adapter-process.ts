/** A process of its own for tests of parallel runs and kills: `node <this file, bundled> TASK JSON`. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../src/adapters/files/file-lock.ts';
import { createClock, createIds } from '../../src/adapters/system/system-clock.ts';
import { ObkError } from '../../src/base/errors.ts';
import { intent, profile, resource } from './adapter-homes.ts';
import { fileJournal, fileStore } from './file-store.ts';
import { prepared, sending } from './journal-records.ts';
import { opened } from './state-file.ts';

interface Input {
  configDir: string;
  stateDir: string;
  name: string;
  count: number;
  /** How large each profile is. */
  size?: number;
  file: string;
}

const [task = '', json = '{}'] = process.argv.slice(2);
const input = JSON.parse(json) as Input;
const clock = createClock();
const ids = createIds();
const store = fileStore({ ...input, clock });

/** Tells the test what has been acknowledged so far, so that it still counts after a kill. */
function acknowledge(what: string): void {
  appendFileSync(input.file, `${what}\n`);
}

/** A transaction that only reads, and holds all that is written to state.db from now on in the log of the engine. */
function holdLog(): void {
  const file = opened(input.stateDir, 'state');
  file.exec('BEGIN');
  file.prepare('SELECT count(*) FROM intent').all([]);
}

const tasks: Record<string, () => Promise<void>> = {
  count: async () => {
    for (let turn = 0; turn < input.count; turn++) {
      await withLock(`${input.file}.lock`, clock, () => {
        writeFileSync(input.file, String(Number(readFileSync(input.file, 'utf8')) + 1));
      });
    }
  },
  profiles: async () => {
    for (let turn = 0; turn < input.count; turn++) {
      await store.settings.update((before) => ({
        ...before,
        profiles: {
          ...before.profiles,
          [`${input.name}-${turn}`]: { ...profile, debtor: 'x'.repeat(input.size ?? 10) },
        },
      }));
      acknowledge(`${input.name}-${turn}`);
    }
  },
  resources: async () => {
    for (let turn = 0; turn < input.count; turn++) {
      await store.resources.save(resource({ id: `${input.name}-${turn}`, status: 'x'.repeat(5_000) }));
      acknowledge(`${input.name}-${turn}`);
    }
  },
  usage: async () => {
    const { usage } = store;
    for (let turn = 0; turn < input.count; turn++) {
      const what = `${input.name}-${turn}`;
      await usage.update('acme', (before) => [...before, { at: turn, what }]);
      acknowledge(what);
    }
  },
  /** One update after the other of each kind, as a command makes them; the settings keep their newest 40 of such profiles. */
  mixed: async () => {
    const { usage } = store;
    for (let turn = 0; turn < input.count; turn++) {
      const what = `${input.name}-${turn}`;
      await store.settings.update((before) => {
        const kept = Object.entries(before.profiles).slice(-40);
        return {
          ...before,
          profiles: { ...Object.fromEntries(kept), [what]: { ...profile, debtor: 'x'.repeat(5_000) } },
        };
      });
      acknowledge(`settings ${what}`);
      await store.resources.save(resource({ id: what, status: 'x'.repeat(5_000) }));
      acknowledge(`resource ${what}`);
      await usage.update('acme', (before) => [...before.slice(-40), { at: turn, what }]);
      acknowledge(`usage ${what}`);
    }
  },
  journal: async () => {
    const journal = fileJournal({ stateDir: input.stateDir, clock, ids });
    acknowledge(`run ${journal.run}`);
    for (let turn = 0; turn < input.count; turn++) {
      const at = clock.now().toISOString();
      const record = { type: 'sending', at, exchange: `${turn}-${'x'.repeat(2_000)}` } as const;
      await journal.append(record);
      acknowledge(String(turn));
    }
  },
  /** One payment after the other, each with its intent, as far as its request leaves. */
  writes: async () => {
    const journal = fileJournal({ stateDir: input.stateDir, clock, ids });
    acknowledge(`run ${journal.run}`);
    for (let turn = 0; turn < input.count; turn++) {
      const hash = createHash('sha256').update(`${input.name} ${turn}`).digest('hex');
      const exchange = `e${turn}`;
      await journal.intents.claim(intent({ hash, run: journal.run }));
      acknowledge(`intent ${hash}`);
      await journal.append(prepared(exchange, { intent: hash }));
      await journal.append(sending(exchange));
      acknowledge(`write ${exchange}`);
    }
  },
  /** Writes to both files of the state, whatever the shell lets others do, and lives on with them open. */
  held: async () => {
    process.umask(0);
    const journal = fileJournal({ stateDir: input.stateDir, clock, ids });
    await journal.intents.claim(intent({ run: journal.run }));
    await journal.append(prepared('e1'));
    process.stdout.write('there');
    await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  },
  /** What a command reads that lists what is there. */
  reads: async () => {
    const journal = fileJournal({ stateDir: input.stateDir, clock, ids });
    const [newest] = await journal.intents.named('');
    const [write] = await journal.openWrites();
    const records = await journal.read(newest?.run ?? '');
    const { length } = await store.resources.list('acme', 'payment');
    process.stdout.write(JSON.stringify([newest?.hash, write?.exchange, records.length, length]));
  },
  /** Reads in one transaction that does not end before its input does, as a program that looks into the file for long. */
  reader: async () => {
    holdLog();
    process.stdout.write('there');
    await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  },
  /** The same payments while somebody reads so. */
  heldWrites: async () => {
    const journal = fileJournal({ stateDir: input.stateDir, clock, ids });
    await journal.intents.claim(intent({ hash: '0'.repeat(64), run: journal.run }));
    holdLog();
    await tasks['writes']?.();
  },
  claim: async () => {
    const journal = fileJournal({ stateDir: input.stateDir, clock, ids });
    const claim = await journal.intents.claim(intent({ run: journal.run }));
    process.stdout.write(claim.claimed ? 'claimed' : claim.ownerAlive ? 'taken' : 'orphaned');
    // Whoever has it lives on until the others have looked.
    if (claim.claimed) await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  },
  everything: async () => {
    process.umask(0);
    const journal = fileJournal({ stateDir: join(input.stateDir), clock, ids });
    const at = clock.now().toISOString();
    await store.settings.update((before) => ({ ...before, profiles: { acme: profile } }));
    await store.settings.update((before) => ({ ...before, profiles: { acme: profile, two: profile } }));
    await store.credentials.update('acme', () => ({ consentId: 'c' }));
    await store.credentials.update('acme', () => ({ consentId: 'd' }));
    await store.resources.save(resource());
    await journal.intents.claim(intent({ run: journal.run }));
    await journal.append({
      type: 'prepared',
      at,
      exchange: 'e1',
      operation: 'initiatePayment',
      method: 'POST',
      url: 'https://bank.example',
      headers: [],
      body: '',
      bodySha256: '',
      requestId: 'r',
      write: true,
      exact: { headers: [], body: '' },
    });
    await journal.append({ type: 'sending', at, exchange: 'e1' });
  },
};

try {
  await tasks[task]?.();
} catch (error) {
  if (!(error instanceof ObkError)) throw error;
  process.stdout.write(JSON.stringify({ code: error.code, exit: error.exit, detail: error.detail }));
  // As obk ends: without closing what SQLite has open, which would write once more.
  process.exit(error.exit);
}
