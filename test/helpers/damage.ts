// What may happen to a file of obk: on a disk that fails, after a power loss, by a newer obk or by somebody's hand.
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { insert, put, tables } from '../../src/client/state/tables.ts';
import type { RowOf, Table } from '../../src/client/state/tables.ts';
import { plantInto, rowsIn } from './state-file.ts';

/** A source of chance: numbers from 0 on, below 1. */
export type Random = () => number;
/** Damages the file of this path. */
export type Damage = (path: string, random: Random) => void;

const pick = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random() * list.length)];

/** The plain ones: each may happen to any file. */
export const damages: Readonly<Record<string, Damage>> = {
  missing: (path) => {
    rmSync(path);
  },
  empty: (path) => {
    writeFileSync(path, '');
  },
  'cut in half': (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
  },
  'cut after its first line': (path) => {
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0] ?? ''}\n`);
  },
  'full of zeros': (path) => {
    writeFileSync(path, Buffer.alloc(statSync(path).size));
  },
  'with one bit flipped': (path, random) => {
    const bytes = readFileSync(path);
    if (bytes.length === 0) return;
    // Never in the address of the bank: no test calls another machine.
    const address = bytes.indexOf('127.0.0.1');
    let at = Math.floor(random() * bytes.length);
    while (address >= 0 && at >= address - 8 && at < address + 16) at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(path, bytes);
  },
  'one byte too long': (path) => {
    appendFileSync(path, 'x');
  },
  'of a newer version': (path) => {
    if (isDatabase(path)) plantInto(...placeOf(path), 'PRAGMA user_version = 9');
    else writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"schemaVersion":', '"schemaVersion":9'));
  },
};

const contents: readonly string[] = [
  ...[
    'null',
    'true',
    '1e999',
    '"text"',
    '[]',
    '{}',
    '[[[]]]',
    '\ufeff{}',
    '{"a":1,"a":2}',
    '{"schemaVersion":1}',
  ],
  ...['{"__proto__":{"schemaVersion":1,"profiles":{}}}', '{"schemaVersion":1,"profiles":{"__proto__":{}}}'],
  ...[
    '{"constructor":{"prototype":{"sent":false}}}',
    '{"crc":"00000000","record":{}}',
    '\u001b[2J\u001b[31m',
  ],
  '['.repeat(50_000),
  '{"a":'.repeat(50_000),
];
const strangers: readonly unknown[] = [null, true, -1, 'text', [], {}, [[null]], '', '__proto__', 1e21];

/** Those that keep the form of the file and change what it holds; a row gets the sum that belongs to it, as another obk would. */
export const shapes: Readonly<Record<string, Damage>> = {
  'cut somewhere': (path, random) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, Math.floor(random() * bytes.length)));
  },
  'zeros from somewhere on': (path, random) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, Math.floor(random() * bytes.length)));
  },
  'of other content': (path, random) => {
    writeFileSync(path, pick(contents, random) ?? '');
  },
  'with a line twice': (path, random) => {
    if (isDatabase(path)) {
      strikeRow(path, random, true);
      return;
    }
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = Math.floor(random() * lines.length);
    writeFileSync(path, [...lines.slice(0, at), lines[at], ...lines.slice(at)].join('\n'));
  },
  'without a line': (path, random) => {
    if (isDatabase(path)) {
      strikeRow(path, random, false);
      return;
    }
    const lines = readFileSync(path, 'utf8').split('\n');
    lines.splice(Math.floor(random() * lines.length), 1);
    writeFileSync(path, lines.join('\n'));
  },
  'with a value of another kind': (path, random) => {
    rewrite(path, random, (json) => {
      const places = placesIn(json).filter(({ key }) => key !== 'baseUrl');
      const place = pick(places, random);
      if (place === undefined) return;
      const kind = typeof place.holder[place.key];
      const others = strangers.filter((one) => typeof one !== kind);
      place.holder[place.key] = pick(others, random);
    });
  },
  'without a value': (path, random) => {
    rewrite(path, random, (json) => {
      const place = pick(placesIn(json), random);
      if (place !== undefined) Reflect.deleteProperty(place.holder, place.key);
    });
  },
  'of a newer version, whole': (path, random) => {
    rewrite(path, random, (json) => {
      json['schemaVersion'] = 2;
      json['ofTomorrow'] = { list: [1] };
    });
  },
};

type Json = Record<string, unknown>;

const isDatabase = (path: string): boolean => path.endsWith('.db');
const placeOf = (path: string) => [dirname(path), basename(path, '.db') as 'state' | 'log'] as const;

/** Changes the JSON in one row of a database, with the sum that belongs to it, as another obk would. */
function rewriteRow(path: string, random: Random, change: (json: Json) => void): void {
  const [folder, file] = placeOf(path);
  const of = pick(
    (tables[file] as readonly Table[]).filter(({ columns }) => 'record' in columns || 'mark' in columns),
    random,
  );
  const row = of && pick(rowsIn(folder, file, `SELECT * FROM ${of.name}`), random);
  if (of === undefined || row === undefined) return;
  const column = 'mark' in of.columns ? 'mark' : 'record';
  const json = parsed(Buffer.from(row[column] as Uint8Array).toString());
  if (json === undefined) return;
  change(json);
  const { sql, values } = put(of, { ...row, [column]: Buffer.from(JSON.stringify(json)) } as RowOf<Table>);
  plantInto(folder, file, sql, values);
}

/** Removes a row of a database, or adds it once more where its table lets that be. */
function strikeRow(path: string, random: Random, twice: boolean): void {
  const [folder, file] = placeOf(path);
  const of = pick(tables[file] as readonly Table[], random);
  const row = of && pick(rowsIn(folder, file, `SELECT rowid AS number_of_row, * FROM ${of.name}`), random);
  if (of === undefined || row === undefined) return;
  if (!twice) {
    plantInto(folder, file, `DELETE FROM ${of.name} WHERE rowid = ?1`, [row['number_of_row'] ?? null]);
    return;
  }
  const { sql, values } = insert(of, row as RowOf<Table>);
  plantInto(folder, file, sql.replace('INSERT', 'INSERT OR REPLACE'), values);
}

/** Changes the JSON document of the file, or that of a row in it. */
function rewrite(path: string, random: Random, change: (json: Json) => void): void {
  if (isDatabase(path)) {
    rewriteRow(path, random, change);
    return;
  }
  const json = parsed(readFileSync(path, 'utf8'));
  if (json === undefined) return;
  change(json);
  writeFileSync(path, JSON.stringify(json));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Every value within a document, and who holds it. */
function placesIn(holder: Json): { holder: Json; key: string }[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const below = typeof value === 'object' && value !== null ? placesIn(value as Json) : [];
    return [{ holder, key }, ...below];
  });
}
