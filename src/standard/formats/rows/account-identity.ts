/** Accounts by what they are, however a bank writes them. */
import { isIbanText } from '../../../base/values.ts';

const plain = /^[0-9A-Z]+$/;
const beforeIban = /^IBAN(?=[A-Z]{2}[0-9]{2})/;
/** The bank code and the number of the account, which a German bank writes without the zeros in front of it. */
const german = /^\s*([0-9]{8})\s*\/\s*([0-9]{1,10})\s*$/;
/** A Polish number: an IBAN without its country; no country has so long a BBAN of digits. */
const polish = /^[0-9]{26}$/;
const card = /^[0-9]{4,}[X*]+[0-9]*$/;

/**
 * Returns what two spellings of the number of an account have in common: without blanks, hyphens and the like, in capitals, of an
 * IBAN its BBAN (its part after the first four characters, ISO 13616), without zeros in front, and one sign for what is masked.
 */
export function accountIdentity(number: string): string {
  if (isIbanText(number)) return withoutZeros(number.slice(4));
  const bare = plain.test(number) ? number : bared(number);
  if (isIbanText(bare)) return withoutZeros(bare.slice(4));
  if (polish.test(bare)) return withoutZeros(bare.slice(2));
  return withoutZeros(card.test(bare) ? bare.replaceAll('X', '*') : bare);
}

const withoutZeros = (number: string): string =>
  number.startsWith('0') ? number.replace(/^0+(?=.)/, '') : number;

function bared(number: string): string {
  const [, bank, account] = german.exec(number) ?? [];
  if (bank !== undefined && account !== undefined) return bank + account.padStart(10, '0');
  return number
    .replace(/[•#]/g, '*')
    .replace(/[^\p{L}\p{N}*]/gu, '')
    .toUpperCase()
    .replace(beforeIban, '');
}
