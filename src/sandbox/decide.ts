import { ObkError } from '../errors.ts';
import { openAuthorisations, saveSca } from './authorisation-store.ts';
import type { Authorisation } from './authorisation-store.ts';
import { advance } from './conversation.ts';
import { actingOn, findParent } from './parents.ts';
import { findPerson } from './people.ts';
import type { LedgerPerson } from './people.ts';
import type { Books } from './steering.ts';
import { settle } from './timers.ts';

/** What the PSU decided, as saved. */
export interface Decision {
  authorisationId: string;
  scaStatus: string;
}

const refuse = (title: string, detail?: string) =>
  new ObkError({ code: 'USAGE', title, ...(detail !== undefined && { detail }) });

/** The PSU's own hand without a page: ends the open authorisation of a payment or of this id. Throws USAGE. */
export function decide(
  { ledger, clock }: Books,
  decision: 'approve' | 'refuse',
  id: string,
  psuId: string | undefined,
): Decision {
  const { main } = ledger;
  const now = clock.now();
  settle(main, now);
  return main.atomically(() => {
    const authorisation = choose(openAuthorisations(main, id), id, psuId);
    const person = personFor({ ledger }, authorisation, psuId);
    const identified = advance(authorisation, { kind: 'identify', psuId: person.psuId }, person);
    const decided = advance(identified.sca, { kind: decision }, person);
    const { authorisationId, scaStatus } = saveSca(main, authorisation, decided.sca, now);
    return { authorisationId, scaStatus };
  });
}

/** The newest open one that is this PSU's, or nobody's yet. */
function choose(open: readonly Authorisation[], id: string, psuId: string | undefined): Authorisation {
  const fitting = open.filter((one) => psuId === undefined || one.psuId === undefined || one.psuId === psuId);
  const chosen = fitting.at(-1);
  if (chosen !== undefined) return chosen;
  if (open.length > 0) throw refuse(`The open authorisation of ${id} is not that of ${psuId ?? ''}.`);
  throw refuse(
    `The bank has no open authorisation of ${id}.`,
    'It is unknown, decided already, or was not started yet (`obk payment authorise` starts it).',
  );
}

function personFor(
  { ledger }: Pick<Books, 'ledger'>,
  authorisation: Authorisation,
  psuId: string | undefined,
): LedgerPerson {
  const parent = findParent(ledger.main, authorisation.parentKind, authorisation.parentId);
  const wanted = psuId ?? authorisation.psuId ?? parent?.owner?.psuId;
  const person = wanted === undefined ? undefined : findPerson(ledger.main, wanted);
  if (parent === undefined || person === undefined) throw refuse(`The bank knows no PSU ${wanted ?? ''}.`);
  if (!parent.authorisers.includes(person.psuId))
    throw refuse(`The debtor account is not one of ${person.psuId}.`);
  return actingOn(parent, person);
}
