import { dirname } from 'node:path/posix';
import { targetOf } from './imports.ts';
import { rooms, smallRooms } from './rooms.ts';
import type { Room } from './rooms.ts';
import { inSource, references, within } from './source.ts';
import type { Source } from './source.ts';

/**
 * The circles of files in `src`: each a list of paths of which every one leads to the next, types and import() included. A
 * circle of rooms is one of files or is forbidden by the rows of the rooms.
 */
export function circles(sources: readonly Source[]): string[][] {
  const leadsTo = new Map<string, string[]>();
  for (const source of sources) {
    const place = inSource(source.path);
    if (place === undefined) continue;
    const named = references(source).filter(({ specifier }) => specifier.startsWith('.'));
    leadsTo.set(
      place,
      named.map(({ specifier }) => targetOf(place, specifier)),
    );
  }
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (place: string) => {
    const at = path.indexOf(place);
    if (at >= 0) found.push([...path.slice(at), place]);
    if (at >= 0 || done.has(place)) return;
    path.push(place);
    for (const next of leadsTo.get(place) ?? []) walk(next);
    path.pop();
    done.add(place);
  };
  for (const place of leadsTo.keys()) walk(place);
  return found;
}

/** Folders with more files than their room allows, and rows of rooms that have no file. */
export function crowds(paths: readonly string[]): string[] {
  const places = paths.flatMap((path) => inSource(path) ?? []);
  const counts = new Map<string, number>();
  for (const place of places) counts.set(dirname(place), (counts.get(dirname(place)) ?? 0) + 1);
  const full = [...counts].flatMap(([folder, count]) => {
    const [, most = Infinity] = Object.entries(smallRooms).find(([room]) => within(folder, room)) ?? [];
    return count > most ? [`src/${folder}: ${String(count)} files, ${String(most)} is the limit`] : [];
  });
  const empty = Object.keys(rooms)
    .filter((room) => !places.some((place) => within(place, room)))
    .map((room) => `${room}: the row of a room that has no file`);
  return [...full, ...empty];
}

/** A circle of rooms within a room, found in the rows alone; `any` is the top of its room. */
export function circleOfRows(rows: Readonly<Record<string, Room>> = rooms): string[] {
  const walk = (room: string, path: readonly string[]): string[] => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    const [may] = rows[room] ?? [''];
    for (const next of may === 'any' || may === '' ? [] : may.split(' ')) {
      const circle = walk(`${dirname(room)}/${next}`, [...path, room]);
      if (circle.length > 0) return circle;
    }
    return [];
  };
  for (const room of Object.keys(rows)) {
    const circle = walk(room, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
