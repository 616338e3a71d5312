import { fractionDigits } from '../../standard/formats/money/amount.ts';
import { currencies } from '../../standard/formats/money/currencies.ts';
import { checkIban, checkIsoDate } from '../../standard/xs2a/check.ts';
import { answerBounds } from '../../standard/xs2a/answer-shapes.ts';
import type { AnswerType } from '../../standard/xs2a/answer-objects.ts';
import { stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject } from '../../standard/xs2a/json.ts';
import { noId } from '../../standard/xs2a/request.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings } from './finding.ts';

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

/** Judges a text by the bounds of its type, and by what its name means. */
export function judgeText(
  found: AnswerFindings,
  framework: Framework,
  { pointer, name, type }: { pointer: string; name: string; type: AnswerType },
  text: string,
): void {
  const bounds = answerBounds(framework, type);
  const [kind = ''] = bounds.split(/[ :]/, 1);
  const rest = bounds.slice(kind.length + 1);
  const add = (rule: Parameters<AnswerFindings['add']>[0], what: string) => {
    found.add(rule, 'body', pointer, what);
  };
  if ((ids.has(name) || ids.has(type)) && noId(text) !== undefined) {
    add('answer-id', `${name} is no id: ${noId(text) ?? ''}.`);
    return;
  }
  if (kind === 'one') {
    const codes = rest.slice('of '.length).split(' ');
    if (!codes.includes(text)) add('answer-code', `${quoted(text)} is none of ${someOf(codes)}.`);
  } else if (kind === 'date') {
    const day = checkIsoDate(text);
    if (!day.ok) add('answer-date', `${name} is ${quoted(text)}: ${day.why}.`);
  } else if (kind === 'date-time') {
    const day = time.exec(text)?.[1];
    if (day === undefined || !checkIsoDate(day).ok)
      add('answer-date', `${name} is ${quoted(text)}, which is no date with a time.`);
  } else if (kind === 'pattern') {
    const pattern = patterns.get(rest) ?? new RegExp(`^(?:${rest})$`, 'u');
    patterns.set(rest, pattern);
    const rule = type === 'amountValue' ? 'answer-amount' : 'answer-pattern';
    if (!pattern.test(text)) add(rule, `${name} is ${quoted(text)}, which is not of the form ${rest}.`);
    else if (type === 'iban' && !checkIban(text).ok)
      add('answer-iban', `${name} is no IBAN: ${whyNot(text)}.`);
  } else if (kind === 'text' && rest !== '') {
    const length = [...text].length;
    if (length > Number(rest))
      add('answer-length', `${name} has ${String(length)} characters, and ${rest} are allowed.`);
  }
  if (isoForms[type]?.test(text) === false)
    add('answer-code', `${name} is ${quoted(text)}, which has not the form of a code of ISO 20022.`);
  if (type === 'maskedPan' && /^\d{12,19}$/.test(text.replace(/[ -]/g, '')))
    add('answer-pan', `${name} shows every digit of a card number.`);
}

const whyNot = (iban: string): string => {
  const checked = checkIban(iban);
  return checked.ok ? '' : checked.why;
};

const someOf = (codes: readonly string[]): string =>
  codes.length <= 15 ? codes.join(', ') : `the ${String(codes.length)} of the list`;

const identifiers = ['iban', 'bban', 'pan', 'maskedPan', 'msisdn', 'other'];

/** Judges what the members of an object mean together. */
export function judgeTogether(
  found: AnswerFindings,
  object: string,
  pointer: string,
  json: JsonObject,
): void {
  if (object === 'accountReference') {
    const given = identifiers.filter((name) => (json[name] ?? null) !== null);
    if (given.length !== 1)
      found.add(
        'answer-account-reference',
        'body',
        pointer,
        given.length === 0 ? 'It names no account.' : `It names the account by ${given.join(' and ')}.`,
      );
  }
  if (object === 'amount') judgeDecimals(found, pointer, json);
}

function judgeDecimals(found: AnswerFindings, pointer: string, json: JsonObject): void {
  const [currency, amount] = [stringMember(json, 'currency'), stringMember(json, 'amount')];
  const decimals = amount === undefined ? undefined : /^-?\d+\.(\d{1,3})$/.exec(amount)?.[1];
  const most =
    currency === undefined || !currencies.includes(currency) ? undefined : fractionDigits(currency);
  if (decimals === undefined || most === undefined || decimals.length <= most) return;
  // Zeros beyond what the currency has say nothing else.
  if (/^0*$/.test(decimals.slice(most))) return;
  found.add(
    'answer-amount',
    'body',
    `${pointer}/amount`,
    `${quoted(amount ?? '')} has ${String(decimals.length)} decimals, and ${currency ?? ''} has ${String(most)}.`,
  );
}
