/** Returns the remainder by 97 of letters and digits, A as 10 to Z as 35. Source: ISO 7064. */
export function remainder97(text: string): number {
  let rest = 0;
  for (const sign of text)
    for (const digit of String(parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest;
}

/** Whether the check digits of what looks like an IBAN are right. Source: ISO 13616. */
export const hasIbanDigits = (iban: string): boolean => remainder97(iban.slice(4) + iban.slice(0, 4)) === 1;
