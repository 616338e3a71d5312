/** Whether a text has the form of a currency's code (ISO 4217): three capital letters. Which codes there are, `money/currencies.ts` knows. */
export const isCurrencyCode = (text: string): boolean => /^[A-Z]{3}$/.test(text);

/** Whether a text has the form of a day (ISO 8601), such as 2026-11-30; the month need not have that day. */
export const isDayText = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);
