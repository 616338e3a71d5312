import { describe, expect, it } from 'vitest';
import {
  isBbanText,
  isBicText,
  isCountryCode,
  isCurrencyCode,
  isDayText,
  isIbanOfSchema,
  isIbanText,
  isUetr,
} from '../../../src/base/values.ts';

// The border cases at which copies of these forms had parted: readers of statements took 12, 15 or 5 characters for an IBAN.
const forms: readonly (readonly [
  name: string,
  is: (text: string) => boolean,
  those: readonly string[],
  others: readonly string[],
])[] = [
  [
    'an IBAN',
    isIbanText,
    ['NO9386011117947', 'DE89370400440532013000', `MT84${'A'.repeat(30)}`],
    [
      'AC1234567890',
      'NO938601111794',
      `MT84${'A'.repeat(31)}`,
      'no9386011117947',
      'NO93 8601 1117 947',
      'DEAB37040044053',
    ],
  ],
  [
    'an IBAN of the schema',
    isIbanOfSchema,
    ['DE8', 'DE89a'].map((text) => text.padEnd(5, '1')),
    ['DE89', 'de891', `DE89${'1'.repeat(31)}`, 'DE89 1'],
  ],
  ['a BBAN', isBbanText, ['1', 'a1B2', '1'.repeat(30)], ['', '1 2', '1-2', '1'.repeat(31)]],
  [
    'a BIC',
    isBicText,
    ['INGDDEFF', 'INGDDEFFXXX', 'RABONL20', 'RABONL2U123'],
    ['INGDDE1F', 'INGDDE0F', 'INGDDEFO', 'INGDDEFFX', 'INGDDEFFXX', 'ingddeff', '1NGDDEFF'],
  ],
  ['a country', isCountryCode, ['DE', 'XK'], ['de', 'D', 'DEU', 'D1', '']],
  ['a currency', isCurrencyCode, ['EUR', 'XXX'], ['eur', 'EU', 'EURO', 'EU1']],
  ['a day', isDayText, ['2026-11-30', '2026-02-31'], ['2026-1-30', '20261130', '2026-11-30T00:00:00Z']],
  [
    'a UETR',
    isUetr,
    ['eb6305c9-1f7f-49de-aed0-16487c27b42d'],
    [
      'EB6305C9-1F7F-49DE-AED0-16487C27B42D',
      'eb6305c9-1f7f-19de-aed0-16487c27b42d',
      'eb6305c9-1f7f-49de-ced0-16487c27b42d',
      'eb6305c91f7f49deaed016487c27b42d',
    ],
  ],
];

describe('The forms of values', () => {
  for (const [name, is, those, others] of forms)
    it(`know ${name} from what only resembles it`, () => {
      expect(those.filter((text) => !is(text))).toEqual([]);
      expect(others.filter(is)).toEqual([]);
    });
});
