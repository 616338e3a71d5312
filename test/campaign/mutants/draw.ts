import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dice } from '../../helpers/dice.ts';
import type { Mutant } from './places.ts';
import { allPlaces } from './planted-copy.ts';

/** A mutant as it is stored, and whether the tests found it when it was drawn. */
export interface Drawn extends Mutant {
  found?: boolean;
}

const stored = join(import.meta.dirname, 'drawn.json');

export const drawn = (): Drawn[] => JSON.parse(readFileSync(stored, 'utf8')) as Drawn[];

/** Stores mutants a line each, so that a change of one shows as one. */
export function store(mutants: readonly Drawn[]): void {
  writeFileSync(stored, `[\n${mutants.map((one) => `  ${JSON.stringify(one)}`).join(',\n')}\n]\n`);
}

/** Draws mutants from all of src: first a function, then one place in it, so that long functions have no more than others. */
export function draw(count: number, seed: number): Mutant[] {
  const functions = new Map<string, Mutant[]>();
  for (const { places } of allPlaces().values())
    for (const { file, function: within, kind, nth } of places) {
      const key = `${file}: ${within}`;
      functions.set(key, [...(functions.get(key) ?? []), { file, function: within, kind, nth }]);
    }
  const dice = new Dice(seed);
  const rest = [...functions.values()];
  const found: Mutant[] = [];
  while (found.length < count && rest.length > 0) {
    const [places = []] = rest.splice(dice.below(rest.length), 1);
    const place = places[dice.below(places.length)];
    if (place !== undefined) found.push(place);
  }
  return found;
}
