// A home with something of each kind in it, and what may have become of one of its files.
import { copyFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tables } from '../../../../src/client/state/tables.ts';
import { freshHome, intent, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { prepared, runRecord, sending, write } from '../../../helpers/journal-records.ts';
import { copyOf, foreignInto, plantInto } from '../../../helpers/state-file.ts';

export const run = '20261121T100000000Z-run';

export type Put = [string, (path: string) => void];

/** A home in which something is saved of each kind; its files are closed. */
export async function filled(): Promise<string> {
  const { stateDir } = freshHome();
  const home = stateAtHome({ stateDir, clock: fakeClock(), run });
  const { hash } = intent();
  await home.intents.claim(intent({ run }));
  await write(home.journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
  await home.resources.save(resource());
  await home.usage.update('acme', () => [{ at: 1, what: 'x' }]);
  await home.close();
  return copyOf(stateDir, freshHome().stateDir);
}

const foreign = (sql: string) => (path: string) => {
  foreignInto(path, sql);
};

/** What a file holds that obk has not written so. */
export const damages: Put[] = [
  [
    'a short text',
    (path) => {
      writeFileSync(path, 'text\n');
    },
  ],
  [
    'a long text',
    (path) => {
      writeFileSync(path, 'this is text\n'.repeat(5_000));
    },
  ],
  [
    'zeros',
    (path) => {
      writeFileSync(path, Buffer.alloc(statSync(path).size));
    },
  ],
  [
    'its first half',
    (path) => {
      truncateSync(path, statSync(path).size >> 1);
    },
  ],
  [
    'its first page',
    (path) => {
      truncateSync(path, 4096);
    },
  ],
  [
    'its header',
    (path) => {
      truncateSync(path, 100);
    },
  ],
  [
    'a database with other tables',
    (path) => {
      const [folder, file] = [dirname(path), basename(path, '.db') as 'state' | 'log'];
      for (const { name } of tables[file]) plantInto(folder, file, `DROP TABLE ${name}`);
      copyFileSync(join(copyOf(folder, freshHome().stateDir), `${file}.db`), path);
    },
  ],
  ['a database of another program', foreign('')],
  ['a database of another program that names itself', foreign('PRAGMA application_id = 7')],
  ['a database of another program with this version', foreign('PRAGMA user_version = 1')],
  [
    'a database of a version that never was',
    (path) => {
      const [folder, file] = [dirname(path), basename(path, '.db') as 'state' | 'log'];
      plantInto(folder, file, 'PRAGMA user_version = -1');
      copyFileSync(join(copyOf(folder, freshHome().stateDir), `${file}.db`), path);
    },
  ],
];
