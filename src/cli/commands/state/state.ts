import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type {
  StateMigrated,
  StateSite,
  StateMoved,
  StateContents,
  StateVerified,
} from '../../../client/ports/state-store.ts';
import { reference, demand } from '../flags/flag-values.ts';
import type { DataOutcome } from '../../outcome.ts';
import { exitCodes } from '../../../base/errors.ts';
import { findingsText } from '../../render/findings.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { cleanLine } from '../../../base/clean.ts';
import { definitions } from '../../render/wrap.ts';
import { fail } from '../../../base/finding.ts';
import type { Finding } from '../../../base/finding.ts';

/** The flag that every command about the state takes: with it, it is about a database. */
const stateOptions = <Own>(command: Flags<Own>) =>
  command.option(
    '--url-from <REF>',
    'reference to the URL of the database, if not state.urlFrom: that of its owner',
    reference('--url-from'),
  );

/** A number of bytes as people read it. */
function bytesText(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}

/** Where the state is, in words. */
const siteText = ({ place, schema }: StateSite): string =>
  schema === null ? place : `schema ${schema} of ${place}`;

/** The outcome of a migration in one line. */
function migratedText({ before, after, ...site }: StateMigrated): string {
  const where = siteText(site);
  if (before === after) return `Nothing to do: ${where} is of version ${String(after)}.`;
  return before === 0
    ? `Made: ${where}, version ${String(after)}.`
    : `Migrated: ${where}, from version ${String(before)} to ${String(after)}.`;
}

/** What was moved, kind by kind. */
function movedOutcome(moved: readonly StateMoved[], next: readonly string[]): DataOutcome {
  return {
    kind: 'data',
    data: { moved },
    text: () =>
      moved
        .map(
          ({ kind, moved: written, same, note }) =>
            `${kind}: ${String(written)} moved, ${String(same)} there already${note === undefined ? '' : `\n  ${note}`}`,
        )
        .join('\n'),
    next,
  };
}

const backupFlags = (command: Flags) =>
  stateOptions(command.argument('<file>', 'a new file; an existing one is never replaced'));

type BackupOptions = OptionsOf<typeof backupFlags>;

const registerBackup: Register = (command, start) =>
  start(
    backupFlags(command),
    {
      about:
        'Copy state.db of this home, at any time, into one file (mode 0600); the log, which may be lost, is not part of it',
      examples: ['obk state backup state-copy.db'],
      exits: [3],
      more: ['obk help state verify'],
    },
    runBackup,
  );

const runBackup: Run<BackupOptions> = async (context, { file }) => {
  const path = context.ports.files.absolute(file);
  await context.ports.stateStore.backUp(path);
  return { kind: 'data', data: { file: path }, name: path, text: () => `Copied to ${path}.` };
};

const registerDoctor: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Check step by step whether the state can be used: folder, disk, engine, files and missing payments; of a database the way, TLS, durability, clock, schema, privileges and key',
      examples: ['obk state doctor', 'obk state doctor --json --jq .ok'],
      exits: [10, 3],
      more: ['obk help state status', 'obk help doctor'],
    },
    runDoctor,
  );

const runDoctor: Run<object> = async (context) => {
  const findings = await context.ports.stateStore.examine();
  const failed = findings.some(({ state }) => state === 'fail');
  return {
    kind: 'data',
    data: { ok: !failed, findings },
    exit: failed ? exitCodes.expectation : exitCodes.ok,
    text: (style) => findingsText(findings, style),
  };
};

const exportFlags = (command: Flags) =>
  stateOptions(
    command.option('--to <FOLDER>', 'folder of the home: config and state go below it', notEmpty('--to')),
  );

type ExportOptions = OptionsOf<typeof exportFlags>;

const registerExport: Register = (command, start) =>
  start(
    exportFlags(command),
    {
      about:
        'Write a shared state as the files of a home, with its tokens in clear (mode 0600); begun again, it goes on where it was',
      usage: '--to FOLDER',
      examples: ['obk state export --to home', 'OBK_STATE_DIR=home/state obk pending list'],
      exits: [3],
      more: ['obk help state import'],
    },
    runExport,
  );

