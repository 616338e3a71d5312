import type { Row } from './rows.ts';

/** The promises of the files of a home, and of the database in their place. */
export const rowsOfTheState: readonly Row[] = [
  {
    id: 'bits',
    promise:
      'A flipped bit of an intent or an open write, or of a key of them, pays nothing again and is seen',
    unit: 'bits',
    full: 44_000,
    least: 160,
    seconds: { start: 15, each: 0.05 },
    tests: [
      'test/campaign/rows/flipped-bits.test.ts',
      'test/unit/adapters/sqlite/damaged-pages.test.ts',
      'test/unit/adapters/sqlite/flipped-bits.test.ts',
    ],
    mistake: {
      says: 'the same content is looked for in one place',
      file: 'src/client/state/kept-intents.ts',
      find: ", find('WHERE content = ?1', [tag])",
      replace: '',
      trials: 400,
    },
    more: [
      {
        says: 'a row is whole where its page is',
        file: 'src/client/state/tables.ts',
        find: 'if (of.summed && Number(',
        replace: 'if (!of.summed && Number(',
        trials: 400,
      },
      {
        says: 'a claim looks for its hash in one place',
        file: 'src/client/state/kept-intents.ts',
        find: 'for (const tag of tagsOf(intent)) {',
        replace: 'for (const tag of tagsOf(intent).slice(1)) {',
        trials: 400,
      },
    ],
  },
  {
    id: 'power',
    promise: 'A power cut at any moment loses no write that left and no outcome that was printed',
    unit: 'images of the disk',
    full: 2_000,
    least: 90,
    seconds: { start: 15, each: 0.03 },
    tests: ['test/campaign/rows/power-cuts.test.ts'],
    needs: ['strace'],
    mistake: {
      says: 'no commit waits for the disk',
      at: 'home-state.ts: homeEngines.open member 1',
      becomes: 'durable: false',
      trials: 90,
    },
    more: [
      {
        says: 'a write leaves before its commit',
        at: 'kept-journal.ts: keptJournal.append return 0',
        becomes:
          'setTimeout(() => void stage.leave({ state: sends(record), log: ofLog }), 30); return Promise.resolve();',
        trials: 90,
      },
      {
        says: 'the last commits stop waiting as the file is closed',
        at: 'sqlite-engine.ts: sqliteEngine.close statement 2',
        becomes: "open?.exec('PRAGMA synchronous = OFF'); open?.close();",
        trials: 400,
      },
      {
        says: 'what is decided no longer looks for the same content',
        at: 'kept-intents.ts: keptIntents.claimOf.next if 0',
        becomes: '',
        trials: 90,
      },
      {
        says: 'the claim and the open write are two commits',
        at: 'kept-journal.ts: keptJournal.append return 0',
        becomes:
          'await stage.leave({ state: sends(record).slice(0, -1) }); return stage.leave({ state: sends(record).slice(-1), log: ofLog });',
        trials: 200,
      },
      {
        says: 'a result is printed before its commit',
        at: 'kept-journal.ts: keptJournal.append statement 6',
        becomes: 'setTimeout(() => void stage.keep({ state: ofState, log: ofLog }), 300);',
        trials: 90,
      },
    ],
  },
  {
    id: 'engines',
    promise: 'The same history leaves the same rows in SQLite and in PostgreSQL, and each step says the same',
    unit: 'histories of three processes',
    full: 10_000,
    least: 60,
    seconds: { start: 8, each: 0.04 },
    tests: ['test/campaign/rows/two-engines.test.ts'],
    mistake: {
      says: 'a fleet takes a dead process of its own machine for alive as long as its lease',
      file: 'src/adapters/shared-state/fleet-state.ts',
      find: "return life === 'foreign' ? typeof at === 'number' && now() - at < lease : life === 'alive';",
      replace: "return life === 'alive' || (typeof at === 'number' && now() - at < lease);",
      trials: 60,
    },
    more: [
      {
        says: 'at home an open write is not put away with the answer that ends it',
        at: 'stage.ts: stageOn.note statement 0',
        becomes:
          'await inTurn(() => write({ state: [], log: [], ...(isOne ? parts : { log: parts.log ?? [] }) }));',
        trials: 60,
      },
    ],
  },
  {
    id: 'lost',
    promise:
      'Files of the state that are lost, older than one another, of another version or program, or damaged in their headers pay nothing again',
    unit: 'scenes of five payments',
    full: 264,
    least: 50,
    seconds: { start: 8, each: 0.15 },
    tests: ['test/campaign/rows/lost-files.test.ts', 'test/contract/older-state.test.ts'],
    mistake: {
      says: 'an older copy goes unnoticed',
      at: 'claim-count.ts: claimCount.missing if 0',
      becomes: 'if (isCounted) return 0;',
      trials: 50,
    },
    more: [
      {
        says: 'a file of a newer obk is gone on with',
        file: 'src/adapters/sqlite/sqlite-engine.ts',
        find: 'if (found > version)',
        replace: 'if (found > version + 1)',
        trials: 264,
      },
      {
        says: 'a file without a version is a new one, whatever is in it',
        file: 'src/adapters/sqlite/sqlite-engine.ts',
        find: "if (id === 0 && found === 0 && at.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all([]).length === 0)",
        replace: 'if (found === 0)',
        trials: 264,
      },
    ],
  },
  {
    id: 'held',
    promise:
      'A disk that fills up since somebody reads the state for long ends in exit 3, and nothing acknowledged is lost',
    unit: 'full file systems',
    full: 200,
    least: 4,
    seconds: { start: 12, each: 0.5 },
    tests: ['test/campaign/rows/held-log.test.ts'],
    needs: ['unshare'],
    mistake: {
      says: 'a commit that failed counts as done',
      file: 'src/adapters/sqlite/sqlite-engine.ts',
      find: "at.exec('COMMIT');",
      replace: "try { at.exec('COMMIT'); } catch { at.rollBack(); }",
      trials: 4,
    },
    more: [
      {
        says: 'a disk that is full is waited for, as one that others write to',
        file: 'src/base/sqlite/failures.ts',
        find: "return code === 'SQLITE_BUSY' || code === 'SQLITE_LOCKED';",
        replace: "return code === 'SQLITE_BUSY' || code === 'SQLITE_FULL';",
        trials: 4,
      },
    ],
  },
];
