/** The bodies of consents, confirmations of funds, signing baskets and authorisations. */
import { checkIsoDate } from '../../standard/xs2a/check.ts';
import { allAccountsValues, availableAccountsValues, valuesIn } from '../../standard/xs2a/code-lists.ts';
import { JsonNumber, isJsonObject, wholeNumber } from '../../standard/xs2a/json-value.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json-value.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { CallPlace } from '../finding.ts';
import { codeOf, flag, later, list, may, must, nameOf, object, text, wrongType } from './members.ts';
import type { Check, Member, Shape } from './members.ts';
import { account, anyText, isoDate, limited, paidAmount } from './values.ts';

const rights = ['accounts', 'balances', 'transactions'] as const;
const balanceForms = {
  plural: 'availableAccountsWithBalances',
  singular: 'availableAccountsWithBalance',
} as const;

/** Returns the check of the body of POST consents. */
export function consentBody(framework: Framework, today: string): Check {
  return object(
    {
      access: must(access(framework)),
      recurringIndicator: must(flag),
      validUntil: must((value, at) => {
        isoDate(value, at);
        if (typeof value === 'string' && checkIsoDate(value).ok && value < today)
          at.add('consent-validity', `validUntil has passed: ${value}.`);
      }),
      frequencyPerDay: must(frequency),
      combinedServiceIndicator: must(flag),
    },
    ({ recurringIndicator, frequencyPerDay }, at) => {
      if (
        recurringIndicator !== false ||
        !(frequencyPerDay instanceof JsonNumber) ||
        frequencyPerDay.value <= 1
      )
        return;
      const often = frequencyPerDay.text;
      at.in('frequencyPerDay').add('consent-frequency', `A consent for one use asks for ${often} a day.`);
    },
  );
}

const frequency: Check = (value, at) => {
  if (!(value instanceof JsonNumber)) wrongType(at, value, 'a number');
  else if ((wholeNumber(value) ?? 0) < 1)
    at.add('body-number', `frequencyPerDay is ${value.text.slice(0, 40)}, and not a whole number from 1 on.`);
};

function access(framework: Framework): Check {
  const { balanceAccessForms } = frameworkFacts[framework];
  const all = codeOf(valuesIn(framework, allAccountsValues));
  const references = list(account(framework), { mayBeEmpty: true });
  const hasMore = hasMember(framework, 'access of a consent', 'additionalInformation');
  const more = object({ ownerName: may(references), trustedBeneficiaries: may(references) });
  const kinds = list(limited(4));
  const balances = Object.entries(balanceForms).map(([form, name]): [string, Member] => [
    name,
    balanceAccessForms.some((known) => known === form) ? may(all) : later(all),
  ]);
  const shape: Shape = {
    ...Object.fromEntries(rights.map((name) => [name, may(references)])),
    availableAccounts: may(codeOf(valuesIn(framework, availableAccountsValues))),
    ...Object.fromEntries(balances),
    allPsd2: may(all),
    additionalInformation: hasMore ? may(more) : later(more),
    restrictedTo: hasMember(framework, 'access of a consent', 'restrictedTo') ? may(kinds) : later(kinds),
  };
  return object(shape, accessTogether);
}

const wholeForms = ['allPsd2', 'availableAccounts', ...Object.values(balanceForms)];

function accessTogether(fields: JsonObject, at: CallPlace): void {
  const whole = wholeForms.filter((name) => fields[name] !== undefined);
  const asked = rights.filter((name) => fields[name] !== undefined);
  if (whole.length + asked.length === 0) {
    at.add('body-combination', 'access asks for nothing.');
    return;
  }
  const [first] = whole;
  const second = whole[1] ?? asked[0];
  if (first !== undefined && second !== undefined)
    at.in(second).add(
      'body-combination',
      `access has ${first}, and ${second} beside it: exactly one form is due.`,
      {
        severity: 'warning',
      },
    );
  const sizes = asked.flatMap((name) => (Array.isArray(fields[name]) ? [fields[name].length] : []));
  if (fields['restrictedTo'] !== undefined && sizes.some((size) => size > 0))
    at.in('restrictedTo').add(
      'body-combination',
      'access has restrictedTo, and names accounts: it is for accounts that the PSU chooses.',
    );
  if (sizes.length > 0 && Math.min(...sizes) === 0 && Math.max(...sizes) > 0)
    at.add('body-combination', 'Of the lists in access some are empty and some are not.');
}

/** Returns the check of the body of POST funds-confirmations. */
export const fundsBody = (framework: Framework): Check =>
  object({
    cardNumber: may(limited(35)),
    account: must(account(framework)),
    payee: may(limited(70)),
    instructedAmount: must(paidAmount()),
  });

const ids: Check = (value, at) => {
  list(anyText)(value, at);
  if (Array.isArray(value) && new Set(value.map(String)).size !== value.length)
    at.add('body-twice', `${nameOf(at)} names one of them twice.`);
};

/** The body of POST signing-baskets. */
export const basketBody: Check = object({ paymentIds: may(ids), consentIds: may(ids) }, (fields, at) => {
  if (fields['paymentIds'] === undefined && fields['consentIds'] === undefined)
    at.add('body-combination', 'The basket is empty: there are neither paymentIds nor consentIds.');
});

const secret: Check = (value, at) => {
  if (typeof value !== 'string') wrongType(at, value, 'a text');
  else if (value === '') at.add('body-length', `${nameOf(at)} is empty.`);
};

const psuDataNames = ['password', 'encryptedPassword', 'additionalPassword', 'additionalEncryptedPassword'];

/**
 * Returns the check of the body of an authorisation, which starts it or goes on with it: at most one of its forms. Values are
 * secrets, and never told.
 */
export function authorisationBody(framework: Framework, starts: boolean): Check {
  const psuData = object(
    Object.fromEntries(psuDataNames.map((name) => [name, may(secret)])),
    (fields, at) => {
      const sent = psuDataNames.filter((name) => fields[name] !== undefined);
      if (sent.length === 0) at.add('body-combination', 'psuData holds no password.');
      if (sent.length > 1)
        at.add('body-combination', `psuData holds more than one password: ${sent.join(', ')}.`);
    },
  );
  const hasCode = hasMember(framework, 'confirmation', 'confirmationCode');
  const shape: Shape = {
    psuData: may(psuData),
    authenticationMethodId: may(
      text('body-length', (value) =>
        value !== '' && value.length <= 35
          ? { ok: true, value }
          : { ok: false, why: 'it has 1 to 35 characters' },
      ),
    ),
    scaAuthenticationData: may(secret),
    confirmationCode: hasCode ? may(secret) : later(secret),
  };
  return object(shape, (fields, at) => {
    if (starts && hasCode && fields['confirmationCode'] !== undefined)
      at.in('confirmationCode').add(
        'body-combination',
        'confirmationCode ends an authorisation that is there (PUT), and starts none.',
      );
    const [first, second] = Object.keys(shape).filter((name) => fields[name] !== undefined);
    if (first !== undefined && second !== undefined)
      at.in(second).add('body-combination', `The body holds ${first} and ${second}: one step at a time.`);
  });
}

/** Whether the body of an authorisation says nothing: then it is an identification, or a plain start. */
export function saysNothing(value: JsonValue | undefined): boolean {
  return value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
}