const runExport: Run<ExportOptions> = async (context, { to }) => {
  demand([to === undefined && '--to'], 'obk state export --help');
  const folder = context.ports.files.absolute(to ?? '');
  return movedOutcome(await context.ports.stateStore.bringOut(folder), []);
};

const importFlags = (command: Flags) =>
  stateOptions(
    command.option(
      '--recovered <FILE>',
      'what sqlite3 .recover has saved of a state.db',
      notEmpty('--recovered'),
    ),
  );

type ImportOptions = OptionsOf<typeof importFlags>;

const registerImport: Register = (command, start) =>
  start(
    importFlags(command),
    {
      about:
        'Take the files of this home over into a shared state: each entry once, however often it is begun; the files stay as they are. With --recovered, take into this home what `sqlite3 state.db .recover | sqlite3 recovered.db` has saved of a damaged state.db, once that was moved aside',
      examples: [
        'obk state import',
        'obk state import --recovered recovered.db',
        'obk config set state.store postgres   # from now on it is used',
      ],
      exits: [3],
      more: ['obk help state export', 'obk help state status'],
    },
    runImport,
  );

const runImport: Run<ImportOptions> = async ({ ports }, { recovered }) => {
  if (recovered === undefined)
    return movedOutcome(await ports.stateStore.takeIn(), ['obk config set state.store postgres']);
  const moved = await ports.stateStore.takeRecovered(ports.files.absolute(recovered));
  return movedOutcome(moved, ['obk state doctor', 'obk pending list']);
};

const initFlags = (command: Flags) =>
  stateOptions(
    command.option('--role <NAME>', 'role that daily runs use (obk_app)', notEmpty('--role'), 'obk_app'),
  );

type InitOptions = OptionsOf<typeof initFlags>;

const registerInit: Register = (command, start) =>
  start(
    initFlags(command),
    {
      about:
        'Make the files of the state, or the tables of one that machines share, and print the SQL of a role that may use these and no more',
      examples: [
        'obk state init',
        'obk state init --url-from env:OBK_OWNER_URL --output role.sql',
        'obk state init --role ci_runner',
      ],
      exits: [3],
      more: ['obk help state migrate', 'obk help state doctor', 'obk help config set'],
    },
    runInit,
  );

const runInit: Run<InitOptions> = async (context, { role }) => {
  const made = await context.ports.stateStore.make(role);
  const { statements } = made;
  return {
    kind: 'data',
    data: { ...made, role },
    // Of a database it is a script for psql as it stands.
    text: () => [`${statements.length === 0 ? '' : '-- '}${migratedText(made)}`, ...statements].join('\n'),
    name: siteText(made),
    next: ['obk state doctor'],
  };
};

const registerMigrate: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Bring the state up to this obk: forward only, one process at a time; a newer obk must not have done so before. The files of a home come up by themselves',
      examples: ['obk state migrate --url-from env:OBK_OWNER_URL'],
      exits: [3],
      more: ['obk help state init', 'obk help state status'],
    },
    runMigrate,
  );

const runMigrate: Run<object> = async (context) => {
  const migrated = await context.ports.stateStore.migrate();
  return { kind: 'data', data: migrated, text: () => migratedText(migrated), name: siteText(migrated) };
};

const registerRekey: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Seal what the key before (state.oldKeyFrom) has sealed with the current one (state.keyFrom); interrupted, it goes on where it was',
      examples: ['obk state rekey', 'obk state status   # no value of the old key is left'],
      exits: [3],
      more: ['obk help state doctor', 'obk help config set'],
    },
    runRekey,
  );

const runRekey: Run<object> = async (context) => {
  const { stateStore, notices } = context.ports;
  const sealed = await stateStore.rekey(({ kind, sealed: count }) => {
    notices.trace(1, `${kind}: ${String(count)} sealed anew`);
  });
  const all = sealed.reduce((sum, one) => sum + one.sealed, 0);
  return {
    kind: 'data',
    data: { sealed },
    text: () =>
      all === 0
        ? 'Nothing to do: everything is sealed with the current key.'
        : sealed
            .filter(({ sealed: count }) => count > 0)
            .map(({ kind, sealed: count }) => `${kind}: ${String(count)} sealed anew`)
            .join('\n'),
    next: all === 0 ? [] : ['obk config unset state.oldKeyFrom'],
  };
};

