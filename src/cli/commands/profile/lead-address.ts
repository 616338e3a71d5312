import { line } from '../../../base/command-line.ts';
import { isFailure } from '../../../base/errors.ts';
import { tryAddress } from '../../../client/doctor/try-address.ts';
import type { TriedAddress } from '../../../client/doctor/try-address.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { openTarget } from '../../../client/exchange/open-target.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { presets } from '../../../standard/xs2a/variants.ts';
import { environments } from '../flags/global-options.ts';
import { journalWithHead } from '../run/journal-head.ts';
import { observers } from '../run/observe.ts';
import { environmentAnswer } from './environment-answer.ts';
import { choose, draftName, made, text } from './lead-questions.ts';
import type { Choices, Lead } from './lead-questions.ts';
import type { SettingsOptions } from './settings-flags.ts';

/** Asks for the address, and tries it. */
export async function askAddress(lead: Lead): Promise<void> {
  const about = 'Address of the bank, without /v1';
  await text(lead, 'baseUrl', { flag: '--base-url', about });
  await environmentOf(lead);
  await tried(lead);
}

export async function askEnvironment(lead: Lead): Promise<void> {
  const choices = environments.map((one) => [one, one] as const);
  const environment = await choose(lead, 'environment', 'What kind of bank is it?', choices);
  lead.options = { ...lead.options, environment };
}

/** Asks for the environment where the address needs one. */
export async function environmentOf(lead: Lead): Promise<void> {
  const { context, settings } = lead;
  const environment = await environmentAnswer(context, { settings, name: draftName, own: made(lead) });
  if (environment !== undefined) lead.options = { ...lead.options, environment };
}

/** Tries the address until it answers, or the person leaves it as it is. */
export async function tried(lead: Lead): Promise<void> {
  const { person } = lead.context.ports;
  const profile = resolved(lead.settings, draftName, made(lead));
  if (profile.environment === 'production') {
    const about = `Try ${profile.baseUrl ?? ''} now, with TLS and two unsigned reads?`;
    if (!(await person.confirm({ id: 'try', flag: '', env: '', text: about, again: true }))) return;
  }
  const found = await tryIt(lead);
  lead.reached = found.faults.length === 0;
  if (!lead.reached) return mend(lead, found);
  tellReached(lead, profile, found.variants);
}

/** Says what an address that answers tells of the framework, and takes it over where only one is left. */
function tellReached(lead: Lead, profile: Profile, variants: TriedAddress['variants']): void {
  const { notices } = lead.context.ports;
  const prefixes: string[] = variants.map((name) => presets[name].prefix);
  const where = prefixes.length === 0 ? '' : ` below ${prefixes.join(' and ')}`;
  // A template, a profile that is extended, and a flag say more of the framework than a prefix does.
  const { bank, extends: parent, framework } = lead.options;
  const isSaid = bank !== undefined || parent !== undefined || framework !== undefined;
  const isThere = prefixes.includes(profile.prefix);
  if (isSaid && isThere) {
    notices.say(`${profile.baseUrl ?? ''} answers${where}. The framework is ${profile.framework}, as given.`);
    // An answer to the question for the version.
    if (parent === undefined) lead.options = { ...lead.options, framework: profile.framework };
    return;
  }
  const [only, another] = variants;
  const taken =
    only === undefined || another !== undefined ? '' : ` Framework ${presets[only].framework} is assumed.`;
  notices.say(
    `${profile.baseUrl ?? ''} answers${where}.${taken} An unsigned answer does not tell the framework; if the bank's documents name another, give --framework.`,
  );
  if (only !== undefined && another === undefined) lead.options = { ...lead.options, variant: only };
}

/** Asks what to do about an address that does not answer. */
async function mend(lead: Lead, found: TriedAddress): Promise<void> {
  const { notices } = lead.context.ports;
  for (const fault of found.faults) notices.warn(fault);
  if (found.faults.some((fault) => fault.includes('client certificate'))) {
    notices.say('The address is tried again once there is a certificate for TLS.');
    return;
  }
  const { flags } = found;
  const way = await choose(lead, 'address-trouble', 'What now?', [
    ...(flags === undefined ? [] : [['mend', `take ${line`${flags}`}`] as const]),
    ...(found.untrusted || lead.options.ca !== undefined
      ? [['ca', 'name a file with the CA of the bank (--ca)'] as const]
      : []),
    ['address', 'another address'],
    ['keep', 'keep this one as it is'],
  ] as Choices<'mend' | 'ca' | 'address' | 'keep'>);
  if (way === 'keep') return;
  if (way === 'mend') lead.options = { ...lead.options, ...optionsOf(flags ?? []) };
  if (way === 'ca')
    await text(lead, 'ca', { flag: '--ca', about: 'CA certificates of the bank (PEM or DER file)' });
  if (way === 'address') return askAddress(lead);
  return tried(lead);
}

async function tryIt(lead: Lead): Promise<TriedAddress> {
  try {
    return await tryAddress(await draftTarget(lead));
  } catch (error) {
    if (!isFailure(error)) throw error;
    const told = [error.title, error.detail].filter((part) => part !== undefined).join(' ');
    return { faults: [told], untrusted: false, variants: [] };
  }
}

/** The draft as a target; nobody has a token for it, and only the client certificate that was given is offered. */
export function draftTarget(lead: Lead) {
  const { context, settings } = lead;
  const profile = resolved(settings, draftName, made(lead));
  const chosen = { name: draftName, profile, origin: 'flag', builtIn: false } as const;
  const ports = { ...context.ports, journal: journalWithHead(context, chosen, false) };
  return openTarget(ports, chosen, { dryRun: false, signal: context.signal, ...observers(context, chosen) });
}

const optionOf = { '--base-url': 'baseUrl', '--variant': 'variant', '--prefix': 'prefix' } as const;

/** The options that flags of an address stand for. */
function optionsOf(flags: readonly string[]): SettingsOptions {
  const pairs = Object.entries(optionOf).flatMap(([flag, option]) => {
    const value = flags[flags.indexOf(flag) + 1];
    return !flags.includes(flag) || value === undefined
      ? []
      : [[option, value === '/' ? '' : value] as const];
  });
  return Object.fromEntries(pairs);
}
