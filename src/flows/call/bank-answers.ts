import { cleanLine } from '../../clean.ts';
import { headerOf } from '../../xs2a/answer.ts';
import type { Answer, RawAnswer } from '../../xs2a/answer.ts';
import type { AnswerDialect } from '../../xs2a/answer-dialect.ts';
import type { LinkAliases, LinkName } from '../../xs2a/links.ts';
import type { Operation } from '../../xs2a/operations.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';

/** How the bank of a profile writes its answers to an operation. */
export function dialectOf(
  { profile }: Pick<Target, 'profile'>,
  op: Operation,
  { params = {}, resource = {} }: Pick<CallInput, 'params' | 'resource'>,
): AnswerDialect {
  const { sca, consent, payments, ais, decode, errors } = profile;
  const given = <Key extends keyof AnswerDialect>(key: Key, value: AnswerDialect[Key]) =>
    value === undefined ? {} : { [key]: value };
  const named = { ...resource, ...params };
  const own = op.parent === 'consent' ? named.consentId : (named.paymentId ?? named.basketId);
  return {
    ...given('aliases', aliasesOf(profile)),
    ...given('withoutStart', sca?.startMode === 'skip' ? true : undefined),
    statuses: {
      ...(sca?.statusAliases === undefined ? {} : { scaStatus: sca.statusAliases }),
      ...(consent?.statusAliases === undefined ? {} : { consentStatus: consent.statusAliases }),
      ...(payments?.statusAliases === undefined ? {} : { transactionStatus: payments.statusAliases }),
    },
    ...given('authTypes', sca?.authTypeAliases),
    ...given('authorisationId', sca?.authorisationIdFrom === 'resourceId' ? own : undefined),
    ...given('wrapper', ais?.wrappers?.[op.id]),
    ...given('decode', decode),
    ...given('meaning', errors?.statusMeaning?.[op.id]),
    ...given('traceHeaders', errors?.traceHeaders),
  };
}

/** The bank's names for links; the one that starts an authorisation means more where the password goes with it. */
function aliasesOf({ links, sca }: Target['profile']): LinkAliases | undefined {
  const start = sca?.startMode === undefined ? undefined : starts[sca.startMode];
  return start === undefined ? links?.aliases : { startAuthorisation: start, ...links?.aliases };
}

const starts: Readonly<Partial<Record<string, LinkName>>> = {
  withPsuAuthentication: 'startAuthorisationWithPsuAuthentication',
  encrypted: 'startAuthorisationWithEncryptedPsuAuthentication',
};

const words = {
  numberAmounts: 'amounts are numbers',
  naiveZone: 'times have no zone',
  nulls: 'absent members are null',
  remittanceObject: 'remittance information is an object',
  otpAsString: 'numbers about an OTP are texts',
} as const;

/** Says where an answer departs from the standard without the description of the bank having it; for -v. */
export function tellDepartures(
  { profile, ports }: Target,
  { operation, findings, departures }: Answer,
): void {
  const { decode = {}, waivers = [] } = profile;
  const say = (text: string) => {
    ports.notices.trace(1, cleanLine(`${operation}: ${text}`));
  };
  for (const [setting, place] of departures ?? [])
    if (decode[setting] === undefined) say(`${words[setting]} (${place}); decode.${setting} says so`);
  for (const { pointer, rule, text } of findings) {
    const isWaived = waivers.some(
      (waiver) =>
        waiver.rule === rule &&
        (waiver.operation ?? operation) === operation &&
        (waiver.pointer ?? pointer) === pointer,
    );
    if (!isWaived) say(`the answer departs from the standard: ${text} (${pointer}, rule ${rule})`);
  }
}

/** Warns where a header of the bank says that no calls are left (limits.header). */
export function tellLimit({ profile, ports }: Target, headers: RawAnswer['headers']): void {
  const { name, format = 'number' } = profile.limits?.header ?? {};
  const value = name === undefined ? undefined : headerOf(headers, name);
  if (name === undefined || value === undefined) return;
  const left = format === 'json' ? leftIn(value) : /^\s*(\d{1,9})\b/.exec(value)?.[1];
  if (left !== undefined && Number(left) === 0)
    ports.notices.warn(cleanLine(`The bank says that no calls are left (${name}: ${value}).`, 300));
}

/** The number beside a word such as remaining. */
const leftIn = (value: string): string | undefined =>
  /"[A-Za-z_-]*(?:remain|left|available)[A-Za-z_-]*"\s*:\s*"?(\d{1,9})\b/i.exec(value.slice(0, 2000))?.[1];
