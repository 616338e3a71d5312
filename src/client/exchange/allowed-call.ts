import type { Target } from './target.ts';
import type { Prepared } from './prepared.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { forbidden } from '../profile/policy.ts';
import { parseAmount, formatMinor } from '../../standard/formats/money/amount.ts';
import { readJson, isJsonObject, member, stringMember } from '../../standard/xs2a/json.ts';
import { ObkError } from '../../base/errors.ts';
import type { JsonValue } from '../../standard/xs2a/json-value.ts';

/** Throws POLICY before a request leaves for an origin, or with an amount, that the administrator does not allow. */
export function needAllowedCall({ run, environment }: Target, { operation, request }: Prepared): void {
  const { policy } = run;
  if (policy === undefined) return;
  const { origins, maxAmount } = policy;
  const url = parseUrl(request.url);
  // A sandbox on this machine is always allowed as an origin; the list of environments is checked elsewhere.
  const isSandboxHere = environment === 'sandbox' && url !== undefined && isLoopback(url.hostname);
  const known = origins?.some((one) => parseUrl(one)?.origin === url?.origin) ?? true;
  if (!known && !isSandboxHere)
    throw forbidden(policy, `Nothing is sent to ${url?.origin ?? 'this address'} from this machine.`);
  if (maxAmount === undefined || operation.id !== 'initiatePayment') return;
  const sums = sumsIn(request.body);
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
