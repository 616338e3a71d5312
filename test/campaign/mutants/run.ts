import { draw, drawn, store } from './draw.ts';
import type { Drawn } from './draw.ts';
import { nameOf } from './places.ts';
import { tryAll } from './try-all.ts';

const count = 300;

/**
 * Tries the stored mutants, or new ones, a line each as it is known. What becomes of one that was never tried is stored at once,
 * so that a run that ends early has lost nothing. Returns whether each that was found before is found now, or is gone with its
 * function.
 */
export async function runMutants(
  { anew, seed, which }: { anew: boolean; seed: number; which: string | undefined },
  say: (line: string) => void,
): Promise<boolean> {
  const all: Drawn[] = anew ? draw(count, seed) : drawn();
  if (anew) store(all);
  const chosen = all.filter((_, index) => isChosen(which, index + 1));
  const tally = { found: 0, survived: 0, unreached: 0, gone: 0 };
  const lost: string[] = [];
  for await (const one of tryAll(chosen)) {
    if (typeof one === 'string') {
      say(one);
      continue;
    }
    const { mutant, end, word } = one;
    const name = nameOf(mutant);
    tally[end] += 1;
    const stored = all.find((earlier) => nameOf(earlier) === name);
    if (stored?.found === true && (end === 'survived' || end === 'unreached')) lost.push(name);
    if (stored !== undefined && stored.found === undefined) {
      stored.found = end === 'found';
      store(all);
    }
    say(`${name}: ${end === 'survived' ? 'SURVIVED' : end}  (${word.slice(0, 160)})`);
  }
  say(
    `${String(chosen.length)} mutants: ${Object.entries(tally)
      .map(([end, sum]) => `${String(sum)} ${end}`)
      .join(', ')}`,
  );
  for (const name of lost) say(`not found any more: ${name}`);
  return lost.length === 0;
}

/** `1,3-7` of mutants by their place in the list; all without it. */
function isChosen(which: string | undefined, place: number): boolean {
  if (which === undefined) return true;
  return which.split(',').some((piece) => {
    const [from = '', to = from] = piece.split('-');
    return place >= Number(from) && place <= Number(to);
  });
}
