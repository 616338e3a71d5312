import type { Context } from '../../context.ts';
import { savedAs } from '../../flows/profile/inheritance.ts';
import { unlikelyAddresses } from '../../flows/profile/unlikely-addresses.ts';
import type { Settings } from '../../records/profile.ts';

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
