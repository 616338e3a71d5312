import { defined } from '../../../base/defined.ts';
import type { ExchangeView } from '../../../settings/records/exchange.ts';
import { isFinalSca, isSuccessfulSca } from '../../../standard/xs2a/codes.ts';
import type { PsuAction } from '../journey.ts';
import { answered, isOauth, isTaken, membersOf } from './recorded.ts';
import type { RecordedPsu } from './recorded.ts';

type Entered = 'password' | 'otp';

/** The names under which a journey knows the secrets that a PSU entered, each with what it is. */
export const secretNames = {
  password: 'the password of the PSU',
  otp: 'the one-time password of the PSU',
} as const satisfies Readonly<Record<Entered, string>>;

/** What the PSU of these calls did; undefined where none was asked for anything. */
export function psuOf(exchanges: readonly ExchangeView[]): RecordedPsu | undefined {
  const entries = exchanges.flatMap((one) => {
    const entered = enteredIn(one);
    return entered === undefined ? [] : [{ entered, taken: isTaken(one) }];
  });
  const wrong = (what: Entered) => {
    const first = entries.findIndex(({ entered, taken }) => entered === what && !taken);
    if (first < 0) return undefined;
    const isRight = entries.slice(first).some(({ entered, taken }) => entered === what && taken);
    return isRight ? (`wrong ${what} then right` as const) : (`wrong ${what}` as const);
  };
  const method = exchanges.map(chosenMethod).findLast((one) => one !== undefined);
  const does = actionOf(exchanges, entries.length > 0, wrong);
  if (does === undefined) return undefined;
  const of = (what: Entered) => entries.some(({ entered }) => entered === what);
  return {
    does,
    ...defined({ method }),
    ...(of('password') && { password: 'password' }),
    ...(of('otp') && { otp: 'otp' }),
  };
}

function actionOf(
  exchanges: readonly ExchangeView[],
  hasEntered: boolean,
  wrong: (what: Entered) => PsuAction | undefined,
): PsuAction | undefined {
  const erred = wrong('otp') ?? wrong('password');
  if (erred !== undefined) return erred;
  const last = exchanges.map((one) => answered(one)['scaStatus']).findLast((one) => typeof one === 'string');
  if (last !== undefined && isSuccessfulSca(last)) return 'approve';
  if (hasEntered || exchanges.some((one) => isOauth(one) && one.operation === 'oauthToken')) return 'approve';
  if (last === undefined) return undefined;
  return isFinalSca(last) ? 'refuse' : 'leave';
}

/** Whether the body of a call held a secret of the PSU, and which; the journal has a mark in its place. */
function enteredIn({ operation, request }: ExchangeView): Entered | undefined {
  if (!/Psu|Authorisation$/.test(operation)) return undefined;
  const body = membersOf(request.body);
  if ('scaAuthenticationData' in body) return 'otp';
  return 'psuData' in body ? 'password' : undefined;
}

function chosenMethod({ request }: ExchangeView): string | undefined {
  const { authenticationMethodId: chosen } = membersOf(request.body);
  return typeof chosen === 'string' ? chosen : undefined;
}
