// The bank inside as a description has it, one setting at a time: what it answers to a request typed by hand, and that it answers
// otherwise without the setting.
import { afterAll, describe, expect, it } from 'vitest';
import { describedBanks } from '../../helpers/described-bank.ts';
import type { Told } from '../../helpers/described-bank.ts';
import { leftOut, settingsOf } from '../../helpers/setting-keys.ts';
import { part, ranTable } from '../../helpers/trials.ts';
import { bookRows } from './rows/books.ts';
import { interfaceRows } from './rows/interface.ts';
import { loginRows } from './rows/login.ts';
import { scaRows } from './rows/sca.ts';
import { signingRows } from './rows/signing.ts';

const describedBank = describedBanks();
const rows = [...interfaceRows, ...bookRows, ...scaRows, ...loginRows, ...signingRows];

const wholeOf = ({ status, text, headers }: Told): string =>
  [`${String(status)} ${text}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)].join('\n');

/** What holds in each case, with the settings of one. */
function withAlways(always: object, settings: object): object {
  const both = Object.entries(settings).map(([name, value]: [string, unknown]) => {
    const under: unknown = Reflect.get(always, name);
    return [name, isGroup(under) && isGroup(value) ? withAlways(under, value) : value];
  });
  return { ...always, ...(Object.fromEntries(both) as object) };
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

afterAll(() => {
  ranTable(`${String(rows.length)} settings at the bank inside`);
});

describe('the built-in bank with a setting', () => {
  it.each(
    part(rows, 8, 0).map(
      (row) =>
        [
          [
            leftOut(row.settings)
              .map(({ key }) => key)
              .join(', '),
            row.about,
          ]
            .filter(Boolean)
            .join(': '),
          row,
        ] as const,
    ),
  )('does what it does not without: %s', async (_, { settings, always = {}, ask, told }) => {
    expect(wholeOf(await ask(await describedBank(withAlways(always, settings))))).toMatch(told);
    for (const { key, without } of leftOut(settings))
      expect(
        wholeOf(await ask(await describedBank(withAlways(always, without)))),
        `without ${key}`,
      ).not.toMatch(told);
  });
});

it('each setting that the built-in bank follows has such a request', () => {
  const proved = new Set(rows.flatMap(({ settings }) => leftOut(settings).map(({ key }) => key)));
  expect(settingsOf('bank').filter((key) => !proved.has(key))).toEqual([]);
});
