import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path/posix';
import { extraValues, outside, packages, pureBuiltins, rooms, subRooms } from './rooms.ts';
import { inSource, references, roomOf } from './source.ts';
import type { Reference, Source } from './source.ts';

const within = (place: string, allowed: string): boolean =>
  place === allowed || place.startsWith(`${allowed}/`);

/** `flows/call/prepare` is of the room within a room `flows/call`; `sandbox/index` is one by itself. */
const subRoomOf = (place: string): string => place.split('/').slice(0, 2).join('/');

/** The file that a relative import names, by its path below `src`. */
export const targetOf = (place: string, specifier: string): string =>
  normalize(join(dirname(place), specifier)).replace(/\.ts$/, '');

function importWithin(place: string, target: string): string | undefined {
  const from = subRoomOf(place);
  const to = subRoomOf(target);
  const may = subRooms[from];
  if (from === to || may === undefined || may === 'any') return undefined;
  const [, name = ''] = to.split('/');
  return may.split(' ').includes(name) ? undefined : `imports ${target}: ${from} may not`;
}

function relativeImport(place: string, { specifier, typesOnly, lazy }: Reference): string | undefined {
  const target = targetOf(place, specifier);
  const from = roomOf(place);
  const to = roomOf(target);
  if (target === '../package.json')
    return outside.has(from) || rooms[from] === 'any' ? undefined : `imports package.json`;
  if (target.startsWith('..')) return `imports ${specifier} from outside src`;
  if (from === to) return importWithin(place, target);
  if (to === 'sandbox') {
    if (place !== 'program/bank-port' && target !== 'sandbox/words')
      return 'imports sandbox: only program/bank-port may';
    return typesOnly || lazy ? undefined : 'imports sandbox at start: only import() may';
  }
  const room = rooms[from];
  if (room === 'any' || room === undefined) return undefined;
  const values = [...room.values, ...(extraValues[place] ?? [])];
  if (values.some((allowed) => within(target, allowed))) return undefined;
  if (room.types?.some((allowed) => within(target, allowed)) === true) {
    return typesOnly ? undefined : `imports values of ${target}: only types may be`;
  }
  return `imports ${target}: ${from} may not`;
}

function builtinImport(place: string, specifier: string): string | undefined {
  if (!specifier.startsWith('node:')) return `imports ${specifier} without node:`;
  const from = roomOf(place);
  const name = specifier.slice('node:'.length);
  if (outside.has(from) || pureBuiltins.has(name)) return undefined;
  const room = rooms[from];
  if (room !== undefined && room !== 'any' && room.builtins?.includes(name) === true) return undefined;
  return `imports ${specifier}: only ${[...outside].join(', ')} may`;
}

function packageImport(place: string, { specifier, typesOnly }: Reference): string | undefined {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const room = rooms[roomOf(place)];
  if (room === 'any' || room === undefined) return undefined;
  const owned = Object.entries(packages).some(
    ([owner, names]) =>
      names.includes(name) && (owner.endsWith('/') ? place.startsWith(owner) : place === owner),
  );
  if (owned || (room.packageTypes?.includes(name) === true && typesOnly)) return undefined;
  return `imports the package ${name}`;
}

/** What a file imports that its room may not. */
export function importViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined) return [];
  const room = roomOf(place);
  if (rooms[room] === undefined) return [`${source.path}: no such room`];
  const divided = Object.keys(subRooms).some((name) => roomOf(name) === room);
  if (divided && subRooms[subRoomOf(place)] === undefined) return [`${source.path}: no such room in ${room}`];
  return references(source).flatMap((reference) => {
    const { specifier } = reference;
    const builtin = specifier.startsWith('node:') || builtinModules.includes(specifier);
    const wrong = specifier.startsWith('.')
      ? relativeImport(place, reference)
      : builtin
        ? builtinImport(place, specifier)
        : packageImport(place, reference);
    return wrong === undefined ? [] : [`${source.path}: ${wrong}`];
  });
}
