import type { SecretQuestion } from '../ports/person.ts';

/** The value to send for a typed or read secret: blanks round a one-time password come from copying it. */
export function withoutBlanks({ trim }: SecretQuestion, value: string): string {
  return trim === true ? value.trim() : value;
}

/** Why a secret cannot be what the bank expects, or undefined; nothing of the value is in the words. */
export function wrongForm({ maxLength, format }: SecretQuestion, value: string): string | undefined {
  if (value === '') return 'Type the value.';
  if (maxLength !== undefined && Array.from(value).length > maxLength)
    return `At most ${maxLength} characters.`;
  if (format === 'integer' && !/^\d+$/.test(value)) return 'Digits only.';
  return undefined;
}
