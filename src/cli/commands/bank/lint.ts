import { defined } from '../../../base/defined.ts';
import { readBank } from '../../../settings/banks/read-bank.ts';
import { placesOf } from '../../../settings/banks/read-file.ts';
import type { PlaceOf } from '../../../settings/banks/read-file.ts';
import { cleanLine } from '../../../base/clean.ts';
import { line } from '../../../base/command-line.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes, ObkError } from '../../../base/errors.ts';
import { lintBank } from '../../../client/profile/bank-lint.ts';
import { placed } from '../../../client/profile/check-settings.ts';
import type { Settings } from '../../../settings/records/profile.ts';
import { shownKey } from '../../../settings/profile/finding.ts';
import type { SettingFinding } from '../../../settings/profile/finding.ts';
import { readSettings } from '../profile/bank-file.ts';
import { profileNamed, savedNamed } from '../profile/profile-name.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import type { Framework } from '../../../standard/xs2a/variants.ts';
import { isTemplateOnly } from './named-bank.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command.argument(
    '[what]',
    'a profile, a template, or a file with settings (JSON, YAML); - for stdin; the active profile if not given',
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Check what a profile, a template or a file says of its bank; an unknown name is an error',
      examples: ['obk bank lint', 'obk bank lint sandbox --json', 'obk bank lint bank.json'],
      exits: [10, 3],
      more: ['obk help bank explain', 'obk help profile edit'],
    },
    run,
  );

/** A finding with the key below which a profile has it saved, or with its line in a file. */
type Placed = SettingFinding & { place?: string } & Partial<NonNullable<ReturnType<PlaceOf>>>;

/** A file that is something else altogether has thousands, and the first of them say so. */
const shownAtMost = 50;

const left = (all: number, errors: number) =>
  `${String(all - shownAtMost)} more (${String(errors)} errors, ${String(all - errors)} warnings in all); --json has each`;

const run: Run<Options> = async (context, { what }) => {
  const { name, of, saved, settings, placeOf } = await subject(context, what).catch((error: unknown) => {
    throw withoutItself(error, what);
  });
  const found = lintBank(settings, saved === undefined ? of : 'saved');
  const findings: readonly Placed[] =
    saved === undefined
      ? found.map((finding) => ({ ...finding, ...placeOf?.(finding.setting) }))
      : placed(saved, name, savedNamed(saved, name), found);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    kind: 'data',
    data: { of, name, errors, warnings: findings.length - errors, findings },
    text: (style) =>
      findings.length === 0
        ? style.good(`${name}: nothing found`)
        : [
            ...findings.slice(0, shownAtMost).map(({ severity, text, ...at }) => {
              const level = severity === 'error' ? style.bad('error') : style.warn('warning');
              const { line, column, place } = at;
              const file = line === undefined ? '' : `${String(line)}:${String(column)}: `;
              return `${level} ${cleanLine(`${file}${shownKey(place ?? at.setting)}: ${text}`)}`;
            }),
            ...(findings.length > shownAtMost ? [style.dim(left(findings.length, errors))] : []),
          ].join('\n'),
    exit: errors > 0 ? exitCodes.expectation : exitCodes.ok,
  };
};

/** The error without the advice to lint the very file that is linted. */
function withoutItself(error: unknown, what = ''): unknown {
  if (!(error instanceof ObkError)) return error;
  const { code, title, detail, hint, cause } = error;
  const others = hint.filter((one) => one !== line`obk bank lint ${what}`);
  return new ObkError({ code, title, hint: others, cause, ...defined({ detail }) });
}

/** A description that says none speaks the first. */
const frameworkOf = (own: Framework | undefined): Framework => own ?? presets.v1.framework;

interface Subject {
  name: string;
  of: 'profile' | 'bank';
  saved?: Settings;
  settings: object;
  /** Where a setting stands in the file. */
  placeOf?: PlaceOf;
}

/** A name is that of a profile, or else of a template; anything that cannot be one is a file. */
async function subject(context: Context, what: string | undefined): Promise<Subject> {
  const { files } = context.ports;
  if (what !== undefined && !/^[a-z0-9][a-z0-9_-]*$/.test(what)) {
    const bytes = await files.read(what);
    const { of, settings } = await readSettings(bytes, what);
    const isWrong = lintBank(settings, of).some(({ severity }) => severity === 'error');
    const placeOf = await placesOf(bytes, what, of === 'profile' ? 'settings.' : '');
    if (of === 'profile' || isWrong) return { name: what, of, settings, placeOf };
    // What it extends is judged with it, as profile create takes both; a file that is wrong by itself is said to be so first.
    const whole = await readBank(what, {
      file: async (path) => (path === what ? bytes : files.read(path)),
      framework: frameworkOf,
    });
    return { name: what, of, settings: whole, placeOf };
  }
  const name = what ?? (await chosenProfile(context)).name;
  const saved = await context.ports.settings.read();
  if (isTemplateOnly(saved, name)) {
    const settings = await readBank(name, { file: (path) => files.read(path), framework: frameworkOf });
    return { name, of: 'bank', settings };
  }
  return { name, of: 'profile', saved, settings: profileNamed(saved, name) };
}
