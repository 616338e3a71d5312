import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { withoutNotes } from '../../settings/profile/notes.ts';
import { profileRow } from '../../settings/profile/table.ts';

const variable = /\{([A-Za-z][A-Za-z0-9_-]*)\}/g;

/**
 * The profile as calls use it: without notes, and its addresses with the values of their variables where there are any. What is of
 * the wrong kind stays as it is: its first use says so.
 */
export function inUse(profile: Profile): Profile {
  const bare = withoutNotes(profileRow, profile);
  const { bankVars } = bare;
  if (!isObject(bankVars)) return bare;
  const filled = (address: unknown) =>
    typeof address !== 'string'
      ? address
      : address.replace(variable, (place, name: string) => {
          const value = Object.hasOwn(bankVars, name) ? bankVars[name] : undefined;
          return typeof value === 'string' ? value : place;
        });
  const all = (address: unknown): unknown => (isObject(address) ? mapped(address, all) : filled(address));
  return addresses.reduce<object>(
    (whole, [first, ...rest]) => changed(whole, first, rest, all),
    bare,
  ) as Profile;
}

/** The addresses in which variables may stand. */
const addresses = [
  ['baseUrl'],
  ['urls', 'perService'],
  ['auth', 'authorizeUrl'],
  ['auth', 'tokenUrl'],
] as const;

function changed(
  settings: object,
  name: string,
  [next, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): object {
  const value: unknown = Reflect.get(settings, name);
  if (value === undefined) return settings;
  if (next === undefined) return { ...settings, [name]: change(value) };
  return isObject(value) ? { ...settings, [name]: changed(value, next, rest, change) } : settings;
}

/** Each address of a profile that is a text. */
const addressesOf = (profile: Profile): string[] =>
  addresses.flatMap((path) => {
    const at = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), profile);
    return (isObject(at) ? Object.values(at) : [at]).filter((one) => typeof one === 'string');
  });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (texts: object, change: (text: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));

/** Throws PROFILE_INVALID for a variable of the addresses without a value, or with one that the bank does not have. */
export function needVariables(profile: Profile, name: string): void {
  const [lacking] = addressesOf(profile).flatMap((address) =>
    [...address.matchAll(variable)].map(([, one = '']) => one),
  );
  const known = (one: string) => profile.urls?.vars?.[one] ?? [];
  const odd = Object.entries(profile.bankVars ?? {}).find(
    ([one, value]) => known(one).length > 0 && !known(one).includes(value),
  );
  const about = lacking ?? odd?.[0];
  if (about === undefined) return;
  const values = known(about);
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title:
      lacking === undefined
        ? `The bank of the profile ${name} has no ${about} ${JSON.stringify(odd?.[1])}.`
        : `The address of the profile ${name} needs a value for ${about}.`,
    detail: values.length === 0 ? 'Nothing was sent.' : `There are: ${values.join(', ')}. Nothing was sent.`,
    hint: [line`obk config set ${`bankVars.${about}`} ${values[0] ?? 'VALUE'} --profile ${name}`],
  });
}
