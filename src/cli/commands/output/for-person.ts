import type { Column } from '../../outcome.ts';
import type { Context, Process } from '../../context.ts';
import type { Ports } from '../../../client/ports.ts';
import { checkIban } from '../../../standard/xs2a/check.ts';

type Shown = NonNullable<Column['forPerson']>;

/** Shorter than this an id is shown whole, and no prefix of one is shorter. */
const fewest = 8;

/**
 * Returns how ids of payments, consents and baskets are shown: the first characters that no other id saved for the profile
 * begins with, which every command takes in place of the id. A pipe gets each id whole, so that nothing is looked up for it.
 */
export async function shortIds(
  context: Pick<Context, 'ports'> & { process: Pick<Process, 'stdout'> },
  profile: string,
): Promise<Shown> {
  const saved =
    context.process.stdout.isTTY === true ? await context.ports.resources.ids(profile) : undefined;
  if (saved === undefined) return (id) => id;
  return prefixesOf(saved);
}

/** Returns how each of these names is shown: by the prefix that no other of them begins with. */
export function prefixesOf(names: readonly string[]): Shown {
  // Of thousands of names a few are shown: only those that begin alike are sorted and compared.
  const groups = new Map<string, string[]>();
  const shown = new Map<string, Shown>();
  const beginningOf = (name: string) => name.slice(0, fewest);
  return (name, row) => {
    if (groups.size === 0)
      for (const one of names) {
        const group = groups.get(beginningOf(one));
        if (group === undefined) groups.set(beginningOf(one), [one]);
        else group.push(one);
      }
    const beginning = beginningOf(name);
    const known = shown.get(beginning) ?? prefixesWithin(groups.get(beginning) ?? []);
    shown.set(beginning, known);
    return known(name, row);
  };
}

function prefixesWithin(names: readonly string[]): Shown {
  const sorted = [...new Set(names)].sort();
  const place = new Map(sorted.map((name, at) => [name, at]));
  return (name) => {
    const at = place.get(name);
    // It is not among those that a prefix is looked up in.
    if (at === undefined) return name;
    const least = Math.max(shared(name, sorted[at - 1]), shared(name, sorted[at + 1])) + 1;
    const short = name.slice(0, Math.max(fewest, least)).replace(/[^0-9a-z]+$/i, '');
    return short.length < Math.max(fewest, least) ? name : short;
  };
}

/** The number of characters that both begin with. */
function shared(one: string, other = ''): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

/** Returns how an instant is shown: how long ago it was, by the clock of this machine; the day where it was long ago. */
export function ago({ clock }: Pick<Ports, 'clock'>): Shown {
  const now = clock.now().getTime();
  return (instant) => {
    const at = /^\d{4}-\d\d-\d\dT/.test(instant) ? Date.parse(instant) : NaN;
    if (Number.isNaN(at)) return instant;
    const seconds = Math.round(Math.abs(now - at) / 1000);
    const [count, unit] =
      seconds < 60
        ? [seconds, 's']
        : seconds < 3600
          ? [Math.floor(seconds / 60), 'min']
          : seconds < 86_400
            ? [Math.floor(seconds / 3600), 'h']
            : [Math.floor(seconds / 86_400), 'd'];
    if (unit === 'd' && count > 30) return instant.slice(0, 10);
    return at > now ? `in ${String(count)} ${unit}` : `${String(count)} ${unit} ago`;
  };
}

/** Shows the IBANs within a text in groups of four, and of a consent to everything of accounts these alone. */
export const accountsGrouped: Shown = (text, row) =>
  text
    .replace(/^everything of /, '')
    .replace(/\b[A-Z]{2}\d{2}[0-9A-Z]{8,30}\b/g, (number) => grouped(number, row));

/** Shows an IBAN in groups of four, as it is printed; every flag takes it so. Leaves any other text alone. */
export const grouped: Shown = (text) =>
  /^[A-Z]{2}\d{2}[0-9A-Z]+$/.test(text) && checkIban(text).ok ? text.replace(/(.{4})(?=.)/g, '$1 ') : text;
