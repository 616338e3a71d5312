/** A process of its own that makes payments in turn: `node <this file, bundled> JSON`; what it has done stands in lines on stdout. */
import { createDatabase } from '../../src/adapters/postgres/database.ts';
import { fleetState } from '../../src/adapters/shared-state/fleet-state.ts';
import { createVault } from '../../src/adapters/postgres/vault.ts';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { failed, prepared, runRecord, sending, write } from './journal-records.ts';
import { intent } from './adapter-homes.ts';

const {
  url,
  key,
  run,
  count = 0,
  hash,
  stopAt,
} = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  key: string;
  run: string;
  count?: number;
  /** Instead of many: the one payment, which is refused; it says `stopAt` and waits to be killed. */
  hash?: string;
  stopAt?: 'answer' | 'recorded';
};
const clock = createClock();
const database = createDatabase({ url: () => Promise.resolve(new Secret(url)), clock });
const { intents, journal } = fleetState({
  ...{ database, clock, run, codec: createVault([new Secret(key)]) },
  machine: { id: 'here', host: 'here' },
});

async function gotten(mine: ReturnType<typeof intent>): Promise<'claimed' | 'taken' | undefined> {
  for (;;) {
    const claim = await intents.claim(mine);
    if (claim.claimed) return 'claimed';
    if (claim.intent.sent === true) return undefined;
    if (!claim.ownerAlive && (await intents.takeOver(mine, claim.intent.run))) return 'taken';
    await clock.sleep(2);
  }
}

if (count > 0) await journal.append(runRecord());
for (let turn = 0; turn < count; turn++) {
  const mine = intent({ run, hash: String(turn).padStart(64, '0') });
  const how = await gotten(mine);
  if (how === undefined) continue;
  process.stdout.write(`${how} ${String(turn)}\n`);
  const exchange = `e${String(turn)}`;
  await write(journal, prepared(exchange, { intent: mine.hash }), sending(exchange));
  process.stdout.write(`sent ${String(turn)}\n`);
}
if (hash !== undefined) await refused(intent({ run, hash }));
await database.close();

/** Sends a payment, gets its refusal, and records it. */
async function refused(mine: ReturnType<typeof intent>): Promise<void> {
  await intents.claim(mine);
  await write(journal, runRecord(), prepared('e1', { intent: mine.hash }), sending('e1'));
  await stopped('answer');
  await write(journal, failed('e1', 'NOT_SENT'));
  await stopped('recorded');
}

async function stopped(at: string): Promise<void> {
  if (at !== stopAt) return;
  process.stdout.write(`${at}\n`);
  await clock.sleep(60_000);
}
