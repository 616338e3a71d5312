/** The bank code of the sandbox: no German bank code begins with 9. */
const germanBankCode = '99001000';
const dutchBankCode = 'OBKB';

/** The IBAN of the n-th account, with correct check digits (ISO 13616). */
export function ownIban(country: 'DE' | 'NL', n: number): string {
  const account = country === 'DE' ? String(n).padStart(10, '0') : elevenProof(n);
  const bban = (country === 'DE' ? germanBankCode : dutchBankCode) + account;
  const digits = [...`${bban}${country}00`].map((sign) => parseInt(sign, 36).toString()).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
}

/** Dutch account numbers weigh 10 to 1 and sum to a multiple of eleven. */
function elevenProof(n: number): string {
  for (let tens = n; ; tens++) {
    const head = String(tens).padStart(9, '0');
    const sum = [...head].reduce((total, digit, index) => total + Number(digit) * (10 - index), 0);
    const last = (11 - (sum % 11)) % 11;
    if (last < 10) return head + String(last);
  }
}

/** The card number of the n-th account, with right check digit (ISO 7812); no issuer has these first digits. */
export function ownPan(n: number): string {
  const head = `990010${String(n).padStart(9, '0')}`;
  const sum = [...head].reduce((total, digit, index) => {
    const twice = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return head + String((10 - (sum % 10)) % 10);
}

/** A card number as it may be shown. */
export function maskedPan(pan: string): string {
  return `${pan.slice(0, 6)}${'*'.repeat(Math.max(pan.length - 10, 0))}${pan.slice(-4)}`;
}
