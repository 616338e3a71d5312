import { appendFileSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { EndedRun, JournalRecord } from '../../settings/records/journal.ts';
import { isMissing, writeAtomically } from '../files/atomic-file.ts';
import { jsonIn } from '../files/json-in.ts';
import { hasShape } from '../files/kept-shape.ts';
import type { Shape } from '../files/kept-shape.ts';

/** So many runs stand in one line: one that is damaged costs the reading of these. */
const inBlock = 1000;
/** So many kinds have a letter of their own in a line. */
const mostKinds = 90;
const firstLetter = 0x23;

/** Many runs in one line: their ids with blanks between, oldest first, the kinds that they are of, and a letter for each run. */
interface Block {
  ids: string;
  kinds: EndedRun[];
  of: string;
}

/** The content of the index. */
interface Index {
  /** Lines for one run; null if an earlier line of that run is no longer valid. */
  single: Map<string, EndedRun | null>;
  /** Oldest first. */
  blocks: Block[];
  lines: number;
}

/** The index as it was read. */
export interface IndexRead {
  /** How many lines for one run it has. */
  lines: number;
  /** How many runs it knows by the lines of many. */
  folded: number;
  /** Picks among all runs of some time, which are given oldest first. */
  pick: (runs: readonly string[], may: (ended: EndedRun) => boolean) => Picked;
}

/** Runs that were picked, newest first, and how the index knows them all. */
export interface Picked {
  runs: string[];
  /** How many it does not know. */
  unknown: number;
  /** How many it knows by a line of many. */
  folded: number;
}

/**
 * An index of ended runs, so that a search need not read their files. A line is one run, or many that were folded:
 * thousands of runs are of a few kinds, and a thousand are skipped with one comparison. Nothing depends on it: if a
 * line is missing, damaged or of another obk, the files of its runs are read, and a run is checked again before it is
 * removed.
 */
export function runIndex(path: string) {
  return {
    add(run: string, records: readonly JournalRecord[]): void {
      const ended = summary(records);
      if (ended !== undefined) appendFileSync(path, sealed([run, ended]), { mode: 0o600 });
    },

    /** Marks earlier lines of a run as no longer valid. */
    forget(run: string): void {
      appendFileSync(path, sealed([run, null]), { mode: 0o600 });
    },

    read(): IndexRead {
      const index = read(path);
      const { blocks, lines } = index;
      const folded = blocks.reduce((sum, { of }) => sum + of.length, 0);
      const known = createKnown();
      return { lines, folded, pick: (runs, may) => pick(index, known, runs, may) };
    },

    /** All that it knows. */
    all(): Map<string, EndedRun> {
      const { single, blocks } = read(path);
      const found = new Map(blocks.flatMap((block) => [...kindsOf(block)]));
      for (const [run, ended] of single) {
        if (ended === null) found.delete(run);
        else found.set(run, ended);
      }
      return found;
    },

    /** Writes it anew, of these runs only, folded. */
    replace(all: ReadonlyMap<string, EndedRun>): void {
      const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
      writeAtomically(path, [...folded(sorted)].map(sealed).join(''));
    },
  };
}

type Known = (block: Block) => ReadonlyMap<string, EndedRun>;

/** The kinds of the runs of a block, taken apart once. */
function createKnown(): Known {
  const apart = new Map<Block, ReadonlyMap<string, EndedRun>>();
  return (block) => {
    const kinds = apart.get(block) ?? kindsOf(block);
    apart.set(block, kinds);
    return kinds;
  };
}

function pick(
  { single, blocks }: Index,
  known: Known,
  all: readonly string[],
  may: (ended: EndedRun) => boolean,
): Picked {
  const picked: Picked = { runs: [], unknown: 0, folded: 0 };
  const verdicts = new Map<EndedRun, boolean>();
  const mayBe = (kind: EndedRun): boolean => {
    const verdict = verdicts.get(kind) ?? may(kind);
    verdicts.set(kind, verdict);
    return verdict;
  };
  const look = (from: number, to: number, kinds?: ReadonlyMap<string, EndedRun>): void => {
    for (let at = to - 1; at >= from; at -= 1) {
      const run = all[at] ?? '';
      const folded = kinds?.get(run);
      if (folded !== undefined) picked.folded += 1;
      const said = single.get(run);
      const kind = said === undefined ? folded : said;
      if (kind === undefined) picked.unknown += 1;
      if (kind === undefined || kind === null || mayBe(kind)) picked.runs.push(run);
    }
  };
  let end = all.length;
  for (const block of blocks.toReversed()) {
    if (end === 0) break;
    const { ids, kinds } = block;
    const [first, last] = [ids.slice(0, ids.indexOf(' ')), ids.slice(ids.lastIndexOf(' ') + 1)];
    const to = Math.min(end, firstAfter(all, last));
    const from = Math.min(to, firstAfter(all, first, true));
    look(to, end);
    end = from;
    if (to === from) continue;
    const some = all.slice(from, to);
    const isPassedOver =
      !kinds.some(mayBe) &&
      !some.some((run) => single.has(run)) &&
      ` ${ids} `.includes(` ${some.join(' ')} `);
    if (isPassedOver) picked.folded += to - from;
    else look(from, to, known(block));
  }
  look(0, end);
  return picked;
}

/** Where in a sorted list those begin that come after an id; with `orSame` the id itself counts as one of them. */
function firstAfter(sorted: readonly string[], id: string, orSame = false): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = sorted[middle] ?? '';
    if (one > id || (orSame && one === id)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function kindsOf({ ids, kinds, of }: Block): Map<string, EndedRun> {
  const found = new Map<string, EndedRun>();
  for (const [at, run] of ids.split(' ').entries()) {
    const kind = kinds[of.charCodeAt(at) - firstLetter];
    if (kind !== undefined) found.set(run, kind);
  }
  return found;
}

function* folded(sorted: readonly (readonly [string, EndedRun])[]): Generator<Block> {
  let block: Block = { ids: '', kinds: [], of: '' };
  let letters = new Map<string, string>();
  for (const [run, kind] of sorted) {
    if (block.of.length >= inBlock || letters.size >= mostKinds) {
      yield block;
      block = { ids: '', kinds: [], of: '' };
      letters = new Map();
    }
    const text = JSON.stringify(kind);
    const letter = letters.get(text) ?? String.fromCharCode(firstLetter + letters.size);
    if (!letters.has(text)) block.kinds.push(kind);
    letters.set(text, letter);
    block.ids += `${block.of === '' ? '' : ' '}${run}`;
    block.of += letter;
  }
  if (block.of !== '') yield block;
}

const shapeOfEnded = {
  ...{ profile: 'text', writes: 'flag', free: 'flag?', exit: 'number?', calls: 'objects' },
} as const satisfies Shape;
const shapeOfBlock = { ids: 'text', kinds: 'objects', of: 'text' } as const satisfies Shape;
const isEnded = (value: unknown): value is EndedRun => hasShape(value, shapeOfEnded);
const isBlock = (value: unknown): value is Block =>
  hasShape(value, shapeOfBlock) && (value as Block).kinds.every(isEnded);

function read(path: string): Index {
  const index: Index = { single: new Map(), blocks: [], lines: 0 };
  for (const line of textOf(path).split('\n')) {
    const entry = unsealed(line);
    if (isBlock(entry)) index.blocks.push(entry);
    else if (Array.isArray(entry)) {
      const [run, ended] = entry as unknown[];
      index.lines += 1;
      if (typeof run === 'string') index.single.set(run, isEnded(ended) ? ended : null);
    }
  }
  return index;
}

/** The summary of a run's records; undefined before it has ended. */
export function summary(records: readonly JournalRecord[]): EndedRun | undefined {
  const head = records.find((record) => record.type === 'run');
  const end = records.findLast((record) => record.type === 'ended');
  if (head === undefined || end === undefined) return undefined;
  const prepared = records.filter((record) => record.type === 'prepared');
  const ends = (exchange: string) =>
    records.filter((record) => 'exchange' in record && record.exchange === exchange);
  return {
    profile: head.profile,
    exit: end.exit,
    writes: prepared.some(({ write }) => write),
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

function sealed(entry: unknown): string {
  const text = JSON.stringify(entry);
  return `${checksum(text)} ${text}\n`;
}

function unsealed(line: string): unknown {
  const text = line.slice(9);
  if (text === '' || line.slice(0, 8) !== checksum(text)) return undefined;
  return jsonIn(text);
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
