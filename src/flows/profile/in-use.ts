import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { Profile } from '../../records/profile.ts';
import { withoutNotes } from '../../settings/notes.ts';
import { profileRow } from '../../settings/table.ts';

const variable = /\{([A-Za-z][A-Za-z0-9_-]*)\}/g;

/** The profile as calls use it: without notes, and its addresses with the values of their variables where there are any. */
export function inUse(profile: Profile): Profile {
  const bare = withoutNotes(profileRow, profile);
  const { bankVars = {} } = bare;
  const filled = (address: string) =>
    address.replace(variable, (place, name: string) =>
      Object.hasOwn(bankVars, name) ? (bankVars[name] ?? place) : place,
    );
  const { perService } = bare.urls ?? {};
  return {
    ...bare,
    ...(bare.baseUrl === undefined ? {} : { baseUrl: filled(bare.baseUrl) }),
    ...(perService === undefined ? {} : { urls: { ...bare.urls, perService: mapped(perService, filled) } }),
  };
}

function mapped<T extends Readonly<Record<string, string>>>(texts: T, change: (text: string) => string): T {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)])) as T;
}

/** Throws PROFILE_INVALID for a variable of the addresses without a value, or with one that the bank does not have. */
export function needVariables(profile: Profile, name: string): void {
  const addresses = [profile.baseUrl ?? '', ...Object.values(profile.urls?.perService ?? {})];
  const [lacking] = addresses.flatMap((address) =>
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
