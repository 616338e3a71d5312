import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync } from 'node:fs';
import { ObkError } from '../../base/errors.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import { isMissing, writeFully } from '../files/atomic-file.ts';
import { guard } from '../files/file-errors.ts';
import { hasShape } from '../files/kept-shape.ts';
import type { Shape } from '../files/kept-shape.ts';
import { seal, unseal } from '../files/sealed.ts';

const newline = 0x0a;

/** The members that must be valid in each record, whichever obk wrote it. */
const ofExchange = { at: 'instant', exchange: 'text' } as const satisfies Shape;
const shapes: Readonly<Record<JournalRecord['type'], Shape>> = {
  run: {
    at: 'instant',
    version: 'text',
    command: 'text',
    profile: 'text',
    environment: 'text',
    pid: 'number',
  },
  prepared: {
    ...ofExchange,
    ...{ operation: 'text', method: 'text', url: 'text', headers: 'pairs', body: 'text', bodySha256: 'text' },
    ...{
      requestId: 'text',
      write: 'flag',
      accounts: 'texts?',
      intent: 'text?',
      resource: 'object?',
      signingString: 'text?',
    },
  },
  sending: ofExchange,
  answered: {
    ...ofExchange,
    ...{ outcome: 'text', status: 'number', headers: 'pairs', body: 'text', durationMs: 'number' },
    ...{ tls: 'object?', messages: 'objects?', doubt: 'text?' },
  },
  failed: { ...ofExchange, outcome: 'text', reason: 'text', detail: 'text', durationMs: 'number' },
  resolved: { ...ofExchange, resolution: 'text', by: 'text', reason: 'text?', resource: 'object?' },
  ended: { at: 'instant', exit: 'number' },
};

/** Appends a record; a failed write leaves the file as it was. Throws the system's errors. */
export function appendLine(path: string, record: JournalRecord, durable: boolean): void {
  const descriptor = openSync(path, 'a+', 0o600);
  try {
    const size = wholeSize(descriptor);
    try {
      writeFully(descriptor, seal(record));
      if (durable) fsyncSync(descriptor);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Cuts off the half line of a process that was killed, so that the next one begins on its own. */
function wholeSize(descriptor: number): number {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  if (size === 0) return size;
  readSync(descriptor, last, 0, 1, size - 1);
  if (last[0] === newline) return size;
  const whole = readFileSync(descriptor).lastIndexOf(newline) + 1;
  ftruncateSync(descriptor, whole);
  return whole;
}

/**
 * Reads all records. What stands after the last newline was never acknowledged and is left out; any other line that is not
 * as it was written is STATE_UNREADABLE: to guess what it said could pay twice.
 */
export function readLines(path: string): JournalRecord[] {
  return readOn(path, nothing).records;
}

/** The part of a file that was read, up to the end of its last whole line. */
export interface LinesRead {
  records: JournalRecord[];
  bytes: number;
}

export const nothing: LinesRead = { records: [], bytes: 0 };

/** Reads what has come since; the whole file again where it has become shorter. Throws as `readLines`. */
export function readOn(path: string, before: LinesRead): LinesRead {
  const text = guard('STATE_UNREADABLE', 'A journal cannot be read.', path, () => {
    try {
      return textFrom(path, before.bytes);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  });
  if (text === undefined) return before.bytes === 0 ? nothing : readOn(path, nothing);
  const end = text.lastIndexOf(newline) + 1;
  const lines = text.subarray(0, end).toString('utf8').split('\n');
  lines.pop();
  const { length } = before.records;
  const records = lines.map((line, index) => fromLine(line) ?? damaged(path, length + index + 1));
  return { records: [...before.records, ...records], bytes: before.bytes + end };
}

/** Undefined where the file is shorter than that. */
function textFrom(path: string, start: number): Buffer | undefined {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size < start) return undefined;
    const bytes = Buffer.alloc(size - start);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}

function fromLine(line: string): JournalRecord | undefined {
  const record = unseal(line) as JournalRecord | undefined;
  if (record === undefined || !Object.hasOwn(shapes, record.type)) return undefined;
  return hasShape(record, shapes[record.type]) ? record : undefined;
}

function damaged(path: string, line: number): never {
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A journal is damaged.',
    detail: `${path}: line ${line} is not what obk wrote.`,
    hint: ['Ask the bank what became of the writes of that run before anything is sent again.'],
  });
}
