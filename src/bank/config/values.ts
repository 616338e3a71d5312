import { checkBic, checkIban, checkIsoDate } from '../../standard/xs2a/check.ts';
import { withoutBlanks } from '../../standard/xs2a/check-text.ts';
import { parseAmount } from '../../standard/formats/money/amount.ts';
import { currencies } from '../../standard/formats/money/currencies.ts';
import { parseUrl } from '../../base/url.ts';
import { checked, oneOf } from '../../settings/documents/shape.ts';
import type { Schema } from '../../base/schema.ts';
import type { Judged, Shape } from '../../settings/documents/shape.ts';

const no = (why: string): { ok: false; why: string } => ({ ok: false, why });

const control = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** What `line` refuses, for editors. */
const oneLine = String.raw`^(?=.*\S)[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$`;

/** A text of one line with something in it. */
export function text(most: number): Shape<string> {
  return checked({ maxLength: most, pattern: oneLine }, (value) => line(value, most));
}

function line(value: string, most: number): Judged<string> {
  if (value.trim() === '') return no('it is empty');
  if ([...value].length > most) return no(`it has more than ${String(most)} characters`);
  return control.test(value) ? no('it has control characters') : { ok: true, value };
}

/** A text of a pattern; `right` says what it is and how it looks. */
export function pattern(form: RegExp, right: string, more: Schema = {}): Shape<string> {
  return checked({ pattern: form.source, ...more }, (value) =>
    form.test(value) ? { ok: true, value } : no(`it is not ${right}`),
  );
}

const secretSchema = {
  minLength: 1,
  maxLength: 140,
  pattern: '^(?!(?:env|file|cmd|keyring):|(?:stdin|prompt)$)',
};

/** A secret of test data: a reference is refused, since nobody would follow it. */
export const secret: Shape<string> = checked(secretSchema, (value) => {
  if (/^(env|file|cmd|keyring):|^(stdin|prompt)$/.test(value))
    return no('a reference is not resolved here; this is test data, so write the secret itself');
  if (value === '' || [...value].length > 140) return no('a secret has 1 to 140 characters');
  return { ok: true, value };
});

/** A whole number within limits. */
export function integer(least: number, most: number): Shape<number> {
  const right = `a whole number from ${String(least)} to ${String(most)}`;
  return checked({ type: ['integer', 'string'], minimum: least, maximum: most }, (value) => {
    const number = /^(0|-?[1-9][0-9]{0,9})$/.test(value) ? Number(value) : NaN;
    return number >= least && number <= most ? { ok: true, value: number } : no(`it is not ${right}`);
  });
}

/** An ISO date. */
export const date: Shape<string> = checked({ type: 'string', format: 'date' }, checkIsoDate);

const moment =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})$/;

/** An instant with its time zone, as ISO 8601 in UTC. */
export const instant: Shape<string> = checked(
  { type: ['string'], pattern: moment.source },
  (value): Judged<string> => {
    const day = checkIsoDate(value.slice(0, 10));
    return moment.test(value) && day.ok && !Number.isNaN(Date.parse(value))
      ? { ok: true, value: new Date(value).toISOString() }
      : no('it is not a date and time with its zone, such as 2026-03-02T09:30:00Z');
  },
);

/** A decimal number with its sign; the currency, and with it the number of decimals, stands elsewhere. */
export const decimal: Shape<string> = pattern(
  /^-?[0-9]{1,14}(\.[0-9]{1,4})?$/,
  'an amount such as 12.50, with a dot and without blanks',
  { exclusiveMinimum: -1e14, exclusiveMaximum: 1e14 },
);

/** Minor units of an amount in a currency, or why it has none. */
export function minorOf(amount: string, currency: string): Judged<bigint> {
  const parsed = parseAmount(amount, currency);
  return parsed.ok ? { ok: true, value: parsed.value.minor } : no(parsed.why);
}

/** A currency of ISO 4217. */
export const currency = oneOf(currencies);

