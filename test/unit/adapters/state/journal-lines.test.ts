// What is recovered of the file of a run, line by line; processes and kills are in the tests of the whole journal.
import fs, {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendLine, nothing, readLines, readOn } from '../../../../src/adapters/state/journal-lines.ts';
import { seal } from '../../../../src/adapters/files/sealed.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';

const at = '2026-11-21T10:00:00.000Z';
const folder = mkdtempSync(join(tmpdir(), 'obk-lines-'));
let files = 0;
const fresh = () => join(folder, `${(files += 1)}.ndjson`);

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

const sealed = Object.entries(whole).map(([type, { record, absent }]) => ({
  ...{ type, absent },
  record: { type, at, ...record },
}));
const sending = (exchange: string): JournalRecord => ({ type: 'sending', at, exchange });

/** A journal with one line that the CRC takes for whole. */
function fileOf(record: object): string {
  const path = fresh();
  writeFileSync(path, seal(record));
  return path;
}

function refusal(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error;
  }
  return 'nothing was thrown';
}

describe.each(sealed)('a line of type $type', ({ record, absent }) => {
  it('is read as it was written, with what a later obk adds', () => {
    expect(readLines(fileOf({ ...record, later: 1 }))).toEqual([{ ...record, later: 1 }]);
  });

  it.each(Object.keys(record))('is damaged where %s is of another kind', (name) => {
    // A list is neither a text, a number, a flag nor an object.
    const wrong = name === 'headers' || name === 'messages' ? 'x' : ['x'];
    expect(refusal(() => readLines(fileOf({ ...record, [name]: wrong })))).toMatchObject({
      code: 'STATE_UNREADABLE',
    });
  });

  it.each(Object.keys(record))('tells whether %s may be absent', (name) => {
    const { [name as 'type']: _, ...rest } = record as Record<string, unknown> & { type: string };
    const path = fileOf(rest);
    if (absent.includes(name)) expect(readLines(path)).toEqual([rest]);
    else expect(refusal(() => readLines(path))).toMatchObject({ code: 'STATE_UNREADABLE' });
  });

  it('has an instant', () => {
    expect(refusal(() => readLines(fileOf({ ...record, at: 'noon' })))).toMatchObject({
      code: 'STATE_UNREADABLE',
    });
  });
});

describe('a damaged line', () => {
  it.each([{ type: 'toString', at }, { type: 'other', at }, { at }, { type: 7, at }])(
    'is one of no type of obk: %j',
    (record) => {
      expect(refusal(() => readLines(fileOf(record)))).toMatchObject({ code: 'STATE_UNREADABLE' });
    },
  );

  it('is named by file and line, with what to do', () => {
    const path = fresh();
    appendLine(path, sending('e1'), false);
    appendFileSync(path, 'x\n');
    const damaged = {
      ...{ code: 'STATE_UNREADABLE', exit: 3, title: 'A journal is damaged.' },
      detail: `${path}: line 2 is not what obk wrote.`,
      hint: ['Ask the bank what became of the writes of that run before anything is sent again.'],
    };
    expect(refusal(() => readLines(path))).toMatchObject(damaged);
    const before = { records: [sending('e0')], bytes: 0 };
    expect(refusal(() => readOn(path, before))).toMatchObject({
      detail: `${path}: line 3 is not what obk wrote.`,
    });
  });
});

describe('appending', () => {
  it('makes a file for its owner alone, and adds to it', () => {
    const path = fresh();
    appendLine(path, sending('e1'), true);
    appendLine(path, sending('e2'), false);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readLines(path)).toEqual([sending('e1'), sending('e2')]);
  });

  it.each([
    ['half a line after a whole one', `${Buffer.from(seal(sending('e1'))).toString()}{"crc"`, ['e1']],
    ['half a line alone', '{"crc"', []],
    ['nothing', '', []],
    ['a whole line', Buffer.from(seal(sending('e1'))).toString(), ['e1']],
  ])('begins on a line of its own after %s', (_, text, before) => {
    const path = fresh();
    writeFileSync(path, text);
    appendLine(path, sending('new'), false);
    expect(readLines(path)).toEqual([...before, 'new'].map(sending));
    expect(readFileSync(path, 'utf8')).not.toMatch(/\{"crc"\{/);
  });

  it('reads nothing of a journal that ends in a whole line, however long it is', () => {
    const path = fresh();
    const size = 5 * 1024 ** 3;
    writeFileSync(path, '');
    truncateSync(path, size - 1);
    appendFileSync(path, '\n');
    appendLine(path, sending('e1'), false);
    expect(statSync(path).size).toBe(size + seal(sending('e1')).length);
  });

  it('leaves the file as it was where a record cannot be written', () => {
    const path = fresh();
    appendLine(path, sending('e1'), true);
    const before = readFileSync(path);
    expect(() => {
      appendLine(path, { ...sending('e2'), exact: 1n } as never, true);
    }).toThrow(TypeError);
    expect(readFileSync(path)).toEqual(before);
  });

  it('leaves no descriptor open', () => {
    const open = () => fs.readdirSync('/dev/fd').length;
    const path = fresh();
    appendLine(path, sending('e1'), false);
    const read = readOn(path, nothing);
    const before = open();
    for (let n = 0; n < 5; n += 1) {
      appendLine(path, sending('e2'), false);
      readOn(path, read);
    }
    expect(open()).toBe(before);
  });
});

describe('reading on', () => {
  it('gives what has come since, and nothing twice', () => {
    const path = fresh();
    expect(readOn(path, nothing)).toEqual({ records: [], bytes: 0 });
    appendLine(path, sending('e1'), false);
    const first = readOn(path, nothing);
    expect(first).toEqual({ records: [sending('e1')], bytes: statSync(path).size });
    expect(readOn(path, first)).toEqual(first);
    appendFileSync(path, '{"crc"');
    expect(readOn(path, first)).toEqual(first);
    appendLine(path, sending('e2'), false);
    expect(readOn(path, first)).toEqual({
      records: [sending('e1'), sending('e2')],
      bytes: statSync(path).size,
    });
  });

  it('reads no byte of what it has read', () => {
    const path = fresh();
    appendLine(path, sending('e1'), false);
    const first = readOn(path, nothing);
    writeFileSync(path, `${'x'.repeat(first.bytes - 1)}\n`);
    expect(readOn(path, first)).toEqual(first);
    appendLine(path, sending('e2'), false);
    expect(readOn(path, first).records).toEqual([sending('e1'), sending('e2')]);
  });

  it('begins anew where the file has become shorter, or is away', () => {
    const path = fresh();
    appendLine(path, sending('e1'), false);
    appendLine(path, sending('e2'), false);
    const both = readOn(path, nothing);
    writeFileSync(path, seal(sending('e3')));
    expect(readOn(path, both)).toEqual({ records: [sending('e3')], bytes: statSync(path).size });
    fs.rmSync(path);
    expect(readOn(path, both)).toEqual({ records: [], bytes: 0 });
  });

  it('says which file cannot be read', () => {
    const path = fresh();
    mkdirSync(path);
    const unreadable = {
      ...{ code: 'STATE_UNREADABLE', title: 'A journal cannot be read.' },
      detail: expect.stringContaining(path) as string,
    };
    expect(refusal(() => readOn(path, nothing))).toMatchObject(unreadable);
    expect(refusal(() => readOn(path, { records: [sending('e1')], bytes: 1 }))).toMatchObject(unreadable);
  });
});
