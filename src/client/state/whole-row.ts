import type { Codec, Row } from '../ports/engine.ts';
import { intentOf } from './intent-rows.ts';
import { opened } from './open-write-rows.ts';
import { asKept } from './shapes.ts';
import { read } from './tables.ts';
import type { Table } from './tables.ts';

const kinds: Readonly<Record<string, Parameters<typeof asKept>[0]>> = {
  resource: 'resource',
  conversation: 'conversation',
  record: 'record',
};

/** Whether a row of a home holds what obk wrote: its sum, its integers and the form of its record. */
export function isWholeRow(codec: Codec, of: Table, found: Row): boolean {
  if (of.name === 'intent') return intentOf(codec, found) !== undefined;
  if (of.name === 'open_write') return opened(codec, found) !== undefined;
  const row = read(of, found) as Row | undefined;
  if (row === undefined) return false;
  if (!('record' in of.columns)) return true;
  const json = codec.open({ profile: '', kind: '', row: '' }, row['record'] as Uint8Array);
  const kind = kinds[of.name];
  return (kind === undefined ? json : asKept(kind, json)) !== undefined;
}
