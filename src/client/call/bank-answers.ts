import { cleanLine } from '../../base/clean.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import type { Answer, RawAnswer } from '../../standard/xs2a/answer.ts';
import type { AnswerDialect } from '../../standard/xs2a/answer-dialect.ts';
import type { LinkAliases, LinkName } from '../../standard/xs2a/links.ts';
import { authenticationTypes, isKnown } from '../../standard/xs2a/code-lists.ts';
import { consentStatuses, scaStatuses, transactionStatuses } from '../../standard/xs2a/codes.ts';
import type { Operation, OperationId } from '../../standard/xs2a/operations.ts';
import type { ErrorBody } from '../../standard/xs2a/tpp-messages.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { isAbout, isCurrent } from './waiver.ts';

/** How the bank of a profile writes its answers to an operation. */
export function dialectOf(
  { profile }: Pick<Target, 'profile'>,
  op: Operation,
  { params = {}, resource = {} }: Pick<CallInput, 'params' | 'resource'>,
): AnswerDialect {
  const { sca, consent, payments, ais, decode, errors, links } = profile;
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
    ...given('certificateLink', sca?.passwordEncryption?.certificateLink),
    ...given('wrapper', ais?.wrappers?.[op.id]),
    decode: {
      ...decode,
      challengeText: sca?.challengeData === 'text',
      linkTexts: links?.shape === 'string',
      linkList: links?.shape === 'list',
    },
    ...given('errorShapes', errors?.shapes),
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

/** Says where an answer departs from the standard without the description of the bank having it; for -v. */
export function tellDepartures(
  { profile, ports, variant }: Target,
  { operation, status, findings, ...told }: Answer,
): void {
  const { waivers = [], spec } = profile;
  const today = ports.clock.now().toISOString().slice(0, 10);
  const say = (text: string) => {
    ports.notices.trace(1, cleanLine(`${operation}: ${text}`));
  };
  for (const { pointer, rule, text } of [
    ...findings,
    ...strangeCodes(told, spec?.validateAgainst ?? variant.framework),
  ]) {
    const isWaived = waivers.some(
      (waiver) => isCurrent(waiver, today) && isAbout(waiver, { rule, pointer }, { operation, status }),
    );
    if (!isWaived) say(`the answer departs from the standard: ${text} (${pointer}, rule ${rule})`);
  }
}

/** The codes of an answer that the framework, by which it is judged, does not have and a later one does. */
function strangeCodes(
  { transactionStatus: payment, consentStatus: consent, scaStatus, scaMethods = [] }: Partial<Answer>,
  framework: Framework,
): Answer['findings'] {
  const lists = [
    ['/transactionStatus', payment, transactionStatuses],
    ['/consentStatus', consent, consentStatuses],
    ['/scaStatus', scaStatus, scaStatuses],
    ...scaMethods.map(
      ({ authenticationType }, at) =>
        [`/scaMethods/${String(at)}/authenticationType`, authenticationType, authenticationTypes] as const,
    ),
  ] as const;
  return lists.flatMap(([pointer, code, list]) => {
    if (code === undefined) return [];
    const known = list.find((one) => one.code === code);
    if (known === undefined || isKnown(framework, known)) return [];
    return [{ pointer, rule: 'framework', text: `${known.code} is not part of ${framework}` }];
  });
}

/** Says in which form an error came, where it is none of the guidelines and the description does not have it; for -v. */
export function tellErrorShape(
  { profile, ports }: Target,
  id: OperationId,
  { shape, messages }: ErrorBody,
): void {
  const isOwn = shape === 'oauth' || shape === 'html' || (shape === 'problem' && messages.length === 0);
  if (!isOwn || profile.errors?.shapes?.includes(shape) === true) return;
  ports.notices.trace(1, `${id}: the refusal is written as ${shape}; errors.shapes says so`);
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
