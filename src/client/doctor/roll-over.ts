import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { BankRefusal, isFailure } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type {
  NamedPair,
  Profile,
  RolledPair,
  SavedProfile,
  Settings,
} from '../../settings/records/profile.ts';
import { tryCall } from '../call/call.ts';
import type { Called } from '../call/call.ts';
import { fileFaults, pairsOf } from '../certificates/profile-files.ts';
import type { FileFault, Pair } from '../certificates/profile-files.ts';
import type { Target } from '../exchange/target.ts';
import { tokenFor } from '../oauth/tokens.ts';
import { withProfile } from '../profile/inheritance.ts';

/** A certificate with its key that is to take the place of another one. */
export interface NewPair {
  use: 'qsealc' | 'qwac';
  certificate: string;
  key: string;
  passphraseFrom?: string | undefined;
}

/** How it went at one bank; `undo` is the command that gives the profile its old pair back. */
export interface Rollover {
  profile: string;
  use: NewPair['use'];
  state: 'switched' | 'refused' | 'unproved' | 'unreachable' | 'unchanged' | 'undone';
  text: string;
  undo: string | null;
}

const settingsOf = ({ use, certificate, key, passphraseFrom }: NewPair): Partial<Profile> =>
  use === 'qsealc'
    ? { certificate, key, ...defined({ keyPassphraseFrom: passphraseFrom }) }
    : {
        tlsCertificate: certificate,
        tlsKey: key,
        ...defined({ tlsKeyPassphraseFrom: passphraseFrom }),
      };

/** What is wrong with the new pair itself, so that no bank need be asked. */
export function pairFaults(
  ports: Ports,
  pair: NewPair,
  passphrase: Parameters<typeof fileFaults>[2],
): Promise<FileFault[]> {
  return fileFaults(ports, settingsOf(pair), passphrase);
}

/** The profile with the new pair in place of the old one. */
export function withPair<T extends Partial<Profile>>(profile: T, pair: NewPair): T {
  const { keyPassphraseFrom, tlsKeyPassphraseFrom, ...rest } = profile;
  const kept =
    pair.use === 'qsealc'
      ? tlsKeyPassphraseFrom === undefined
        ? {}
        : { tlsKeyPassphraseFrom }
      : keyPassphraseFrom === undefined
        ? {}
        : { keyPassphraseFrom };
  return { ...rest, ...kept, ...settingsOf(pair) } as T;
}

/** Says why a profile has nothing to switch, or undefined where it has a pair of its own. */
export function unchangedReason(
  saved: Partial<Profile>,
  all: Partial<Profile>,
  pair: NewPair,
): string | undefined {
  const [own, whole] = [pairOf(saved, pair), pairOf(all, pair)];
  if (pair.use === 'qsealc' && saved.signer !== undefined) return 'A program signs for it (--signer).';
  if (whole?.certificate === undefined) return `It has no ${whole?.what ?? 'certificate'}.`;
  if (own?.certificate === undefined)
    return 'It takes the certificate over from another profile, which is to be switched.';
  return own.certificate === pair.certificate && own.key === pair.key
    ? 'It has this pair already.'
    : undefined;
}

const pairOf = (profile: Partial<Profile>, { use }: NewPair): Pair | undefined =>
  pairsOf(profile).find((one) => one.use === use);

/** Tries the new pair with one signed read of a consent that cannot exist. */
export async function tryPair(target: Target): Promise<Pick<Rollover, 'state' | 'text'>> {
  try {
    const params = { consentId: target.ports.ids.uuid() };
    const read = { operation: 'getConsentStatus', params } as const;
    const anonymous = (await tokenFor(target, read)) === undefined ? { anonymous: true as const } : {};
    return judged(await tryCall(target, { ...read, ...anonymous }));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { state: 'unreachable', text: [error.title, error.detail].filter(Boolean).join(' ') };
  }
}

