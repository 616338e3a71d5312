/** The forms of values that are written the same way everywhere. Which of them exist, others know: a form proves no check digits. */

/** Whether a text has the form of a currency's code (ISO 4217): three capital letters. Which codes there are, `money/currencies.ts` knows. */
export const isCurrencyCode = (text: string): boolean => /^[A-Z]{3}$/.test(text);

/** Whether a text has the form of a country's code (ISO 3166-1): two capital letters. Which codes there are, `xs2a/countries.ts` knows. */
export const isCountryCode = (text: string): boolean => /^[A-Z]{2}$/.test(text);

/** Whether a text has the form of a day (ISO 8601), such as 2026-11-30; the month need not have that day. */
export const isDayText = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** An IBAN within a text: country, check digits and a BBAN, the shortest of which is that of Norway. Source: ISO 13616. */
export const ibanForm = /[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}/;
const wholeIban = new RegExp(`^${ibanForm.source}$`);

/** Whether a text looks like an IBAN, in capitals and without blanks. */
export const isIbanText = (text: string): boolean => wholeIban.test(text);

/** Whether the interface and pain.001 can hold a text as an IBAN. Source: file, iban; ISO 20022, IBAN2007Identifier. */
export const isIbanOfSchema = (text: string): boolean => /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/.test(text);

/** Whether the interface can hold a text as a BBAN: 1 to 30 letters and digits. Source: file, bban. */
export const isBbanText = (text: string): boolean => /^[a-zA-Z0-9]{1,30}$/.test(text);

/** A BIC within a text: 8 or 11 characters. Source: file, bicfi; ISO 9362. */
export const bicForm = /[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?/;
const wholeBic = new RegExp(`^${bicForm.source}$`);

/** Whether a text has the form of a BIC, in capitals. */
export const isBicText = (text: string): boolean => wholeBic.test(text);

/** Whether a text is a UETR: a UUID of version 4 (RFC 9562) in small letters. */
export const isUetr = (text: string): boolean =>
  /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/.test(text);
