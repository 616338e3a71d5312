import { fractionDigits } from '../../standard/formats/money/amount.ts';
import { currencies } from '../../standard/formats/money/currencies.ts';
import { checkIban, checkIsoDate } from '../../standard/xs2a/check.ts';
import { answerBounds } from '../../standard/xs2a/answer-shapes.ts';
import type { AnswerType } from '../../standard/xs2a/answer-objects.ts';
import { stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject } from '../../standard/xs2a/json.ts';
import { noId } from '../../standard/xs2a/request.ts';
import { quoted } from './finding.ts';
import type { AnswerPlace } from './finding.ts';
import type { AnswerRuleId } from './rules.ts';

const ids = new Set([
  'paymentId',
  'consentId',
  'basketId',
  'authorisationId',
  'cancellationId',
  'resourceId',
]);
/** A time of the day with seconds; the guidelines leave the offset to the bank. */
const time =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/;
const patterns = new Map<string, RegExp>();
/** The forms of codes of ISO 20022 whose lists grow, and of which the files have no pattern. */
const isoForms: Readonly<Partial<Record<AnswerType, RegExp>>> = {
  cashAccountType: /^[A-Z0-9]{1,4}$/,
  bankTransactionCode: /^[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/,
};

/** A member of an object by its name, and the type that its value must have. */
export interface TypedMember {
  readonly name: string;
  readonly type: AnswerType;
}

/** What is wrong with a text, and the rule that says so. */
type TextFault = readonly [rule: AnswerRuleId, what: string];

/** How a text is judged by each kind of bounds; `bound` is what stands behind the kind. */
const byBounds: Readonly<
  Partial<Record<string, (text: string, bound: string, member: TypedMember) => TextFault | undefined>>
> = {
  one: (text, bound) => {
    const codes = bound.slice('of '.length).split(' ');
    return codes.includes(text) ? undefined : ['answer-code', `${quoted(text)} is none of ${someOf(codes)}.`];
  },
  date: (text, _, { name }) => {
    const day = checkIsoDate(text);
    return day.ok ? undefined : ['answer-date', `${name} is ${quoted(text)}: ${day.why}.`];
  },
  'date-time': (text, _, { name }) => {
    const day = time.exec(text)?.[1];
    return day !== undefined && checkIsoDate(day).ok
      ? undefined
      : ['answer-date', `${name} is ${quoted(text)}, which is no date with a time.`];
  },
  pattern: (text, bound, { name, type }) => {
    const pattern = patterns.get(bound) ?? new RegExp(`^(?:${bound})$`, 'u');
    patterns.set(bound, pattern);
    if (!pattern.test(text)) {
      const rule = type === 'amountValue' ? 'answer-amount' : 'answer-pattern';
      return [rule, `${name} is ${quoted(text)}, which is not of the form ${bound}.`];
    }
    const checked = type === 'iban' ? checkIban(text) : undefined;
    return checked?.ok === false ? ['answer-iban', `${name} is no IBAN: ${checked.why}.`] : undefined;
  },
  text: (text, bound, { name }) => {
    const length = [...text].length;
    return bound !== '' && length > Number(bound)
      ? ['answer-length', `${name} has ${String(length)} characters, and ${bound} are allowed.`]
      : undefined;
  },
};

/** Judges a text by the bounds of its type, and by what its name means. */
export function judgeText(at: AnswerPlace, member: TypedMember, text: string): void {
  const { name, type } = member;
  const why = ids.has(name) || ids.has(type) ? noId(text) : undefined;
  if (why !== undefined) {
    at.add('answer-id', `${name} is no id: ${why}.`);
    return;
  }
  const bounds = answerBounds(at.framework, type);
  const [kind = ''] = bounds.split(/[ :]/, 1);
  const fault = byBounds[kind]?.(text, bounds.slice(kind.length + 1), member);
  if (fault !== undefined) at.add(...fault);
  if (isoForms[type]?.test(text) === false)
    at.add('answer-code', `${name} is ${quoted(text)}, which has not the form of a code of ISO 20022.`);
  if (type === 'maskedPan' && /^\d{12,19}$/.test(text.replace(/[ -]/g, '')))
    at.add('answer-pan', `${name} shows every digit of a card number.`);
}

const someOf = (codes: readonly string[]): string =>
  codes.length <= 15 ? codes.join(', ') : `the ${String(codes.length)} of the list`;

const identifiers = ['iban', 'bban', 'pan', 'maskedPan', 'msisdn', 'other'];

/** Judges what the members of an object mean together. */
export function judgeTogether(at: AnswerPlace, object: string, json: JsonObject): void {
  if (object === 'accountReference') {
    const given = identifiers.filter((name) => (json[name] ?? null) !== null);
    if (given.length !== 1)
      at.add(
        'answer-account-reference',
        given.length === 0 ? 'It names no account.' : `It names the account by ${given.join(' and ')}.`,
      );
  }
  if (object === 'amount') judgeDecimals(at, json);
}

function judgeDecimals(at: AnswerPlace, json: JsonObject): void {
  const [currency, amount] = [stringMember(json, 'currency'), stringMember(json, 'amount')];
  const decimals = amount === undefined ? undefined : /^-?\d+\.(\d{1,3})$/.exec(amount)?.[1];
  const most =
    currency === undefined || !currencies.includes(currency) ? undefined : fractionDigits(currency);
  if (decimals === undefined || most === undefined || decimals.length <= most) return;
  // Zeros beyond what the currency has say nothing else.
  if (/^0*$/.test(decimals.slice(most))) return;
  at.in('amount').add(
    'answer-amount',
    `${quoted(amount ?? '')} has ${String(decimals.length)} decimals, and ${currency ?? ''} has ${String(most)}.`,
  );
}
