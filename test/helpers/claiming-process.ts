/** A process of its own that makes payments in turn: `node <this file, bundled> JSON`; what it has done stands in lines on stdout. */
import { createDatabase } from '../../src/adapters/postgres/database.ts';
import { postgresIntents } from '../../src/adapters/postgres/postgres-intents.ts';
import { createVault } from '../../src/adapters/postgres/vault.ts';
import { createClock } from '../../src/adapters/system-clock.ts';
import { Secret } from '../../src/secret.ts';
import { intent } from './adapter-homes.ts';

const { url, key, run, count } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  key: string;
  run: string;
  count: number;
};
const clock = createClock();
const database = createDatabase({ url: () => Promise.resolve(new Secret(url)), clock });
const intents = postgresIntents({
  database,
  vault: createVault([new Secret(key)]),
  // No end is known of anything that was sent.
  journal: { cameToNothing: () => Promise.resolve(false) },
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

for (let turn = 0; turn < count; turn++) {
  const mine = intent({ run, hash: String(turn).padStart(64, '0') });
  const how = await gotten(mine);
  if (how === undefined) continue;
  process.stdout.write(`${how} ${String(turn)}\n`);
  await intents.letGo(mine.hash, run, () => undefined);
  process.stdout.write(`sent ${String(turn)}\n`);
}
await database.close();