const registerStatus: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Show what is in the state, how large it is, the oldest unknown outcome, and of a database who is connected',
      examples: ['obk state status', 'obk state status --json'],
      exits: [3],
      more: ['obk help state doctor', 'obk help pending list'],
    },
    runStatus,
  );

const runStatus: Run<object> = async (context) => {
  const contents = await context.ports.stateStore.contents();
  return {
    kind: 'data',
    data: contents,
    name: siteText(contents),
    next: contents.unknown.count === 0 ? [] : ['obk pending list'],
    text: () =>
      definitions(
        [
          ['Place', siteText(contents)],
          ['Engine', cleanLine(contents.engine)],
          ['Version', versionText(contents)],
          ['Size', bytesText(contents.bytes)],
          ...contents.kinds.map(
            ({ kind, count, bytes }) =>
              [capital(kind), `${String(count)}${bytes === null ? '' : ` · ${bytesText(bytes)}`}`] as const,
          ),
          ['Profiles', contents.profiles.length === 0 ? 'none' : contents.profiles.join(', ')],
          ...(contents.store === 'files'
            ? []
            : ([
                ['Keys', keysText(contents)],
                ['Connected', sessionsText(contents)],
              ] as const)),
          ['Unknown outcomes', unknownText(contents)],
        ],
        { indent: 0, width: 400, column: 25 },
      ).join('\n'),
  };
};

const versionText = ({ schemaVersion }: StateContents): string =>
  schemaVersion === 0 ? 'nothing is kept yet' : String(schemaVersion);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function keysText({ keys }: StateContents): string {
  if (keys.length === 0) return 'nothing is sealed yet';
  return keys
    .map(({ key, values, known, current }) => {
      const which = current ? 'in use' : known ? 'the one before' : 'not known here';
      return `${key} (${which}): ${String(values)} values`;
    })
    .join('; ');
}

function sessionsText({ sessions }: StateContents): string {
  return sessions
    .map(({ application, user, address, since, self }) => {
      const who = `${cleanLine(application)} as ${cleanLine(user)}${address === null ? '' : ` from ${address}`}`;
      return self ? `${who} (this run)` : since === null ? who : `${who} since ${since}`;
    })
    .join('; ');
}

function unknownText({ unknown: { count, oldest } }: StateContents): string {
  if (oldest === null) return 'none';
  const { profile, operation, at } = oldest;
  const what = [operation, profile === null ? null : `profile ${profile}`, `run ${oldest.run}`].filter(
    (part) => part !== null,
  );
  return `${String(count)}, the oldest of ${at ?? 'an unknown time'}: ${cleanLine(what.join(', '))}`;
}

const registerVerify: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Read every row of the state, and every page of its files, and say what is damaged; changes nothing',
      examples: ['obk state verify', 'obk state verify --json --jq .ok'],
      exits: [10, 3],
      more: ['obk help state backup', 'obk help pending list'],
    },
    runVerify,
  );

const runVerify: Run<object> = async (context) => {
  const found = await context.ports.stateStore.verify();
  return {
    kind: 'data',
    data: found,
    exit: found.ok ? exitCodes.ok : exitCodes.expectation,
    text: (style) => findingsText(findingsOf(found), style),
  };
};

const findingsOf = ({ places, faults }: StateVerified): Finding[] => [
  ...places.map(({ place, there, rows }): Finding => {
    const state = faults.some((fault) => fault.place === place) ? 'fail' : 'ok';
    return {
      check: 'rows',
      state,
      text: `${place}: ${there ? `${String(rows)} rows` : 'not there yet'}`,
      hint: null,
    };
  }),
  ...faults.map(({ place, table, key, text, hint }) =>
    fail(table ?? 'file', `${key ?? place}: ${text}`, hint),
  ),
];

export const register = {
  backup: registerBackup,
  doctor: registerDoctor,
  export: registerExport,
  import: registerImport,
  init: registerInit,
  migrate: registerMigrate,
  rekey: registerRekey,
  status: registerStatus,
  verify: registerVerify,
};
