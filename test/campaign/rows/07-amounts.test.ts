import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatMinor, fractionDigits, parseAmount } from '../../../src/standard/formats/money/amount.ts';
import { addDecimals } from '../../../src/standard/formats/payments/credit-transfer.ts';
import { JsonNumber, member, readJson, writeJson } from '../../../src/standard/xs2a/json.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('7', 5_000);
const together = 50;

const amounts = fc.tuple(
  fc.constantFrom('EUR', 'JPY', 'KWD', 'USD', 'CHF', 'ISK', 'BHD'),
  fc.array(
    fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 14n - 1n }),
      // Those that a binary fraction cannot hold.
      fc.bigInt({ min: 0n, max: 1_000_000n }),
    ),
    { minLength: together, maxLength: together },
  ),
);

it(
  'every amount is the same after reading, sending, receiving and adding',
  { timeout: row.timeout(60_000) },
  () => {
    fc.assert(
      fc.property(amounts, ([currency, minors]) => {
        const digits = fractionDigits(currency);
        const texts = minors.map((minor) => formatMinor(minor, currency));
        for (const [at, text] of texts.entries()) {
          const minor = minors[at] ?? 0n;
          // The same value by another road: the digits as text.
          const digitsAlone = text.replace('.', '');
          expect(BigInt(digitsAlone)).toBe(minor);
          expect(parseAmount(text, currency)).toEqual({ ok: true, value: { currency, amount: text, minor } });
          const sent = writeJson({ instructedAmount: { currency, amount: text } });
          expect(member(member(readJson(sent), 'instructedAmount'), 'amount')).toBe(text);
          // Some banks write numbers: the digits of the bank stay what they are.
          const number = member(readJson(`{"amount":${text}}`), 'amount');
          expect(number).toBeInstanceOf(JsonNumber);
          expect((number as JsonNumber).text).toBe(text);
        }
        const sum = minors.reduce((total, minor) => total + minor, 0n);
        const added = addDecimals(texts);
        expect(BigInt(added.replace('.', ''))).toBe(sum);
        expect(added.replace('.', '').replace(/^0+(?=\d)/, '')).toBe(String(sum));
        expect(added.split('.')[1]?.length ?? 0).toBe(digits);
      }),
      { numRuns: Math.ceil(row.count / together), seed: row.seed },
    );
    row.report('all exact', Math.ceil(row.count / together) * together);
  },
);
