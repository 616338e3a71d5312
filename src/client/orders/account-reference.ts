import { ObkError } from '../../base/errors.ts';
import { isBbanText } from '../../base/values.ts';
import { checkCurrency, checkIban } from '../../standard/xs2a/check.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';

const kinds = {
  iban: { member: 'iban', form: /^.+$/ },
  bban: { member: 'bban', form: { test: isBbanText } },
  pan: { member: 'pan', form: /^[0-9]{8,35}$/ },
  'masked-pan': { member: 'maskedPan', form: /^[0-9xX*]{8,35}$/ },
  msisdn: { member: 'msisdn', form: /^\+?[0-9]{5,34}$/ },
} as const satisfies Record<
  string,
  { member: keyof AccountReference; form: { test: (text: string) => boolean } }
>;

const isKind = (text: string): text is keyof typeof kinds => Object.hasOwn(kinds, text);

/**
 * The account that a person names: an IBAN, or bban:, pan:, masked-pan: or msisdn: with its number, and perhaps `:EUR` for
 * one sub-account. Throws INPUT_INVALID naming the flag.
 */
export function accountReference(flag: string, text: string): AccountReference {
  const refuse = (why: string): never => {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: `${flag} ${JSON.stringify(text)} is not an account.`,
      detail: `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}.`,
      hint: [`${flag} DE89370400440532013000`, `${flag} DE89370400440532013000:EUR   # one sub-account`],
    });
  };
  const [, prefix = 'iban', rest = ''] = /^(?:([a-z-]+):)?(.*)$/s.exec(text.trim()) ?? [];
  if (!isKind(prefix)) return refuse(`${prefix}: is none of ${Object.keys(kinds).join(', ')}`);
  const [, number = '', currency] = /^([^:]*)(?::([^:]*))?$/s.exec(rest) ?? [];
  const { member, form } = kinds[prefix];
  if (!form.test(number)) return refuse(`${prefix === 'iban' ? 'an IBAN' : prefix} has another form`);
  const checked = prefix === 'iban' ? checkIban(number) : { ok: true as const, value: number };
  if (!checked.ok) return refuse(checked.why);
  if (currency === undefined) return { [member]: checked.value };
  const code = checkCurrency(currency);
  return code.ok ? { [member]: checked.value, currency: code.value } : refuse(code.why);
}

/** The fault of an account typed at a question; undefined for a good one. */
export function accountFault(text: string): string | undefined {
  try {
    accountReference('--iban', text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return error.detail;
  }
}

/** An account as a person reads it. */
export function referenceText(reference: AccountReference): string {
  const { iban, bban, pan, maskedPan, msisdn, currency } = reference;
  const number = iban ?? bban ?? maskedPan ?? pan ?? msisdn ?? '';
  return currency === undefined ? number : `${number}:${currency}`;
}
