const weakWord =
  /^(e?NULL|aNULL|ADH|AECDH|EXP.*|LOW|e?RC[24]|e?3?DES|COMPLEMENTOF.*)$|(^|-)(NULL|RC4|DES|EXP\d*|3DES)(-|$)|^(ADH|AECDH|EXP)-/;

/** Returns why a list of ciphers is refused, judged by its words alone; undefined if they show no fault. */
export function weakWords(list: string): string | undefined {
  if (!/^[\x21-\x7e ]{1,2000}$/.test(list)) return 'OpenSSL does not accept this list of ciphers.';
  const words = list.split(/[: ,;]+/).filter((word) => word !== '' && !/^[!-]/.test(word));
  const levels = [...list.matchAll(/@SECLEVEL([^: ,;]*)/gi)].map(([, level]) => level ?? '');
  if (levels.some((level) => !/^=[1-5]$/.test(level)))
    return 'The security level may be 1 to 5: 0 would allow connections without encryption.';
  const bad = words.find((word) => word.split('+').some((part) => weakWord.test(part)));
  return bad === undefined
    ? undefined
    : `${bad} stands for suites without encryption or authentication, or that are broken.`;
}

/** Whether a list lowers the security level below what obk asks for (RSA of 2048 bits, no SHA-1). */
export const lowersLevel = (list: string | undefined): boolean => /@SECLEVEL=1\b/.test(list ?? '');
