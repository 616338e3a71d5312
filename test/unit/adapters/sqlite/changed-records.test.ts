// A record that was changed on the disk and is still one in form: nothing is decided by it.
import { expect, it } from 'vitest';
import { freshHome } from '../../../helpers/adapter-homes.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { answered, prepared, runRecord, sending, write } from '../../../helpers/journal-records.ts';
import { plantInto } from '../../../helpers/state-file.ts';

const run = '20261121T100000000Z-changed';

it.each([
  [
    'its text',
    "record = CAST(replace(CAST(record AS TEXT), 'DONE', 'REJECTED') AS BLOB) WHERE type = 'answered'",
  ],
  ['its type', "type = 'failed' WHERE type = 'answered'"],
  ['its profile', "profile = 'other' WHERE type = 'answered'"],
])('a record is STATE_UNREADABLE where %s was changed', async (_, change) => {
  const { stateDir } = freshHome();
  const open = () => stateAtHome({ stateDir, clock: fakeClock(), run });
  await write(open().journal, runRecord(), prepared('e1'), sending('e1'), answered('e1', 'DONE'));
  expect(await open().journal.read(run)).toHaveLength(4);
  expect(plantInto(stateDir, 'log', `UPDATE record SET ${change}`)).toBe(1);
  expect(await failedWith(open().journal.read(run))).toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
});