/** Only an answer that the bank gives after certificate and signature proves that it takes them. */
function judged(called: Called): Pick<Rollover, 'state' | 'text'> {
  if (called.ok) return { state: 'switched', text: 'The bank answered a signed read.' };
  const { error } = called;
  if (!(error instanceof BankRefusal))
    return { state: 'unreachable', text: [error.title, error.detail].filter(Boolean).join(' ') };
  const { bankCode, httpStatus } = error;
  const said = `The bank answered ${String(httpStatus)} ${bankCode ?? 'without a code'} to a signed read`;
  if (bankCode !== undefined && /^(CONSENT|RESOURCE)_/.test(bankCode))
    return { state: 'switched', text: `${said}: certificate and signature are taken.` };
  if (bankCode !== undefined && /^(CERTIFICATE|SIGNATURE|ROLE)_/.test(bankCode))
    return { state: 'refused', text: `${said}.` };
  const why = /^TOKEN_/.test(bankCode ?? '')
    ? 'it wants an access token first (obk auth login)'
    : 'that does not tell whether it takes the certificate';
  return { state: 'unproved', text: `${said}: ${why}.` };
}

/** Switches a profile to the new pair unless it was changed meanwhile; false where it was. */
export async function switchPair(
  { settings }: Pick<Ports, 'settings'>,
  name: string,
  old: SavedProfile,
  pair: NewPair,
): Promise<boolean> {
  let done = false;
  await settings.update((now) => {
    const saved = now.profiles[name];
    done = saved !== undefined && JSON.stringify(pairOf(saved, pair)) === JSON.stringify(pairOf(old, pair));
    if (!done || saved === undefined) return now;
    const before = namedPair(pairOf(saved, pair));
    const { use, certificate, key, passphraseFrom } = pair;
    const after: NamedPair = {
      certificate,
      key,
      ...defined({ passphraseFrom }),
    };
    const rolled = before === undefined ? [] : [{ profile: name, use, old: before, new: after }];
    const rollovers = [...withoutRollover(now, { profile: name, use }), ...rolled];
    return { ...withProfile(now, name, withPair(saved, pair)), rollovers };
  });
  return done;
}

function namedPair(pair: Pair | undefined): NamedPair | undefined {
  const { certificate, key, passphraseFrom } = pair ?? {};
  if (certificate === undefined) return undefined;
  return {
    certificate,
    ...defined({ key, passphraseFrom }),
  };
}

const withoutRollover = (
  { rollovers = [] }: Settings,
  { profile, use }: Pick<RolledPair, 'profile' | 'use'>,
): readonly RolledPair[] => rollovers.filter((one) => one.profile !== profile || one.use !== use);

/**
 * Gives a profile the pair back that it had before its last rollover; no bank is called. A pair that was changed since, or
 * whose old files are no longer what they were, stays.
 */
export async function undoRollover(
  ports: Ports,
  rolled: RolledPair,
  passphrase: (pair: NewPair) => Parameters<typeof fileFaults>[2],
): Promise<Rollover> {
  const { profile, use, old } = rolled;
  const row = { profile, use, undo: null };
  const pair: NewPair = { use, ...old, key: old.key ?? old.certificate };
  const [fault] = await pairFaults(ports, pair, passphrase(pair));
  // An expired one is what a person may want back all the same, and says so itself.
  if (fault !== undefined && fault.code !== 'CERTIFICATE_EXPIRED')
    return { ...row, state: 'unchanged', text: fault.text };
  const seen = { done: false };
  await ports.settings.update((now) => {
    const saved = now.profiles[profile];
    const current = saved === undefined ? undefined : namedPair(pairOf(saved, pair));
    seen.done = saved !== undefined && JSON.stringify(current) === JSON.stringify(rolled.new);
    if (!seen.done || saved === undefined) return now;
    const rollovers = withoutRollover(now, rolled);
    return { ...withProfile(now, profile, withPair(saved, pair)), rollovers };
  });
  return seen.done
    ? { ...row, state: 'undone', text: `It has ${old.certificate} again.` }
    : { ...row, state: 'unchanged', text: 'Its certificate was changed since the rollover.' };
}

/** The command that gives a profile the pair back that it had. */
export function undoLine(name: string, old: Partial<Profile>, pair: NewPair): string {
  const { certificate, key, passphraseFrom, flags: names } = pairOf(old, pair) ?? {};
  const flags = [
    ...(names === undefined || certificate === undefined ? [] : [names.certificate, certificate]),
    ...(names === undefined || key === undefined ? [] : [names.key, key]),
    ...(names === undefined || passphraseFrom === pair.passphraseFrom
      ? []
      : [names.passphrase, passphraseFrom ?? '']),
  ];
  return line`obk profile edit ${name} ${flags}`;
}
