import { named, text } from './schema.ts';

/** An amount; the currency stands beside it. */
export const amountPattern = '^-?[0-9]{1,14}(\\.[0-9]{1,3})?$';

export const Amount = named(
  'Amount',
  text('A decimal number as a text, with a dot and no exponent; never a JSON number.', {
    pattern: amountPattern,
  }),
);

export const Currency = named('Currency', text('ISO 4217.', { pattern: '^[A-Z]{3}$' }));

export const PsuId = named('PsuId', text('The PSU-ID.', { minLength: 1, maxLength: 140 }));

/** How a customer authenticates. */
export const approaches = ['REDIRECT', 'OAUTH', 'EMBEDDED', 'DECOUPLED'];
