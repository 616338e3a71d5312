/** References of creditors by which they find a payment in their books: checked, and their kind told. */
import { remainder97 } from './check-digits.ts';
import { checkText, withoutBlanks } from './check-text.ts';
import type { Checked } from './ip-address.ts';
import type { StructuredRemittance } from './wire.ts';

/** A reference in its canonical form; its type as ISO 20022 or Swiss banks name it, where its form tells one. */
export type CreditorReference =
  { readonly ok: true; readonly value: StructuredRemittance } | { readonly ok: false; readonly why: string };

const refuse = (why: string): CreditorReference => ({ ok: false, why });

const isSwiss = (iban: string): boolean => /^(CH|LI)/.test(iban);

/** Tells whether an IBAN (capitals, no blanks) is a Swiss QR-IBAN: its bank number is 30000 to 31999. */
export function isQrIban(iban: string): boolean {
  return /^(CH|LI)[0-9]{2}3[01][0-9]{3}/.test(iban);
}

/**
 * Reads the reference for a creditor whose IBAN is `iban`: one of ISO 11649 (RF), the QR reference of a Swiss QR-IBAN, or any
 * other text of at most `max` characters. Blanks between groups are taken off the first two. A wrong one is refused with the
 * check digits that would be right. Source: ISO 11649, Swiss Implementation Guidelines QR-bill.
 */
export function readCreditorReference(text: string, iban = '', max = 35): CreditorReference {
  const compact = withoutBlanks(text).toUpperCase();
  const account = withoutBlanks(iban).toUpperCase();
  if (/^RF[0-9]{2}/.test(compact)) {
    if (isQrIban(account))
      return refuse('a QR-IBAN takes a QR reference of 27 digits, and this begins with RF');
    return readRf(compact);
  }
  if (isQrIban(account) || (isSwiss(account) && /^[0-9]{27}$/.test(compact))) return readQr(compact, account);
  const checked = checkText(text, max);
  return checked.ok ? { ok: true, value: { reference: text.trim() } } : checked;
}

/** Tells what is wrong with a reference that says of itself what it is; undefined where nothing is, or nothing is known of its kind. */
export function referenceFault(
  { reference, referenceType }: StructuredRemittance,
  iban = '',
): string | undefined {
  const isQr = referenceType === 'QRR';
  if (!isQr && !(/^RF[0-9]{2}/.test(reference) && ['SCOR', undefined].includes(referenceType)))
    return undefined;
  const read = isQr ? readQr(reference, iban) : readRf(reference);
  return read.ok ? undefined : read.why;
}

function readRf(reference: string): CreditorReference {
  if (!/^RF[0-9]{2}[A-Z0-9]{1,21}$/.test(reference))
    return refuse('a reference of ISO 11649 is RF, two check digits and 1 to 21 capital letters and digits');
  const written = reference.slice(2, 4);
  const right = String(98 - remainder97(`${reference.slice(4)}RF00`)).padStart(2, '0');
  return written === right
    ? { ok: true, value: { reference, referenceType: 'SCOR', referenceIssuer: 'ISO' } }
    : refuse(
        `its check digits are ${written}, and ${right} would be right, so at least one character is mistyped`,
      );
}

function readQr(reference: string, iban: string): CreditorReference {
  if (!/^[0-9]{27}$/.test(reference))
    return refuse(`a QR reference has 27 digits, and this has ${String(reference.length)} characters`);
  const right = qrCheckDigit(reference.slice(0, -1));
  const written = reference.slice(-1);
  if (written !== right)
    return refuse(
      `its check digit is ${written}, and ${right} would be right, so at least one digit is mistyped`,
    );
  if (iban !== '' && !isQrIban(iban))
    return refuse('a QR reference goes to a QR-IBAN, whose bank number is 30000 to 31999');
  return { ok: true, value: { reference, referenceType: 'QRR' } };
}

/** Checks a legal entity identifier: 18 letters and digits and two check digits; lower case is put right. Source: ISO 17442. */
export function checkLei(text: string): Checked {
  const value = withoutBlanks(text).toUpperCase();
  if (!/^[A-Z0-9]{18}[0-9]{2}$/.test(value))
    return { ok: false, why: 'an LEI is 18 letters and digits and two check digits' };
  const right = String(98 - remainder97(`${value.slice(0, 18)}00`)).padStart(2, '0');
  return value.slice(18) === right
    ? { ok: true, value }
    : { ok: false, why: `its check digits are ${value.slice(18)}, and ${right} would be right` };
}

/** Modulo 10, recursive. Source: Swiss Implementation Guidelines QR-bill, annex B. */
function qrCheckDigit(digits: string): string {
  const table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];
  let carry = 0;
  for (const digit of digits) carry = table[(carry + Number(digit)) % 10] ?? 0;
  return String((10 - carry) % 10);
}
