import { earlierLedger } from '../../../client/resources/of-ledger.ts';
import type { Column, Row } from '../../outcome.ts';
import type { Ports } from '../../../client/ports.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';

/** The member of a list that says of what the bank inside no longer knows that it is of an earlier ledger. */
export async function ofEarlier(ports: Ports, profile: string): Promise<(saved: SavedResource) => Row> {
  const isEarlier = await earlierLedger(ports, profile);
  return (saved) => (isEarlier(saved) ? { earlier: true } : {});
}

/** How a list shows it to people. */
export const earlierNote: NonNullable<Column['forPerson']> = (status, { earlier }) =>
  earlier === true ? `${status}, in an earlier ledger` : status;
