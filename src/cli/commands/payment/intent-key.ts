import { line } from '../../../base/command-line.ts';
import { usageError } from '../flags/flag-values.ts';
import { notEmpty } from '../flags/sca-options.ts';

const whole = notEmpty('--intent-key');
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The key of a payment. One that only looks like another, by a blank at its end or the carriage return of a file from Windows,
 * would pay the same order once more.
 */
export function intentKeyFlag(text: string): string {
  const key = text.replace(unseen, '').trim();
  if (key === whole(text)) return text;
  throw usageError(
    '--intent-key holds something that is not seen: a blank at an end, a line end or a control character.',
    ...(key === '' ? [] : [line`--intent-key ${key}`]),
  );
}
