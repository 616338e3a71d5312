/** The values that many bodies have: amounts, accounts, addresses, dates. */
import { checkPaymentAmount } from '../../standard/formats/money/amount.ts';
import { checkBban, checkBic, checkIban, checkIsoDate } from '../../standard/xs2a/check.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import { JsonNumber } from '../../standard/xs2a/json-value.ts';
import type { JsonObject } from '../../standard/xs2a/json-value.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { accountIdentifiers, addressLimits } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import { wireNames } from '../../standard/xs2a/variants.ts';
import type { CallPlace } from '../finding.ts';
import { later, may, must, nameOf, object, text, wrongType } from './members.ts';
import type { Check, Member, Shape } from './members.ts';

export const limited = (max: number): Check => text('body-length', (value) => checkText(value, max));
/** A text of no limit. */
export const anyText: Check = text('body-length', (value) =>
  value === '' ? { ok: false, why: 'it is empty' } : { ok: true, value },
);
export const bic: Check = text('body-bic', checkBic);
export const isoDate: Check = text('body-date', checkIsoDate);

const iban: Check = text('body-iban', checkIban);
const currency: Check = text('body-currency', (value) =>
  /^[A-Z]{3}$/.test(value)
    ? { ok: true, value }
    : { ok: false, why: 'a currency is three capital letters, such as EUR' },
);
const bban: Check = text('body-account-reference', checkBban);

/** A day; one before `today` is refused with the code for days of execution. */
export function dayFrom(today: string): Check {
  return (value, at) => {
    isoDate(value, at);
    if (typeof value === 'string' && checkIsoDate(value).ok && value < today)
      at.add('body-date-passed', `${nameOf(at)} has passed: ${value}.`);
  };
}

const amountShape: Shape = {
  currency: must(currency),
  amount: must((value, at) => {
    if (value instanceof JsonNumber) wrongType(at, value, 'a text, such as "12.50"');
    else if (typeof value !== 'string') wrongType(at, value, 'a text');
  }),
};

/** An amount to be paid: more than zero, with the decimals of its currency; in one of `currencies` where there are such. */
export function paidAmount(currencies?: readonly string[]): Check {
  return object(amountShape, ({ amount, currency: code }, at) => {
    if (typeof code !== 'string' || !/^[A-Z]{3}$/.test(code)) return;
    if (currencies?.includes(code) === false)
      at.in('currency').add(
        'body-currency',
        `The product is in ${currencies.join(', ')}, and not in ${code}.`,
      );
    if (typeof amount !== 'string') return;
    const checked = checkPaymentAmount(amount, code);
    if (!checked.ok) at.in('amount').add('body-amount', `The amount is not right: ${checked.why}.`);
  });
}

const referenceShape: Shape = {
  iban: may(iban),
  bban: may(bban),
  pan: may(limited(35)),
  maskedPan: may(limited(35)),
  msisdn: may(limited(35)),
  currency: may(currency),
};

const otherShape: Shape = {
  identification: must(limited(35)),
  schemeNameCode: may(limited(35)),
  schemeNameProprietary: may(limited(35)),
  issuer: may(limited(35)),
};

/** One account by exactly one of its identifications; kept in one of `currencies`, where it says a currency and there are such. */
export function account(framework: Framework, currencies?: readonly string[]): Check {
  const has = (name: string, check: Check): Member =>
    hasMember(framework, 'reference to an account', name) ? may(check) : later(check);
  const shape = {
    ...referenceShape,
    cashAccountType: has('cashAccountType', anyText),
    other: has('other', object(otherShape)),
  };
  const names = hasMember(framework, 'reference to an account', 'other')
    ? [...accountIdentifiers, 'other']
    : accountIdentifiers;
  return object(shape, (fields, at) => {
    namesOne(fields, names, at);
    const { currency: kept } = fields;
    if (typeof kept !== 'string' || currencies?.includes(kept) !== false) return;
    const wanted = currencies.join(', ');
    at.in('currency').add('body-currency', `The product pays accounts in ${wanted}, and not in ${kept}.`);
  });
}

function namesOne(fields: JsonObject, names: readonly string[], at: CallPlace): void {
  const sent = names.filter((name) => fields[name] !== undefined);
  if (sent.length === 0)
    at.add(
      'body-account-reference',
      `${nameOf(at)} names no account: it has none of ${accountIdentifiers.join(', ')}.`,
    );
  if (sent.length > 1)
    at.add(
      'body-account-reference',
      `${nameOf(at)} names the account more than once: by ${sent.join(' and ')}.`,
    );
}

/** An address; the names of its members have changed between the frameworks. */
export function address(framework: Framework): Check {
  const names = wireNames[framework];
  const own: readonly string[] = [
    names.addressStreet,
    names.addressTown,
    names.addressPostCode,
    'buildingNumber',
  ];
  const shape = Object.fromEntries(
    Object.entries(addressLimits).map(([name, limit]) => [
      name,
      own.includes(name) ? may(limited(limit)) : later(limited(limit)),
    ]),
  );
  const country = text('body-code', (value) =>
    /^[A-Z]{2}$/.test(value)
      ? { ok: true, value }
      : { ok: false, why: 'a country is two capital letters of ISO 3166' },
  );
  return object({ country: must(country), ...shape });
}
