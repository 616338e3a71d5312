import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { isLoopback, parseUrl, urlOf } from '../../base/url.ts';
import { serviceAddresses } from '../profile/declared-origins.ts';
import type { Policy } from '../../settings/records/policy.ts';
import type { Prepared } from './prepared.ts';
import type { Target } from './target.ts';
import { forbidden } from '../profile/policy.ts';
import { parseAmount, formatMinor } from '../../standard/formats/money/amount.ts';
import { readJson, isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json-value.ts';

/**
 * Says of each call that its connection can be read or forged where the profile or --insecure allows such, and throws
 * CONNECTION_INSECURE before anything leaves where the call holds what must not go over one.
 */
export function guardConnection(target: Target, prepared: Prepared): void {
  const { request, hasSecret } = prepared;
  needAllowedCall(target, prepared);
  const { protocol, hostname, host } = urlOf(request.url);
  const { notices } = target.ports;
  const token = request.headers.some(
    ([name, value]) => value instanceof Secret || name.toLowerCase() === 'authorization',
  );
  if (protocol === 'http:' && !isLoopback(hostname)) {
    if (token || hasSecret) {
      const what = token ? 'An access token or key' : 'A password, a one-time password or a code';
      throw refused(`${what} is not sent over plain http, to ${host}.`, target);
    }
    // An origin of the profile to which a link leads may be such an address, too.
    if (target.profile.allowHttp !== true)
      throw refused(`Nothing is sent over plain http, to ${host}.`, target);
    notices.warn(`Plain http to ${host}: anybody on the way can read this call and change it.`);
  }
  if (protocol === 'https:' && target.run.insecure === true) {
    if (token) throw refused(`An access token or key is not sent with --insecure, to ${host}.`, target);
    if (hasSecret)
      throw refused(
        `A password, a one-time password or a code is not sent with --insecure, to ${host}.`,
        target,
      );
    notices.warn(`--insecure: the certificate of ${host} is not checked; anybody may answer in its place.`);
  }
}

/** Throws CONNECTION_INSECURE where --insecure or allowHttp is asked for and the profile may not have it. */
export function checkInsecure(target: Pick<Target, 'name' | 'environment' | 'profile' | 'run'>): void {
  const { name, environment, profile, run } = target;
  const addresses = [profile.baseUrl ?? '', ...serviceAddresses(profile)];
  const here = addresses.every((address) => isLoopback(parseUrl(address)?.hostname ?? ''));
  if (run.insecure === true && (environment === 'production' || (environment !== 'sandbox' && !here))) {
    throw new ObkError({
      code: 'CONNECTION_INSECURE',
      title: `--insecure is not allowed for the profile ${name} (${environment}).`,
      detail:
        'Without a check of its certificate anybody may answer; obk skips the check only for a sandbox or this machine.',
      hint: [line`obk profile edit ${name} --ca FILE   # the CA of the bank`],
    });
  }
  if (profile.allowHttp === true && environment === 'production') {
    throw new ObkError({
      code: 'CONNECTION_INSECURE',
      title: `The profile ${name} is a production profile and must not allow plain http.`,
      hint: [line`obk profile edit ${name} --allow-http no`],
    });
  }
}

function refused(title: string, { name }: Target): ObkError {
  return new ObkError({
    code: 'CONNECTION_INSECURE',
    title,
    detail: 'The request was not sent.',
    hint: [
      line`obk profile edit ${name} --base-url https://...`,
      line`obk profile edit ${name} --ca FILE   # the CA of the bank`,
    ],
  });
}

/** Throws POLICY before a request leaves for an origin, or with an amount, that the administrator does not allow. */
function needAllowedCall({ run: { policy }, environment }: Target, { operation, request }: Prepared): void {
  if (policy === undefined) return;
  const url = parseUrl(request.url);
  // A sandbox on this machine is always allowed as an origin; the list of environments is checked elsewhere.
  const isSandboxHere = environment === 'sandbox' && url !== undefined && isLoopback(url.hostname);
  const known = policy.origins?.some((one) => parseUrl(one)?.origin === url?.origin) ?? true;
  if (!known && !isSandboxHere)
    throw forbidden(policy, `Nothing is sent to ${url?.origin ?? 'this address'} from this machine.`);
  if (operation.id === 'initiatePayment') needAllowedAmounts(policy, request.body);
}

function needAllowedAmounts(policy: Policy, body: Uint8Array): void {
  const { maxAmount } = policy;
  if (maxAmount === undefined) return;
  const sums = sumsIn(body);
  if (sums === undefined || sums.size === 0)
    throw forbidden(policy, 'A payment whose amounts cannot be read is not sent from this machine.');
  for (const [currency, minor] of sums) {
    const most = parseAmount(maxAmount[currency] ?? '', currency);
    if (!most.ok) throw forbidden(policy, `Payments in ${currency} are not sent from this machine.`);
    if (minor > most.value.minor)
      throw forbidden(
        policy,
        `${formatMinor(minor, currency)} ${currency} is more than this machine may send at once (${most.value.amount}).`,
      );
  }
}

/** The amounts that a payment moves, summed by currency, in any format; undefined if one of them cannot be read. */
function sumsIn(body: Uint8Array): Map<string, bigint> | undefined {
  const text = Buffer.from(body).toString('utf8');
  const amounts = /^\s*[{[]/.test(text) ? amountsInJson(body) : amountsInXml(text);
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of amounts ?? []) {
    const parsed = parseAmount(amount, currency);
    if (!parsed.ok) return undefined;
    sums.set(currency, (sums.get(currency) ?? 0n) + parsed.value.minor);
  }
  return amounts === undefined ? undefined : sums;
}

interface Sent {
  currency: string;
  amount: string;
}

function amountsInJson(body: Uint8Array): readonly Sent[] | undefined {
  try {
    return amountsBelow(readJson(body, { maxBytes: body.length, maxValues: Infinity }));
  } catch (error) {
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}

function amountsBelow(value: JsonValue): Sent[] {
  if (Array.isArray(value)) return value.flatMap(amountsBelow);
  if (!isJsonObject(value)) return [];
  const own = member(value, 'instructedAmount');
  const { payments } = { payments: member(value, 'payments') };
  const sent =
    own === undefined
      ? []
      : [{ currency: stringMember(own, 'currency') ?? '', amount: stringMember(own, 'amount') ?? '' }];
  return [...sent, ...(payments === undefined ? [] : amountsBelow(payments))];
}

const instructed = /<(?:[^\s<>:/]+:)?(InstdAmt|EqvtAmt)\b([^>]*)>([^<]*)(<\/)?/g;

/**
 * Each amount that stands in a pain.001, also as a part of a form; one of another form makes all unreadable, and so does one that
 * goes on behind its text (after a comment, an instruction or CDATA) or may stand in an entity.
 */
function amountsInXml(text: string): readonly Sent[] | undefined {
  const found = [...text.matchAll(instructed)];
  if (/<!(?:DOCTYPE|ENTITY)/.test(text)) return undefined;
  if (found.some(([, name, , , end]) => name === 'EqvtAmt' || end === undefined)) return undefined;
  return found.map(([, , attributes = '', amount = '']) => ({
    currency: /\bCcy\s*=\s*["']([A-Z]{3})["']/.exec(attributes)?.[1] ?? '',
    amount: amount.trim().replace(/^\+|^0+(?=\d)/g, ''),
  }));
}
