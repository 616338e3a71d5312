// A byte of state.db that changes on the disk: SQLite sees it rarely, and no payment may be begun a second time for that.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deadIdentity, freshHome, intent } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { prepared, runRecord, sending, write } from '../../../helpers/journal-records.ts';
import { seeded } from '../../../helpers/kill-cycles.ts';
import { copyOf } from '../../../helpers/state-file.ts';

const run = '20261121T100000000Z-dead';
const hash = 'a1b2c3d4'.repeat(8);
const clock = fakeClock();

/** The bytes of state.db after a payment has left, beside others. */
async function paid(): Promise<Buffer> {
  const { stateDir } = freshHome();
  const home = stateAtHome({ stateDir, clock, run, processInfo: deadIdentity() });
  for (const digit of ['0', '5', 'f'])
    await home.intents.claim(intent({ run, hash: digit.repeat(64), fingerprint: digit.repeat(64) }));
  await home.intents.claim(intent({ run, hash }));
  await write(home.journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
  await home.close();
  return readFileSync(join(copyOf(stateDir, freshHome().stateDir), 'state.db'));
}

/** What a second run is told that wants to make the same payment, in a home of these bytes: whether it may. */
async function mayPayAgain(bytes: Buffer): Promise<boolean> {
  const { stateDir } = freshHome();
  const empty = stateAtHome({ stateDir, clock });
  await empty.usage.update('any', () => [{ at: 1, what: '' }]);
  await empty.close();
  writeFileSync(join(stateDir, 'state.db'), bytes, { mode: 0o600 });
  const home = stateAtHome({ stateDir, clock, run: 'later' });
  const mine = intent({ run: 'later', hash });
  try {
    // As a payment without a key of its own: first the look for its content, then the claim.
    const alike = await home.intents.like('acme', mine.fingerprint);
    const claim = await home.intents.claim(mine);
    if (claim.claimed) return true;
    expect(claim.intent).toMatchObject({ hash, run, sent: true });
    expect(alike).toContainEqual(expect.objectContaining({ hash, run, sent: true }));
    return (await home.intents.takeOver(mine, run)) !== undefined;
  } catch (error) {
    expect((error as { exit?: number }).exit, String(error)).toBe(3);
    return false;
  } finally {
    await home.close();
  }
}

const flipped = (bytes: Buffer, at: number, bit: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
};

function placesOf(bytes: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

describe('a payment that left', () => {
  it(
    'is not begun again where its hash has changed in the table, or in one of the indexes',
    { timeout: 60_000 },
    async () => {
      const bytes = await paid();
      expect(await mayPayAgain(bytes)).toBe(false);
      const places = placesOf(bytes, hash);
      // In its row as a column and in the record, in the index of the primary key, in that of the content, and in its open write.
      expect(places.length).toBeGreaterThanOrEqual(4);
      for (const place of places)
        for (const at of [0, 7, 31, 63])
          for (const bit of [0, 3, 6])
            expect(
              await mayPayAgain(flipped(bytes, place + at, bit)),
              `${String(place + at)}.${String(bit)}`,
            ).toBe(false);
    },
  );

  it('is not begun again whatever single bit of the file has changed', { timeout: 120_000 }, async () => {
    const bytes = await paid();
    const random = seeded(20_261_122);
    // Most of a page is empty: the bytes that are something.
    const places = [...bytes.keys()].filter((at) => bytes[at] !== 0);
    for (let turn = 0; turn < 250; turn += 1) {
      const at = places[Math.floor(random() * places.length)] ?? 0;
      const bit = Math.floor(random() * 8);
      expect(await mayPayAgain(flipped(bytes, at, bit)), `${String(at)}.${String(bit)}`).toBe(false);
    }
  });
});
