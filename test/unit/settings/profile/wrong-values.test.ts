import { describe, expect, it } from 'vitest';
import { operations } from '../../../../src/standard/xs2a/operations.ts';
import { bankRow, checkSettings } from '../../../../src/settings/profile/table.ts';
import { bankSchema } from '../../../../src/settings/profile/bank-schema.ts';
import type { SettingRow } from '../../../../src/settings/profile/row.ts';

/** One setting of the schema: its dotted key, its row, and a file with a value of it alone. */
interface Place {
  readonly key: string;
  readonly row: SettingRow;
  readonly file: (value: unknown) => unknown;
}

/** A name that a map takes: the first that it knows, or one that every kind of free name is. */
function nameFor(row: SettingRow & { kind: 'map' }): string {
  const tried = [
    ...(row.names ?? []),
    operations[0]?.id ?? '',
    '/remittanceInformationUnstructured',
    '409',
    'sepa-x',
    'word',
  ];
  const found = tried.find((name) => row.name(name) === undefined);
  if (found === undefined) throw new Error('no name for a map');
  return found;
}

/** Each setting, also the ones within lists and maps, where the members that a list needs are right. */
function* places(row: SettingRow, key: string, file: Place['file']): Generator<Place> {
  if (key !== '') yield { key, row, file };
  const under = (name: string) => (key === '' ? name : `${key}.${name}`);
  switch (row.kind) {
    case 'group':
      for (const [name, member] of Object.entries(row.members))
        yield* places(member, under(name), (value) => file({ [name]: value }));
      return;
    case 'map': {
      const name = nameFor(row);
      yield* places(row.of, under(name), (value) => file({ [name]: value }));
      return;
    }
    case 'list':
      yield* places(row.of, `${key}[0]`, (value) => file([value]));
      return;
    default:
  }
}

const all = [...places(bankRow, '', (value) => value)];

const odd = { a: 1 };
const wrongFor = (row: SettingRow): readonly unknown[] => {
  switch (row.kind) {
    case 'group':
    case 'map':
      return [null, 'text', 7, true, ['x']];
    case 'list':
      return [null, 'text', 7, true, odd];
    case 'number':
    case 'duration':
      return [null, '7', true, [7], odd, -1, Number.MAX_SAFE_INTEGER * 2 + 0.5];
    case 'yes-no':
      return [null, 'yes', 1, [true], odd];
    case 'choice':
      return [null, 7, true, ['x'], odd, 'no-such-word'];
    default:
      return [null, 7, true, ['x'], odd];
  }
};
const cases = all.flatMap((place) => wrongFor(place.row).map((value) => ({ ...place, value })));

describe('a wrong value of a setting', () => {
  it('is tried for every setting of the schema', () => {
    expect(all.length).toBeGreaterThan(150);
    expect(cases.length).toBeGreaterThan(700);
  });

  it('is reported with its path, what it is, and what it may be', () => {
    const silent = cases.flatMap(({ key, row, file, value }) => {
      const found = checkSettings(file(value), 'bank');
      const at = found.find(({ setting }) => setting === key);
      if (at === undefined) return [`${key}: ${JSON.stringify(value)}: ${JSON.stringify(found)}`];
      const says = at.text.includes(JSON.stringify(value).slice(0, 40)) || row.kind === 'reference';
      const allows = row.kind !== 'choice' || row.values.every((one) => at.text.includes(one));
      return says && allows ? [] : [`${key}: ${JSON.stringify(value)}: ${at.text}`];
    });
    expect(silent).toEqual([]);
  });

  it.each(['2027-13-01', '2027-02-30', '2026-02-29', '2027-00-10', '27-01-01', 'soon'])(
    'is %s for a day, which the calendar does not have',
    (day) => {
      const waiver = { rule: 'answer-code', reason: 'known', since: day, until: day };
      const found = checkSettings({ verifiedOn: day, waivers: [waiver] }, 'bank');
      expect(found.map(({ setting }) => setting).sort()).toEqual([
        'verifiedOn',
        'waivers[0].since',
        'waivers[0].until',
      ]);
    },
  );

  it('never reveals what stands in the place of a secret', () => {
    for (const place of all.filter(({ row }) => row.kind === 'reference')) {
      const told = JSON.stringify(checkSettings(place.file('hunter2'), 'bank'));
      expect(told, place.key).not.toContain('hunter2');
    }
    const address = checkSettings({ baseUrl: 'https://me:hunter2@bank.example' }, 'bank');
    expect(address).toHaveLength(1);
    expect(JSON.stringify(address)).not.toContain('hunter2');
  });

  it('is refused by the published schema too, by its kind', () => {
    const text = JSON.stringify(bankSchema());
    for (const { row } of all) if (row.kind === 'choice') expect(text).toContain(JSON.stringify(row.values));
  });
});

describe('a note in the settings', () => {
  const groups = all.filter(({ row }) => row.kind === 'group');
  it.each(groups.map((place) => [place.key, place] as const))('may be in %s', (key, { file }) => {
    for (const note of [
      { why: 'so' },
      { source: ['a', 'b'] },
      ...(key === 'headers.rules[0]' ? [] : [{ why: { anyFrom: 'prompt' } }]),
    ])
      // A group of a list may need members of its own; a note is no fault in any case.
      expect(checkSettings(file(note), 'bank').filter(({ text }) => !text.startsWith('It has no'))).toEqual(
        [],
      );
    expect(checkSettings(file({ why: 7 }), 'bank')).not.toEqual([]);
  });
});
