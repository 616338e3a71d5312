import { nearest } from '../../base/nearest.ts';
import { pointerParts } from './values.ts';

/** So many values of a document are looked at for a name; a bank may send very long lists. */
const mostSeen = 20_000;
const mostNamed = 12;

/**
 * What stands in a document where nothing is at a pointer: the pointers that were probably meant (as `write` writes them), else the
 * list or the members on the way to it that it does not lead into. Empty where the way ends at a text or nothing.
 */
export function standsInstead(
  document: unknown,
  pointer: string,
  write = (other: string): string => other,
): string {
  const names = pointerParts(pointer) ?? [];
  const last = names.findLast((name) => !isIndex(name)) ?? '';
  const meant = (level: readonly string[] = [], known: readonly string[] = []) => {
    const others = placesOf(document);
    const exact = others.filter((place) => place.at(-1) === last);
    const near = nearest(names[level.length] ?? '', known).map((name) => [...level, name]);
    const found = exact.length + near.length > 0 ? [...exact, ...near] : alike(last, others);
    return [...new Set(found.map((place) => place.join('.')))].slice(0, 3).map(write);
  };
  const told = (these: readonly string[], otherwise: string) =>
    these.length > 0 ? `did you mean ${these.join(' or ')}?` : otherwise;
  let levels: readonly { place: readonly string[]; value: unknown }[] = [{ place: [], value: document }];
  for (const name of names) {
    const [{ place, value } = { place: [], value: undefined }] = levels;
    if (Array.isArray(value)) {
      if (name === '*') {
        levels = (value as unknown[]).map((one) => ({ place: [...place, name], value: one }));
        continue;
      }
      if (isIndex(name) && Number(name) < value.length) {
        levels = [{ place: [...place, name], value: (value as unknown[])[Number(name)] }];
        continue;
      }
      const count = String(value.length);
      return isIndex(name)
        ? `the list has ${count}`
        : `it is a list of ${count}: 0 is the first, * is each of them`;
    }
    const maps = levels.map((one) => one.value).filter(isMap);
    const known = [...new Set(maps.flatMap((map) => Object.keys(map)))];
    if (!known.includes(name)) {
      const rest = `${known.slice(0, mostNamed).join(', ')}${known.length > mostNamed ? ' …' : ''}`;
      return maps.length === 0 ? '' : told(meant(place, known), rest === '' ? '' : `there are ${rest}`);
    }
    levels = maps
      .filter((map) => Object.hasOwn(map, name))
      .map((map) => ({ place: [...place, name], value: map[name] }));
  }
  return '';
}

const isIndex = (name: string) => name === '*' || /^[0-9]+$/.test(name);
const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The pointers to all members of a document, those with the shortest way first; `*` stands for each element of a list. */
function placesOf(document: unknown): (readonly string[])[] {
  const places = new Map<string, readonly string[]>();
  const queue: { place: readonly string[]; value: unknown }[] = [{ place: [], value: document }];
  for (let seen = 0; seen < queue.length && seen < mostSeen; seen += 1) {
    const { place, value } = queue[seen] ?? { place: [], value: undefined };
    if (Array.isArray(value)) {
      for (const one of value.slice(0, mostSeen) as unknown[])
        queue.push({ place: [...place, '*'], value: one });
    } else if (isMap(value)) {
      for (const [name, one] of Object.entries(value)) {
        // A link is no member that a journey asks for by its name alone.
        if (name === '_links') continue;
        const inner = [...place, name];
        places.set(inner.join('.'), inner);
        queue.push({ place: inner, value: one });
      }
    }
  }
  return [...places.values()];
}

/** The places whose last name is spelt much as another. */
function alike(name: string, places: readonly (readonly string[])[]): (readonly string[])[] {
  const near = nearest(name, [...new Set(places.map((place) => place.at(-1) ?? ''))]);
  return places.filter((place) => near.includes(place.at(-1) ?? ''));
}
