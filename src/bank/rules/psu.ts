import { defined } from '../../base/defined.ts';
import type { Database } from '../books/database.ts';
import { ledgerDoors } from '../books/ledger-doors.ts';
import type { Everybody } from '../books/ledger-doors.ts';
import { countWrongSecrets, findPerson, lockPerson } from '../books/people.ts';
import type { Approach, LedgerPerson, Method } from '../books/people.ts';
import { scenarioOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';

/** The PSU with this PSU-ID as the bank treats them: their own behaviour, where the bank does not prescribe another. */
export function psuOf(database: Database, psuId: string): LedgerPerson | undefined {
  return database.madeOf(`psu ${psuId}`, () => {
    const person = findPerson(database, psuId);
    return person && asEverybody(underPolicy(person, scenarioOf(database)), ledgerDoors(database).everybody);
  });
}

/** The number of wrong secrets that ends an authorisation or a login of this PSU. */
export function attemptsOf({ attempts }: LedgerPerson): number {
  return attempts ?? 5;
}

/** Whether the bank lets this PSU do nothing. */
export function isShutOut({ blocked, locked }: LedgerPerson): boolean {
  return blocked === true || locked;
}

/**
 * Counts wrong secrets of a PSU, wherever they were entered. Too many, here or since the last authorisation that succeeded, lock
 * the access where the bank does so; tells whether it is locked. `here` are those of one authorisation.
 */
export function countWrong(database: Database, psuId: string, more = 1, here = more): boolean {
  countWrongSecrets(database, psuId, more);
  const person = psuOf(database, psuId);
  if (person?.locks !== true || Math.max(person.wrongSecrets, here) < attemptsOf(person)) return false;
  lockPerson(database, psuId);
  return true;
}

function asEverybody(person: LedgerPerson, everybody: Everybody = {}): LedgerPerson {
  const { start, ...same } = everybody;
  if (start === undefined) return { ...person, ...same };
  // Everybody begins with a password.
  const { encrypted, passwordless: _, ...rest } = person;
  return { ...rest, ...(start === 'encrypted' && encrypted === true && { encrypted }), ...same };
}

function underPolicy(person: LedgerPerson, { attempts, lock, cancellation }: Scenario): LedgerPerson {
  const { locks: locksByItself, cancellation: ownRule, ...rest } = person;
  const locks = lock === 'by-person' ? locksByItself === true : lock === 'always';
  // Where a payment cannot be cancelled at all, no policy changes that.
  const keepsRule = cancellation === 'by-person' || ownRule === 'impossible';
  const rule = keepsRule ? ownRule : cancellation === 'never-sca' ? 'free' : undefined;
  return {
    ...rest,
    ...(attempts !== 'by-person' && { attempts: Number(attempts) }),
    ...(locks && { locks }),
    ...defined({ cancellation: rule }),
  };
}

const approaches = {
  redirect: 'REDIRECT',
  oauth: 'OAUTH',
  embedded: 'EMBEDDED',
  decoupled: 'DECOUPLED',
} as const satisfies Record<string, Approach>;

/** The usual approach that the policy has for all PSUs, or for payments of this product; undefined if each PSU's counts. */
export function usualApproach(
  { approach, productApproach }: Scenario,
  product: string | undefined,
): Approach | undefined {
  const pair = productApproach.split(',').find((one) => one.startsWith(`${product ?? ''}:`));
  const named = pair?.split(':')[1] ?? approach;
  return named === 'by-person' ? undefined : approaches[named as keyof typeof approaches];
}

/** The method of a PSU who needs one and has none. */
export const impliedMethod: Method = { id: 'sms', type: 'SMS_OTP', name: 'SMS to +49 151 *** 42' };

/**
 * The PSU with another usual approach; the PSU's own ones stay possible. A PSU without a method whom only the policy
 * brings to Embedded gets one: nobody is exempted from SCA by that.
 */
export function withApproach(person: LedgerPerson, approach: Approach): LedgerPerson {
  const { approaches: own, methods } = person;
  if (own[0] === approach) return person;
  return {
    ...person,
    approaches: [approach, ...own.filter((one) => one !== approach)],
    methods: approach === 'EMBEDDED' && methods.length === 0 ? [impliedMethod] : methods,
  };
}
