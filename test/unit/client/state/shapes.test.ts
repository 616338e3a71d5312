// What of a record of the journal must be as obk writes it, and what may be absent.
import { describe, expect, it } from 'vitest';
import { asKept } from '../../../../src/client/state/shapes.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';

const at = '2026-11-21T10:00:00.000Z';

/** One record of each type with everything that is relied on, and what may be absent. */
const whole: Record<JournalRecord['type'], { record: Record<string, unknown>; absent: string[] }> = {
  run: {
    record: { version: '1', command: 'c', profile: 'p', environment: 'test', pid: 1 },
    absent: [],
  },
  prepared: {
    record: {
      ...{ exchange: 'e', operation: 'o', method: 'POST', url: 'https://b', headers: [['a', 'b']], body: '' },
      ...{ bodySha256: '', requestId: 'r', write: true, intent: 'i', resource: {}, signingString: 's' },
    },
    absent: ['intent', 'resource', 'signingString'],
  },
  sending: { record: { exchange: 'e' }, absent: [] },
  answered: {
    record: {
      ...{ exchange: 'e', outcome: 'DONE', status: 201, headers: [], body: '', durationMs: 1 },
      ...{ tls: {}, messages: [{}] },
    },
    absent: ['tls', 'messages'],
  },
  failed: {
    record: { exchange: 'e', outcome: 'UNKNOWN', reason: 'r', detail: 'd', durationMs: 1 },
    absent: [],
  },
  resolved: {
    record: { exchange: 'e', resolution: 'done', by: 'bank', reason: 'r', resource: {} },
    absent: ['reason', 'resource'],
  },
  ended: { record: { exit: 0 }, absent: [] },
};

const each = Object.entries(whole).map(([type, { record, absent }]) => ({
  ...{ type, absent },
  record: { type, at, ...record },
}));

const kept = (record: object) => asKept('record', record) as JournalRecord | undefined;

describe.each(each)('a record of type $type', ({ record, absent }) => {
  it('is read as it was written, with what a later obk adds', () => {
    expect(kept({ ...record, later: 1 })).toEqual({ ...record, later: 1 });
  });

  it.each(Object.keys(record))('is damaged where %s is of another kind', (name) => {
    // A list is neither a text, a number, a flag nor an object.
    const wrong = name === 'headers' || name === 'messages' ? 'x' : ['x'];
    expect(kept({ ...record, [name]: wrong })).toBeUndefined();
  });

  it.each(Object.keys(record))('is whole or damaged without %s', (name) => {
    const { [name as 'type']: _, ...rest } = record as Record<string, unknown> & { type: string };
    expect(kept(rest)).toEqual(absent.includes(name) ? rest : undefined);
  });

  it('needs a valid instant', () => {
    expect(kept({ ...record, at: 'noon' })).toBeUndefined();
  });
});

it.each([
  { type: 'toString', at },
  { type: '__proto__', at },
  { type: 'other', at },
  { at },
  { type: 7, at },
  [],
])('a record without a type of obk is damaged: %j', (record) => {
  expect(kept(record)).toBeUndefined();
});
