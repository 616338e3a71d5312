import type { SecretQuestion } from '../../client/ports/person.ts';

/**
 * The value to send for a typed or read secret: blanks round a one-time password come from copying it, and those between its digits
 * from how it was shown (123 456).
 */
export function withoutBlanks({ trim }: SecretQuestion, value: string): string {
  if (trim !== true) return value;
  return /^[\d\s]+$/.test(value) ? value.replace(/\s+/g, '') : value.trim();
}

/** Why a secret cannot be what the bank expects, or undefined; nothing of the value is in the words. */
export function wrongForm({ maxLength, format }: SecretQuestion, value: string): string | undefined {
  if (value === '') return 'Type the value.';
  if (maxLength !== undefined && Array.from(value).length > maxLength)
    return `At most ${maxLength} characters.`;
  if (format === 'integer' && !/^\d+$/.test(value)) return 'Digits only.';
  return undefined;
}
