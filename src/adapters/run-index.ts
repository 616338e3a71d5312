import { appendFileSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { EndedRun, JournalRecord } from '../ports.ts';
import { isMissing, writeAtomically } from './atomic-file.ts';

/**
 * One line for each run that has ended, so that those who look for something need not read all runs. Nothing depends on it: a
 * line that is missing or damaged is a run whose file is read, and what is removed is looked at again.
 */
export function runIndex(path: string) {
  return {
    add(run: string, records: readonly JournalRecord[]): void {
      const ended = summary(records);
      if (ended !== undefined) appendFileSync(path, lineOf(run, ended), { mode: 0o600 });
    },

    /** What is said of a run does not hold any more. */
    forget(run: string): void {
      appendFileSync(path, lineOf(run, null), { mode: 0o600 });
    },

    read(): Map<string, EndedRun> {
      const found = new Map<string, EndedRun>();
      for (const line of textOf(path).split('\n')) {
        const entry = parse(line);
        if (entry === undefined) continue;
        const [run, ended] = entry;
        if (ended === null) found.delete(run);
        else found.set(run, ended);
      }
      return found;
    },

    /** Writes it anew, of these runs only. */
    replace(all: ReadonlyMap<string, EndedRun>): void {
      writeAtomically(path, [...all].map(([run, ended]) => lineOf(run, ended)).join(''));
    },
  };
}

/** What the records of a run come to; undefined while it has no end. */
export function summary(records: readonly JournalRecord[]): EndedRun | undefined {
  const head = records.find((record) => record.type === 'run');
  if (head === undefined || !records.some(({ type }) => type === 'ended')) return undefined;
  const prepared = records.filter((record) => record.type === 'prepared');
  const ends = (exchange: string) =>
    records.filter((record) => 'exchange' in record && record.exchange === exchange);
  return {
    profile: head.profile,
    writes: prepared.some(({ write }) => write),
    intents: prepared.flatMap(({ intent }) => intent ?? []),
    calls: prepared.map(({ exchange, operation }) => {
      const last = ends(exchange).findLast(({ type }) => type === 'answered' || type === 'failed');
      const isResolved = ends(exchange).some(({ type }) => type === 'resolved');
      const status =
        last?.type === 'answered' ? last.status : last?.type === 'failed' ? last.partial?.status : undefined;
      return {
        operation,
        status: status ?? null,
        outcome: last?.type === 'answered' || last?.type === 'failed' ? last.outcome : null,
        resolved: isResolved,
      };
    }),
  };
}

function lineOf(run: string, ended: EndedRun | null): string {
  const text = JSON.stringify([run, ended]);
  return `${checksum(text)} ${text}\n`;
}

function parse(line: string): [string, EndedRun | null] | undefined {
  const text = line.slice(9);
  if (text === '' || line.slice(0, 8) !== checksum(text)) return undefined;
  return JSON.parse(text) as [string, EndedRun | null];
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}
