/** Checks of values that people type: each returns the canonical value, or why it is wrong. */
import { isBbanText, isCurrencyCode } from '../../base/values.ts';
import { isSEPACountry, isValidBIC, validateIBAN, ValidationErrorsIBAN } from 'ibantools';
import { checkText, withoutBlanks } from './check-text.ts';
import type { Checked } from './ip-address.ts';

export { checkIsoDate } from './check-text.ts';
export { checkPsuIp } from './ip-address.ts';
export type { Checked } from './ip-address.ts';

const refuse = (why: string): { ok: false; why: string } => ({ ok: false, why });

/**
 * Checks an IBAN (country structure, length, ISO 7064 mod 97); blanks and lower case are put right. A country's own check is
 * left to `ibanDoubt`. Source: ISO 13616.
 */
export function checkIban(text: string): Checked {
  const value = withoutBlanks(text).replaceAll('-', '').toUpperCase();
  if (value === '') return refuse('it is empty');
  if (!/^[A-Z0-9]+$/.test(value)) return refuse('an IBAN has letters and digits only');
  if (!/^[A-Z]{2}[0-9]{2}/.test(value))
    return refuse('an IBAN begins with a country code and two check digits');
  const { valid, errorCodes } = validateIBAN(value);
  if (valid || failsAtHomeOnly(errorCodes)) return { ok: true, value };
  const country = value.slice(0, 2);
  if (errorCodes.includes(ValidationErrorsIBAN.NoIBANCountry))
    return refuse(`${country} is not a country that uses IBANs`);
  if (errorCodes.includes(ValidationErrorsIBAN.WrongBBANLength)) {
    return refuse(
      `it has ${String(value.length)} characters, which is not the length of an IBAN of ${country}`,
    );
  }
  if (errorCodes.includes(ValidationErrorsIBAN.WrongBBANFormat)) {
    return refuse(`it does not have the structure of an IBAN of ${country}`);
  }
  return refuse('its check digits are wrong, so at least one character is mistyped');
}

const failsAtHomeOnly = (codes: readonly ValidationErrorsIBAN[]): boolean =>
  codes.length > 0 && codes.every((code) => code === ValidationErrorsIBAN.WrongAccountBankBranchChecksum);

/** Returns why an IBAN that `checkIban` takes may be wrong all the same: a country has check digits of its own. */
export function ibanDoubt(iban: string): string | undefined {
  if (!failsAtHomeOnly(validateIBAN(iban).errorCodes)) return undefined;
  return `the check digits that ${iban.slice(0, 2)} has within its account numbers are wrong`;
}

/** Countries of SEPA that the table of ibantools lacks: since October 2025, Serbia since May 2026. Source: EPC409-09. */
const sepaToo: ReadonlySet<string> = new Set(['AL', 'ME', 'MK', 'MD', 'RS']);

/** Returns why no SEPA payment goes to an IBAN that `checkIban` accepts. */
export function outsideSepa(iban: string): string | undefined {
  const checked = checkIban(iban);
  const country = checked.ok ? checked.value.slice(0, 2) : '';
  if (country === '' || isSEPACountry(country) || sepaToo.has(country)) return undefined;
  return `the account is in ${country}, which is outside SEPA`;
}

/** Checks a BIC of 8 or 11 characters; lower case is put right. Source: ISO 9362. */
export function checkBic(text: string): Checked {
  const value = withoutBlanks(text).toUpperCase();
  return isValidBIC(value) ? { ok: true, value } : refuse('it is not a BIC of 8 or 11 characters');
}

/** Checks a BBAN as the interface has it: 1 to 30 letters and digits. Source: file, bban. */
export function checkBban(text: string): Checked {
  return isBbanText(text) ? { ok: true, value: text } : refuse('a BBAN is 1 to 30 letters and digits');
}

/** Checks an ISO 4217 code by its form; lower case is put right. */
export function checkCurrency(text: string): Checked {
  const value = text.toUpperCase();
  return isCurrencyCode(value) ? { ok: true, value } : refuse('a currency is three letters, such as EUR');
}

// The characters that every bank must take. Source: guidelines 4.1, EPC.
const foreignCharacter = /[^a-zA-Z0-9/\-?:().,'+ ]/u;

/** Returns the first character outside the minimum set and its position (in characters, from 0), or undefined. */
export function checkCharset(text: string): { readonly at: number; readonly character: string } | undefined {
  const found = foreignCharacter.exec(text);
  return found === null ? undefined : { at: [...text.slice(0, found.index)].length, character: found[0] };
}

/** Checks a text of at most 35 characters (Max35Text: identifications). */
export function checkMax35(text: string): Checked {
  return checkText(text, 35);
}

/** Checks a text of at most 70 characters (Max70Text: names). */
export function checkMax70(text: string): Checked {
  return checkText(text, 70);
}

/** Checks a text of at most 140 characters (Max140Text: remittance). */
export function checkMax140(text: string): Checked {
  return checkText(text, 140);
}

/** Checks the name of a creditor: at most 70 characters. */
export function checkCreditorName(text: string): Checked {
  return checkMax70(text);
}
