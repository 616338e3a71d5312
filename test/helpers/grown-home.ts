// A home whose history has grown: one run, intent, payment and conversation for each payment, kept by the rules of obk itself.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteEngine, sqliteWords } from '../../src/adapters/sqlite/sqlite-engine.ts';
import { stateOn } from '../../src/adapters/sqlite/home-state.ts';
import { ddlOf, schemaVersion, tables } from '../../src/client/state/tables.ts';
import type { Engine } from '../../src/client/ports/engine.ts';
import { fakeClock } from './fakes/index.ts';
import type { PayingHome } from './paying-home.ts';

/** As a home has them, but that nothing waits for the disk. */
function engines(stateDir: string): { state: Engine; log: Engine } {
  const open = (name: keyof typeof tables) =>
    sqliteEngine({
      path: join(stateDir, `${name}.db`),
      durable: false,
      ddl: tables[name].flatMap((of) => ddlOf(of, sqliteWords)),
      version: schemaVersion,
      ready: () => mkdirSync(stateDir, { recursive: true, mode: 0o700 }),
      patienceMs: 10_000,
    });
  return { state: open('state'), log: open('log') };
}

/** Keeps what the newest payment of `acme` has left behind `count` times more, each a second older and under names of its own. */
export async function grow(home: PayingHome, count: number): Promise<void> {
  const at = engines(join(home.folder, 'state'));
  const open = (run: string) => stateOn(at, { run, clock: fakeClock() });
  const { resources, intents, journal } = open('looking');
  const [saved] = await resources.list('acme', 'payment', 1);
  const intent = saved?.intent === undefined ? undefined : await intents.find(saved.intent);
  if (saved === undefined || intent === undefined) throw new Error('no payment to grow from');
  const records = await journal.read(intent.run);
  const conversations = await resources.conversations('acme', 'payment', saved.id);
  for (let number = 0; number < count; number += 1) {
    const started = new Date(Date.parse('2026-01-01T00:00:00.000Z') + number * 1000).toISOString();
    const name = String(number).padStart(12, '0');
    const run = `${started.replace(/[-:.]/g, '')}-${name}`;
    const mine = <T>(value: T): T =>
      JSON.parse(
        JSON.stringify(value)
          .replaceAll(intent.run, run)
          .replaceAll(intent.hash, name.padStart(64, 'a'))
          .replaceAll(intent.fingerprint, name.padStart(64, 'b'))
          .replaceAll(saved.id, `grown-${name}`)
          .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, started),
      ) as T;
    const own = open(run);
    await own.intents.claim(mine(intent));
    for (const record of records) await own.journal.append(mine(record));
    await own.intents.noteResource(mine(intent.hash), mine(saved.id));
    await own.resources.save(mine(saved));
    for (const one of conversations) await own.resources.saveConversation('acme', mine(one));
  }
  await at.state.close();
  await at.log.close();
}

/** A home of its own that has grown. */
export async function grownCopy(home: PayingHome, count: number): Promise<PayingHome> {
  const other = home.copy();
  mkdirSync(join(other.folder, 'state'), { recursive: true });
  cpSync(join(home.folder, 'state'), join(other.folder, 'state'), { recursive: true });
  await grow(other, count);
  return other;
}
