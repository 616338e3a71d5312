import {
  readFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ObkError } from '../../../../src/base/errors.ts';
import { damage } from '../../../../src/bank/books/damage.ts';
import { openDatabase, patienceOf } from '../../../../src/bank/books/database.ts';
import type { Database } from '../../../../src/bank/books/database.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import { startBank } from '../../../helpers/bank.ts';
import { bound } from '../../../helpers/bound.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).reverse()) await step();
});

const bankIn = (stateDir: string) => {
  const bank = createBank({ stateDir, clock: { now: () => new Date() } });
  cleanup.push(() => bank.close());
  return bank;
};

/** A folder with a bank that was used once. */
async function used() {
  const stateDir = mkdtempSync(join(tmpdir(), 'obk-damage-'));
  const folder = join(stateDir, 'sandbox');
  cleanup.push(() => {
    rmSync(stateDir, { recursive: true, force: true });
  });
  const bank = createBank({ stateDir, clock: { now: () => new Date() } });
  await bank.people();
  await bank.offline();
  await bank.close();
  return { stateDir, folder, ledger: join(folder, 'ledger.db') };
}

const damages: readonly [string, (files: Awaited<ReturnType<typeof used>>) => void][] = [
  [
    'empty',
    ({ ledger }) => {
      for (const end of ['-wal', '-shm']) rmSync(ledger + end, { force: true });
      truncateSync(ledger, 0);
    },
  ],
  [
    'truncated',
    ({ ledger }) => {
      for (const end of ['-wal', '-shm']) rmSync(ledger + end, { force: true });
      truncateSync(ledger, 5_000);
    },
  ],
  [
    'no ledger',
    ({ ledger }) => {
      for (const end of ['-wal', '-shm']) rmSync(ledger + end, { force: true });
      writeFileSync(ledger, 'x'.repeat(20_000));
    },
  ],
  [
    'a folder',
    ({ ledger }) => {
      for (const end of ['', '-wal', '-shm']) rmSync(ledger + end, { force: true });
      mkdirSync(ledger);
    },
  ],
];

describe('a damaged ledger', () => {
  it.each(damages)('is exit 3 with its path, and a reset starts a new one: %s', async (_, break_) => {
    const files = await used();
    break_(files);
    const bank = bankIn(files.stateDir);
    for (const work of [() => bank.people(), () => bank.ensure(), () => bank.scenarios()])
      await expect(work()).rejects.toMatchObject({
        exit: 3,
        detail: expect.stringContaining(files.ledger) as string,
        hint: expect.arrayContaining([expect.stringContaining('obk sandbox reset')]) as string[],
      });
    await bank.reset();
    expect((await bank.people()).length).toBeGreaterThan(0);
    expect((await bankIn(files.stateDir).ensure()).embedded).toBe(true);
  });

  it('leaves nothing beside the new ledger', async () => {
    const { folder } = await used();
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([]);
  });
});

describe('a folder or ledger that cannot be used', () => {
  const of = (members: object, message: string, path = '/s/sandbox/ledger.db') =>
    damage(Object.assign(new Error(message), members), path) as ObkError;
  const ofSqlite = (errcode: number | undefined, message: string, path?: string) =>
    of({ code: 'ERR_SQLITE_ERROR', ...(errcode !== undefined && { errcode }) }, message, path);
  const elsewhere = expect.stringMatching(/^export OBK_STATE_DIR=/) as string;
  const destroys = /reset|delete|\brm\b|unlink/;
  const namesAnother = ({ exit, hint }: ObkError) => {
    expect(exit).toBe(3);
    expect(hint.at(-1)).toEqual(elsewhere);
    expect(hint.join()).not.toMatch(destroys);
  };

  it.each([
    ...['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO'],
    ...['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
  ])('leads, where it is not damaged, to another folder and to nothing that loses the ledger: %s', (code) => {
    namesAnother(of({ code }, `${code}: it failed, open 'x'`));
  });

  it.each([
    ['busy', 5, 'database is locked'],
    ['busy, by an older view', 517, 'database is locked'],
    ['locked', 6, 'database table is locked: payments'],
    ['read-only', 8, 'attempt to write a readonly database'],
    ['read-only, as is its folder', 1544, 'attempt to write a readonly database'],
    ['without permission', 3, 'access permission denied'],
    ['not to be opened', 14, 'unable to open database file'],
    ['on a disk with errors', 10, 'disk I/O error'],
    ['on a disk with errors, at a write', 778, 'disk I/O error'],
    ['on a full disk', 13, 'database or disk is full'],
    ['beyond the memory', 7, 'out of memory'],
    ['interrupted', 9, 'interrupted'],
    ['not authorized', 23, 'not authorized'],
    ['locked by another protocol', 15, 'locking protocol'],
  ])('is recognised by the codes of SQLite or its words: %s', (_, errcode, message) => {
    for (const number of [errcode, undefined]) namesAnother(ofSqlite(number, message));
  });

  it.each([
    ['no ledger', 26, 'file is not a database'],
    ['damaged', 11, 'database disk image is malformed'],
    ['damaged in an index', 779, 'database disk image is malformed'],
    ['without a table', 1, 'no such table: meta'],
    ['without a column', 1, 'no such column: paymentId'],
    ['against its own rules', 2067, 'UNIQUE constraint failed: accounts.iban'],
    ['with a value of another type', 3091, 'cannot store TEXT value in INTEGER column payments.booked'],
  ])(
    'leads, where it is damaged, to the reset of the default bank and the move of another one: %s',
    (_, errcode, message) => {
      for (const number of [errcode, undefined]) {
        expect(ofSqlite(number, message).hint[0]).toMatch(/^obk sandbox reset --yes/);
        const path = '/s/sandbox/banks/other/ledger.db';
        const { hint } = ofSqlite(number, message, path);
        expect(hint[0]).toContain(`mv ${path} ${path}.damaged`);
        expect(hint.join()).not.toMatch(destroys);
      }
    },
  );

  it('leaves any other error as it is', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(damage(error, '/s')).toBe(error);
  });
});

