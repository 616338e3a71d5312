import type { Clock, Ids } from '../../client/ports/clock.ts';

const plain = /^[a-z0-9-]{1,64}$/;
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** A part of a file name for any text: itself where it is plain, otherwise a hash (file systems may ignore case). */
export function safeName(text: string): string {
  if (plain.test(text) && !device.test(text)) return text;
  // Loaded here: few names need it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `~${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}

const instant = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?Z$/;

/** `2026-11-21T10:00:00.123Z` as `20261121T100000123Z`: sorts as text in the order of time. */
export function compactTime(iso: string): string {
  const [, year, month, day, hour, minute, second, milli = ''] = instant.exec(iso) ?? [];
  if (second === undefined) throw new Error(`not an instant: ${iso}`);
  return `${year}${month}${day}T${hour}${minute}${second}${milli.padEnd(3, '0')}Z`;
}

const compact = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/;

/** The other way round; undefined where the name does not begin with a time. */
export function timeInName(name: string): string | undefined {
  const [, year, month, day, hour, minute, second, milli] = compact.exec(name) ?? [];
  return milli === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`;
}

/** The id of a new run: its start and something that no other run has. */
export function newRunId(clock: Clock, ids: Ids): string {
  return `${compactTime(clock.now().toISOString())}-${ids.uuid().slice(-12)}`;
}
