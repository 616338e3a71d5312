import { ObkError } from '../../base/errors.ts';
import type { Profile } from '../../settings/records/profile.ts';
import type { Header } from '../../settings/records/wire.ts';
import { correctedHeaders, declaredHeaders } from '../../standard/xs2a/headers.ts';
import type { HeaderName } from '../../standard/xs2a/header-rows.ts';
import { preferences, valueAt } from '../../settings/profile/keys.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { opened } from './operation-of-bank.ts';
import type { Target } from '../exchange/target.ts';
import type { Preferences } from '../../settings/records/resources.ts';

/**
 * The headers of what the profile and the run prefer, the run first. Of the profile's only those go out that the operation
 * declares; one that the run names and the operation does not have is an error. What the run names holds for the starts of its
 * authorisations as well.
 */
export function preferenceHeaders(target: Target, id: OperationId, run: Preferences = {}): Header[] {
  const { variant } = target;
  const op = opened(target, operation(id));
  // An erratum lets a run say what the framework has forgotten here; of the profile's it does not go out by itself.
  const corrected = correctedHeaders(variant, op).map(({ name }) => name);
  const asked = new Set<HeaderName>(
    preferences.flatMap(({ name, header }) => (run[name] === undefined ? [] : [header])),
  );
  const declared = new Set([...declaredFor(target, id), ...corrected.filter((name) => asked.has(name))]);
  const strange = [...asked].filter((name) => !declared.has(name));
  if (strange.length > 0) {
    throw new ObkError({
      code: 'USAGE',
      title: `${strange.join(', ')} cannot be sent here.`,
      detail: `${id} of framework ${variant.framework} does not have it.`,
    });
  }
  tellApproaches(target, run);
  target.state.prefer = run;
  return sent(target, run, declared);
}

/** Warns where a run prefers an approach that the bank does not have. */
function tellApproaches({ profile, ports }: Target, { redirect, decoupled }: Preferences): void {
  const { approaches } = profile.sca ?? {};
  if (approaches === undefined) return;
  const away = approaches.includes('redirect') || approaches.includes('oauth');
  const wrong = [
    ...(redirect === true && !away ? ['--redirect'] : []),
    ...(redirect === false && !approaches.some((one) => one === 'embedded' || one === 'decoupled')
      ? ['--redirect no']
      : []),
    ...(decoupled === true && !approaches.includes('decoupled') ? ['--decoupled'] : []),
  ];
  for (const flag of wrong)
    ports.notices.warn(`${flag}: the bank has ${approaches.join(' and ')} alone (sca.approaches).`);
}

/**
 * The same for the start of an authorisation, which knows fewer of them than the creation before it; `made` is what the run
 * that made the resource preferred.
 */
export function startHeaders(target: Target, id: OperationId, made: Preferences = {}): Header[] {
  return sent(target, target.state.prefer ?? made, declaredFor(target, id));
}

const declaredFor = (target: Target, id: OperationId): ReadonlySet<HeaderName> =>
  new Set(declaredHeaders(target.variant, opened(target, operation(id))).map(({ name }) => name));

function sent({ profile }: Target, run: Preferences, declared: ReadonlySet<HeaderName>): Header[] {
  const all = { ...usual(profile), ...run };
  return preferences.flatMap(({ name, header }) => {
    const value = all[name];
    const wanted = value !== undefined && value !== '' && declared.has(header);
    return wanted ? [[header, String(value)] as const] : [];
  });
}

/** The values of these headers by their names in lower case, as the run and the profile have them. */
export function preferredValues({ profile, state }: Target): Readonly<Record<string, string>> {
  const all = { ...usual(profile), ...state.prefer };
  const given = preferences.filter(({ name }) => all[name] !== undefined && all[name] !== '');
  return Object.fromEntries(given.map(({ name, header }) => [header.toLowerCase(), String(all[name])]));
}

function usual(profile: Profile): Preferences {
  const { preferred, startMode } = profile.sca ?? {};
  const set = preferences.flatMap(({ name, key }) => {
    const value = valueAt(profile, key);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...(preferred === 'redirect' || preferred === 'oauth' ? { redirect: true } : {}),
    ...(preferred === 'embedded' ? { redirect: false } : {}),
    ...(preferred === 'decoupled' ? { decoupled: true } : {}),
    ...(startMode === 'explicit' ? { explicit: true } : startMode === 'implicit' ? { explicit: false } : {}),
    ...(Object.fromEntries(set) as Preferences),
  };
}
