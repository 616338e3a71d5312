import type { Context } from '../../context.ts';
import { savedAs } from '../../../client/profile/inheritance.ts';
import { unlikelyAddresses } from '../../../client/profile/unlikely-addresses.ts';
import type { SavedProfile, Settings } from '../../../settings/records/profile.ts';

/** Warns of the addresses in a profile that no real bank takes, but for those that it had before. */
export function tellUnlikely(
  { ports: { notices } }: Context,
  after: Settings,
  name: string,
  before?: Settings,
): void {
  const known = before === undefined ? [] : unlikelyAddresses(name, savedAs(before, name));
  const isNew = (text: string) => known.every((one) => one.text !== text);
  for (const { text, hint } of unlikelyAddresses(name, savedAs(after, name)))
    if (isNew(text)) notices.warn(`${text} Try: ${hint}`);
}

/** Says where a flag goes before what the file of a bank has: what is saved is no longer all of that bank. */
export function tellOverridden(
  { ports: { notices } }: Context,
  { bank, variant, prefix }: { bank?: string; variant?: string; prefix?: string },
  its: Partial<SavedProfile>,
  after: SavedProfile,
): void {
  if (bank === undefined || (variant === undefined && prefix === undefined)) return;
  const shown = (value: string | undefined) => (value === '' ? 'none' : (value ?? 'none'));
  const others = (['framework', 'prefix'] as const)
    .filter((key) => its[key] !== undefined && its[key] !== after[key])
    .map((key) => `${key} ${shown(its[key])}, and not ${shown(after[key])}`);
  const flags = [variant === undefined ? [] : '--variant', prefix === undefined ? [] : '--prefix'].flat();
  if (others.length > 0)
    notices.warn(`The bank ${bank} has ${others.join('; ')}: ${flags.join(' and ')} went before it.`);
}
