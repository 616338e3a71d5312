const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that Retry-After asks for, from seconds or an HTTP date (RFC 9110 section 10.2.3); `bankNow` is the time by the
 * clock of the bank. Undefined for a text that is neither, and for a time that is over.
 */
export function retryAfterMs(text: string, bankNow: number): number | undefined {
  if (/^\d{1,5}$/.test(text)) return Number(text) * 1000;
  const at = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return at > bankNow ? at - bankNow : undefined;
}
