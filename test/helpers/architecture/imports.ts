import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path/posix';
import {
  builtinsOf,
  extraValues,
  houses,
  limits,
  outside,
  packageTypes,
  packages,
  pureBuiltins,
  rooms,
  shared,
} from './rooms.ts';
import { houseOf, inSource, references, within } from './source.ts';
import type { Reference, Source } from './source.ts';

/** The part of the program that puts everything together: it may import whatever its house may, and any package. */
const free = ['cli/program', 'main'];

/** The file that a relative import names, by its path below `src`. */
export const targetOf = (place: string, specifier: string): string =>
  normalize(join(dirname(place), specifier)).replace(/\.ts$/, '');

const isIn = (place: string, places: readonly string[]): boolean => places.some((one) => within(place, one));

/** The rooms that a file stands in, the outer ones first. */
const roomsOf = (place: string): string[] => Object.keys(rooms).filter((room) => within(place, room));

/** Within a house, each room that the file leaves must allow where it leads. */
function importWithin(place: string, target: string): string | undefined {
  for (const room of roomsOf(place)) {
    const beside = dirname(room);
    const [may] = rooms[room] ?? [''];
    if (within(target, room) || !within(target, beside) || may === 'any') continue;
    const allowed = [...may.split(' '), ...(shared[beside] ?? [])].filter((name) => name !== '');
    if (
      !isIn(
        target,
        allowed.map((name) => `${beside}/${name}`),
      )
    )
      return `imports ${target}: ${room} may not`;
  }
  return undefined;
}

function importAcross(place: string, target: string, typesOnly: boolean): string | undefined {
  const from = houseOf(place);
  const to = houseOf(target);
  if (from !== 'main' && houses[from]?.may.includes(to) !== true && !isIn(target, extraValues[place] ?? []))
    return `imports ${target}: ${from} may not`;
  if (to === 'bank' && from !== 'tester' && !(typesOnly && target === 'bank/door')) {
    if (place !== 'cli/program/bank-port' && target !== 'bank/words')
      return 'imports the bank: only cli/program/bank-port may';
  }
  if (isIn(target, outside) && to === 'base' && !isIn(place, outside))
    return `imports ${target}: only ${outside.join(', ')} may`;
  for (const [room, { values, types = [] }] of Object.entries(limits)) {
    if (!within(place, room) || isIn(target, [...values, ...(extraValues[place] ?? [])])) continue;
    if (!isIn(target, types)) return `imports ${target}: ${room} may not`;
    if (!typesOnly) return `imports values of ${target}: only types may be`;
  }
  return undefined;
}

function relativeImport(place: string, { specifier, typesOnly, lazy }: Reference): string | undefined {
  const target = targetOf(place, specifier);
  if (target.endsWith('../package.json'))
    return isIn(place, [...outside, ...free]) ? undefined : 'imports package.json';
  if (target.startsWith('..')) return `imports ${specifier} from outside src`;
  if (houseOf(place) === houseOf(target)) return importWithin(place, target);
  if (houseOf(target) === 'bank' && place === 'cli/program/bank-port' && !typesOnly && !lazy)
    return 'imports the bank at start: only import() may';
  return importAcross(place, target, typesOnly);
}

function builtinImport(place: string, specifier: string): string | undefined {
  if (!specifier.startsWith('node:')) return `imports ${specifier} without node:`;
  const name = specifier.slice('node:'.length);
  if (isIn(place, outside) || pureBuiltins.has(name)) return undefined;
  const own = Object.entries(builtinsOf).some(([room, names]) => within(place, room) && names.includes(name));
  return own ? undefined : `imports ${specifier}: only ${outside.join(', ')} may`;
}

function packageImport(place: string, { specifier, typesOnly }: Reference): string | undefined {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (isIn(place, free)) return undefined;
  const owned = Object.entries(packages).some(
    ([owner, names]) =>
      names.includes(name) && (owner.endsWith('/') ? place.startsWith(owner) : place === owner),
  );
  const typed = Object.entries(packageTypes).some(
    ([room, names]) => within(place, room) && names.includes(name),
  );
  return owned || (typed && typesOnly) ? undefined : `imports the package ${name}`;
}

/** What a file imports that its house or room may not. */
export function importViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined) return [];
  const house = houseOf(place);
  if (houses[house] === undefined && place !== 'main') return [`${source.path}: no such house`];
  const divided = Object.keys(rooms).some((room) => houseOf(room) === house);
  if (divided && roomsOf(place).length === 0) return [`${source.path}: no such room in ${house}`];
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
