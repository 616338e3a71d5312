import { defined } from '../../../base/defined.ts';
import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { oneOf as oneOfThese, text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { exitCodes, isFailure, ObkError } from '../../../base/errors.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import type { RowsOutcome } from '../../outcome.ts';
import {
  pairFaults,
  switchPair,
  tryPair,
  unchangedReason,
  undoLine,
  undoRollover,
  withPair,
} from '../../../client/doctor/roll-over.ts';
import type { NewPair, Rollover } from '../../../client/doctor/roll-over.ts';
import { openTarget } from '../../../client/exchange/open-target.ts';
import { readPassphrase } from '../../../client/exchange/key-material.ts';
import { chooseProfile } from '../../../client/profile/choose-profile.ts';
import type { ChosenProfile } from '../../../client/profile/choose-profile.ts';
import { needAllowed } from '../../../client/profile/policy.ts';
import { nearest } from '../../../base/nearest.ts';
import type { SavedProfile } from '../../../settings/records/profile.ts';
import { demand, oneOf, reference, usageError } from '../flags/flag-values.ts';
import { question } from '../flags/prompts.ts';
import { checkOwnName, savedNamed, whyUnusable } from '../profile/profile-name.ts';
import { journalWithHead } from '../run/journal-head.ts';
import { observers } from '../run/observe.ts';

const flags = (command: Flags) =>
  command
    .optionsGroup('CERTIFICATE FLAGS')
    .option('--certificate <FILE>', 'the new certificate, with its chain (PEM or DER)')
    .option('--key <FILE>', 'its private key; the file of the certificate, where it holds both')
    .option(
      '--key-passphrase-from <REF>',
      'passphrase of the key (obk help references)',
      reference('--key-passphrase-from'),
    )
    .option('--as <USE>', 'qsealc (signing, if not given) or qwac (TLS)', oneOf('--as', ['qsealc', 'qwac']))
    .option('--all', 'in all profiles, not only in that of --profile')
    .option('--undo', 'give back the certificates that the last rollover replaced; no bank is called')
    .option('--yes', 'call the banks unasked (OBK_YES)');

const fields = {
  profile: needed(text, 'PROFILE'),
  use: needed(oneOfThese('qsealc', 'qwac'), 'USE'),
  state: needed(oneOfThese('switched', 'refused', 'unproved', 'unreachable', 'unchanged', 'undone'), 'STATE'),
  text: needed(text, 'WHY'),
  undo: needed(textOrNull, 'UNDO', { wide: true }),
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Try a new certificate at each bank with one signed read, and switch where it is taken',
      usage: '--certificate FILE --key FILE --all',
      prints: rowsAs(
        'certificateRollover',
        fields,
        'Profiles that a new certificate was tried for; `undo` is the command that takes the old one back.',
      ),
      examples: [
        'obk cert rollover --certificate new.pem --key new.key --all --yes',
        'obk cert rollover --undo --all',
      ],
      exits: [10, 3],
      more: ['obk help cert expiry', 'obk help cert lint', 'obk help doctor'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { ports, globals } = context;
  const { certificate, all = false } = options;
  if (options.undo === true) return undone(context, options);
  demand(
    [certificate === undefined && '--certificate', !all && globals.profile === undefined && '--all'],
    'obk cert rollover --help',
  );
  if (certificate === undefined) throw usageError('Something is missing.');
  const pair: NewPair = {
    use: options.as ?? 'qsealc',
    certificate: ports.files.absolute(certificate),
    key: ports.files.absolute(options.key ?? certificate),
    ...defined({ passphraseFrom: options.keyPassphraseFrom }),
  };
  await needSoundPair(context, pair);
  const chosen = await profilesOf(context, pair, all);
  await agree(context, chosen, options);
  const rows: Rollover[] = [];
  const back = all
    ? 'obk cert rollover --undo --all'
    : line`obk cert rollover --undo --profile ${globals.profile ?? ''}`;
  const switched = () => rows.filter(({ state }) => state === 'switched').map(({ profile }) => profile);
  for (const one of chosen) {
    const row = rolled(context, one, pair).catch(failed(one.name, pair.use, 'unproved'));
    rows.push(await row.catch((error: unknown) => leftSwitched(error, switched(), back)));
  }
  return {
    ...outcomeOf(rows, 'No profile is saved.'),
    exit: rows.some(({ state }) => state !== 'switched' && state !== 'unchanged')
      ? exitCodes.expectation
      : exitCodes.ok,
    // The files of the old pairs stay where they are.
    next: switched().length > 0 ? [back] : [],
  };
};

/** Who stops it is told which profiles have the new pair, and how they get the old one back. */
function leftSwitched(error: unknown, switched: readonly string[], back: string): never {
  if (!(error instanceof ObkError) || switched.length === 0) throw error;
  const { code, title, cause } = error;
  const detail = `Switched before: ${switched.join(', ')}. Nothing else is changed.`;
  throw new ObkError({ code, title, detail, cause, hint: [back] });
}

function outcomeOf(rows: readonly Rollover[], empty: string): RowsOutcome {
  return {
    kind: 'rows',
    columns: columnsOf(fields),
    rows: rows.map((row) => ({ ...row })),
    nameKey: 'profile',
    empty,
  };
}

/** Takes the last rollovers back: of one profile or of all, of one use or of both. */
async function undone({ ports, globals }: Context, options: Options): Promise<RowsOutcome> {
  const { all = false, as, certificate, key } = options;
  if (certificate !== undefined || key !== undefined)
    throw usageError('--undo takes no new certificate.', 'obk cert rollover --undo --all');
  demand([!all && globals.profile === undefined && '--all'], 'obk cert rollover --help');
  const settings = await ports.settings.read();
  if (!all) savedNamed(settings, globals.profile ?? '');
  const rows: Rollover[] = [];
  for (const rolled of settings.rollovers ?? []) {
    if (!all && rolled.profile !== globals.profile) continue;
    if (as !== undefined && rolled.use !== as) continue;
    const passphrase = (pair: NewPair) => () => readPassphrase(ports, pair.passphraseFrom, pair.key);
    rows.push(
      await undoRollover(ports, rolled, passphrase).catch(failed(rolled.profile, rolled.use, 'unchanged')),
    );
  }
  return {
    ...outcomeOf(rows, 'There is no rollover to undo.'),
    exit: rows.some(({ state }) => state === 'unchanged') ? exitCodes.expectation : exitCodes.ok,
  };
}

async function needSoundPair({ ports }: Context, pair: NewPair): Promise<void> {
  const [fault] = await pairFaults(ports, pair, () => readPassphrase(ports, pair.passphraseFrom, pair.key));
  if (fault === undefined) return;
  throw new ObkError({
    code: fault.code,
    title: 'The new certificate cannot be used; no bank was called, and nothing is changed.',
    detail: fault.text,
    hint: ['--certificate FILE --key FILE'],
  });
}

/** What one profile cannot do is its row: the others are tried, and what was switched before is told. */
const failed =
  (profile: string, use: Rollover['use'], state: Rollover['state']) =>
  (error: unknown): Rollover => {
    if (!isFailure(error)) throw error;
    const text = [error.title, error.detail].filter(Boolean).join(' ');
    return { profile, use, state, text, undo: null };
  };

interface Candidate {
  name: string;
  saved: SavedProfile;
  /** What is wrong with it, where it cannot be used. */
  chosen: ChosenProfile | ObkError;
  unchanged: string | undefined;
}

async function profilesOf({ ports, globals }: Context, pair: NewPair, all: boolean): Promise<Candidate[]> {
  const settings = await ports.settings.read();
  if (globals.profile !== undefined) checkOwnName(globals.profile);
  const names = all ? Object.keys(settings.profiles) : [globals.profile ?? ''];
  return names.map((name) => {
    const saved = savedNamed(settings, name);
    const wrong = whyUnusable(settings, name);
    if (wrong !== undefined) return { name, saved, chosen: wrong, unchanged: undefined };
    const chosen = chooseProfile(settings, {
      ...{ flag: name, connectionVariables: [], near: nearest, present: ports.person.present },
    });
    return { name, saved, chosen, unchanged: unchangedReason(saved, chosen.profile, pair) };
  });
}

/** One question for all banks; without a person production demands --yes. */
async function agree({ ports }: Context, all: readonly Candidate[], { yes }: Options): Promise<void> {
  const called = all.flatMap(({ chosen, unchanged }) =>
    unchanged === undefined && !(chosen instanceof ObkError) ? [chosen] : [],
  );
  if (yes === true || called.every(({ profile }) => profile.environment === 'sandbox')) return;
  const names = called.map(({ name }) => name).join(', ');
  const asked = question('yes', `Call the banks of ${names} with the new certificate, once each?`);
  const isProduction = called.some(({ profile }) => profile.environment === 'production');
  if (!ports.person.present && !ports.person.answered(asked) && !isProduction) return;
  if (await ports.person.confirm(asked)) return;
  throw new ObkError({ code: 'NOT_CONFIRMED', title: 'No bank was called, and nothing is changed.' });
}

async function rolled(
  context: Context,
  { name, chosen, saved, unchanged }: Candidate,
  pair: NewPair,
): Promise<Rollover> {
  if (chosen instanceof ObkError) throw chosen;
  const row = { profile: name, use: pair.use, undo: null };
  if (unchanged !== undefined) return { ...row, state: 'unchanged', text: unchanged };
  const policy = context.policy();
  needAllowed(policy, { environment: chosen.profile.environment, insecure: false });
  const trial = { ...chosen, profile: withPair(chosen.profile, pair) };
  const ports = { ...context.ports, journal: journalWithHead(context, trial, false) };
  const target = await openTarget(ports, trial, {
    dryRun: false,
    signal: context.signal,
    ...defined({ policy }),
    ...observers(context, trial),
  });
  const tried = await tryPair(target);
  if (tried.state !== 'switched') return { ...row, ...tried };
  if (!(await switchPair(context.ports, name, saved, pair)))
    return { ...row, state: 'unchanged', text: 'Its certificate was changed by somebody else meanwhile.' };
  return { ...row, ...tried, undo: undoLine(name, saved, pair) };
}