/** A blank, which stands anywhere in a number. */
const blank = String.raw`[\s\u200b\u2060]*`;
const times = (character: string, count: string) => `(?:${blank}${character}){${count}}`;
const whole = (...parts: string[]) => `^${parts.join('')}${blank}$`;
const [letter, digit, either] = ['[A-Za-z]', '[0-9]', '[A-Za-z0-9]'];

/** An IBAN of any country. */
export const iban: Shape<string> = checked(
  {
    pattern: whole(
      ...[times(letter, '2'), times(digit, '2'), times(either, '11,30')].map((part) =>
        part.replaceAll('*', '*-?'),
      ),
    ),
  },
  checkIban,
);

/** A BIC of any bank. */
export const bic: Shape<string> = checked(
  { pattern: whole(times(either, '8'), `(?:${times(either, '3')})?`) },
  checkBic,
);

/** A number of an account that is no IBAN; blanks between its parts are left out. */
export const bban: Shape<string> = number(/^[A-Z0-9]{1,30}$/, 'a BBAN of at most 30 letters and digits', {
  pattern: whole(times(either, '1,30')),
});

/** A mobile number. */
export const msisdn: Shape<string> = number(/^\+?[0-9]{4,20}$/, 'a mobile number such as +4915112345678', {
  pattern: whole(blank, String.raw`\+?`, times(digit, '4,20')),
  minimum: 1000,
});

/** A card number. */
export const pan: Shape<string> = number(/^[0-9]{12,19}$/, 'a card number of 12 to 19 digits', {
  pattern: whole(times(digit, '12,19')),
  minimum: 1e11,
});

/** A card number of which some digits are stars. */
export const maskedPan: Shape<string> = number(
  /^[0-9]{4,6}[*X]{4,9}[0-9]{4}$/,
  'a masked card number such as 123456******1234',
  { type: ['string'], pattern: whole(times(digit, '4,6'), times('[*Xx]', '4,9'), times(digit, '4')) },
);

function number(form: RegExp, right: string, schema: Schema): Shape<string> {
  return checked(schema, (value) => {
    const plain = withoutBlanks(value).toUpperCase();
    return form.test(plain) ? { ok: true, value: plain } : no(`it is not ${right}`);
  });
}

const kinds: Readonly<Record<string, (plain: string) => boolean>> = {
  iban: (plain) => checkIban(plain).ok,
  bban: (plain) => /^[A-Za-z0-9]{1,30}$/.test(plain),
  msisdn: (plain) => /^\+?[0-9]{4,20}$/.test(plain),
  pan: (plain) => /^[0-9]{12,19}$/.test(plain),
  maskedPan: (plain) => /^[0-9]{4,6}[*X]{4,9}[0-9]{4}$/i.test(plain),
};

/**
 * The number of an account at any bank, as the books keep it: `pan:5409…` says what it is; without a kind it is an IBAN, a
 * mobile number (with +), a masked card number (with stars), else a BBAN.
 */
export function checkCounterparty(value: string): Judged<string> {
  const [, kind, rest = ''] = /^([a-zA-Z]+):([^]*)$/.exec(value) ?? [];
  const plain = withoutBlanks(rest);
  if (kind === undefined) {
    const asIban = checkIban(value);
    return asIban.ok ? asIban : line(value, 40);
  }
  const isOne = kinds[kind];
  if (isOne === undefined)
    return no(`${kind}: is no kind of number; there are ${Object.keys(kinds).join(', ')}`);
  if (!isOne(plain)) return no(`${plain} is no ${kind}`);
  return { ok: true, value: kind === 'iban' ? plain : `${kind}:${plain}` };
}

/** Whose account was debited or credited at another bank, or at this one. */
export const counterparty: Shape<string> = checked(
  { maxLength: 60, pattern: `^(?![a-zA-Z]+:)|^(?:${Object.keys(kinds).join('|')}):` },
  checkCounterparty,
);

/** A web address. */
export const webAddress: Shape<string> = checked({ pattern: '^[hH][tT][tT][pP][sS]?:' }, (value) =>
  /^https?:$/.test(parseUrl(value)?.protocol ?? '') ? { ok: true, value } : no('it is no web address'),
);
