import { may, needed } from '../../../base/fields.ts';
import { oneOf, text } from '../../../base/schema.ts';
import { where } from './shapes.ts';
import { earlierLedger } from '../../../client/resources/of-ledger.ts';
import type { Column, PrintedRow } from '../../outcome.ts';
import type { Ports } from '../../../client/ports.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';

/** The profile that a list is of, and its environment. */
export const inProfile = {
  profile: needed(text, 'PROFILE', { wide: true }),
  environment: needed(where.environment),
};

/** A member for what is of the bank inside, which was reset or started anew since. */
export const earlier = may(oneOf(true));

/** What a document says about that member. */
export const aboutEarlier =
  'What has the member earlier was made in a ledger of the bank inside that is gone.';

/** The member of a list that says of what the bank inside no longer knows that it is of an earlier ledger. */
export async function ofEarlier(
  ports: Ports,
  profile: string,
): Promise<(saved: SavedResource) => PrintedRow> {
  const isEarlier = await earlierLedger(ports, profile);
  return (saved) => (isEarlier(saved) ? { earlier: true } : {});
}

/** How a list shows it to people. */
export const earlierNote: NonNullable<Column['forPerson']> = (status, { earlier }) =>
  earlier === true ? `${status}, in an earlier ledger` : status;