describe('a ledger that another program has locked', () => {
  it('is waited for as long as for any other writer, without advice to reset, which would lose it', () => {
    const ledger = join(mkdtempSync(join(tmpdir(), 'obk-held-')), 'ledger.db');
    const holder = openDatabase(ledger, { durable: false });
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE mine (x)');
    const began = performance.now();
    let failure: unknown;
    try {
      openDatabase(ledger, { durable: false, patience: patienceOf(300) });
    } catch (error) {
      failure = damage(error, ledger);
    } finally {
      holder.close();
    }
    expect(performance.now() - began).toBeLessThan(bound(3000));
    expect(failure).toMatchObject({
      exit: 3,
      detail: `${ledger}: another process holds it.`,
      hint: [
        expect.stringContaining('End the program that holds it'),
        expect.stringContaining('OBK_STATE_DIR'),
      ],
    });
  });
});

describe('a ledger that another program writes for long', () => {
  /** Two connections of a bank, and another program that holds the file from `hold` to its end. */
  const held = () => {
    const path = join(mkdtempSync(join(tmpdir(), 'obk-held-')), 'ledger.db');
    const patience = patienceOf(1000);
    const [main, log] = [
      openDatabase(path, { durable: false, patience }),
      openDatabase(path, { durable: false, patience }),
    ];
    main.exec('CREATE TABLE kept (what TEXT)');
    const other = openDatabase(path, { durable: false });
    cleanup.push(() => {
      for (const one of [main, log, other]) one.close();
    });
    const hold = () => {
      other.exec('BEGIN IMMEDIATE');
      return () => {
        other.exec('ROLLBACK');
      };
    };
    return { main, log, hold };
  };
  const write = "INSERT INTO kept VALUES ('lone')";
  const count = (database: Database) => database.all('SELECT what FROM kept').length;

  it.each<[string, (database: Database) => unknown]>([
    ['a statement', (database) => database.run(write)],
    ['a statement that returns rows', (database) => database.all(`${write} RETURNING what`)],
    ['a transaction', (database) => database.atomically(() => database.run(write))],
  ])('fails %s, and everything goes on with the first call after it', (_, act) => {
    const { main, log, hold } = held();
    const end = hold();
    for (const database of [main, log]) {
      expect(() => act(database)).toThrow(/is locked/);
      expect(count(database)).toBe(0);
    }
    end();
    for (const database of [main, log])
      expect(database.atomically(() => database.run("INSERT INTO kept VALUES ('after')"))).toBe(1);
    act(main);
    expect(count(log)).toBe(3);
  });

  it('is waited for once, not by each statement of each connection, and as long as before once it was free', () => {
    const { main, log, hold } = held();
    const waited = (database: Database) => {
      const began = performance.now();
      expect(() => database.run(write)).toThrow(/is locked/);
      return performance.now() - began;
    };
    const end = hold();
    expect(waited(main)).toBeGreaterThan(900);
    for (const database of [log, main, log]) expect(waited(database)).toBeLessThan(600);
    end();
    expect(log.run(write)).toBe(1);
    hold();
    expect(waited(main)).toBeGreaterThan(900);
  });
});

describe('a call that the bank cannot record', () => {
  it('is answered with the cause', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'obk-broken-'));
    const database = join(stateDir, 'own.db');
    const bank = await startBank({ stateDir, database, doors: { open: true } });
    cleanup.push(() => bank.close());
    const other = openDatabase(database, { durable: false });
    other.exec('DROP TABLE messages; DROP TABLE verdicts; DROP TABLE arrivals');
    other.close();
    const answer = await fetch(`${bank.baseUrl}/v1/consents/unknown`, {
      headers: { 'X-Request-ID': randomUUID() },
    });
    expect([answer.status, await answer.json()]).toEqual([
      500,
      {
        tppMessages: [
          {
            category: 'ERROR',
            code: 'INTERNAL_SERVER_ERROR',
            text: 'The bank failed: no such table: arrivals',
          },
        ],
      },
    ]);
  });
});

describe('a bank folder that cannot be used', () => {
  it('is exit 3, and a reset puts another in its place where it is a file', async () => {
    const { stateDir, folder } = await used();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'x');
    const bank = bankIn(stateDir);
    await expect(bank.people()).rejects.toMatchObject({
      exit: 3,
      detail: expect.stringContaining(folder) as string,
    });
    await bank.reset();
    expect((await bank.people()).length).toBeGreaterThan(0);
  });
});

describe('a body without end', () => {
  it.each(['/oauth/token', '/oauth/revoke', '/sandbox/api/people'])('is refused: %s', async (path) => {
    const { stateDir, folder } = await used();
    const { baseUrl } = await bankIn(stateDir).ensure();
    const Authorization = `Bearer ${readFileSync(join(folder, 'admin-token'), 'utf8')}`;
    const headers = { Authorization, 'Content-Type': 'application/json' };
    const status = await new Promise((resolve) => {
      const outgoing = request(
        `${baseUrl}${path}`,
        { method: 'POST', agent: false, headers },
        ({ statusCode }) => {
          resolve(statusCode);
        },
      );
      outgoing.on('error', () => undefined);
      // The control API takes 4 MiB, as a file of a bank has it; the others less.
      for (let part = 0; part < 80; part += 1) outgoing.write('x'.repeat(65_536));
      outgoing.end();
    });
    expect(status).toBe(413);
  });
});
