import { ObkError } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import { isEnding } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Target } from '../exchange/target.ts';
import {
  ambiguousId,
  candidateOf,
  isOfHere,
  leastOfId,
  newestOfAll,
  placeOfLast,
  refuseDoubt,
} from '../resources/naming.ts';
import { livingResources } from '../resources/of-ledger.ts';

/** A resource with the authorisations of it that are saved here, newest first. */
export interface Found {
  resource: SavedResource;
  conversations: readonly Conversation[];
  /** The named authorisation, else the one to continue. */
  conversation: Conversation | undefined;
  /** The id was that of an authorisation. */
  named: boolean;
}

type ProfilePorts = Pick<Target, 'name' | 'ports'>;

/** Among so many of the newest resources an id is sought first; the rest is read only where it is not there. */
const recent = 200;

/**
 * Finds what an id names: a payment, consent, basket or authorisation (whole, its first 6 or more characters, or
 * @last). Without an id: the newest open authorisation of the profile. With a PSU-ID only the authorisations of that
 * PSU count.
 */
export async function findAuthorisation(
  place: ProfilePorts,
  id: string | undefined,
  psuId?: string,
): Promise<Found> {
  const newest = (limit?: number, only?: typeof isOfHere) =>
    newestOfAll((noun) => livingResources(place, noun, limit, only), limit);
  const about = async (resource: SavedResource): Promise<Found> => {
    const conversations = await place.ports.resources.conversations(place.name, resource.noun, resource.id);
    return { resource, conversations, conversation: goOnWith(conversations, psuId), named: false };
  };
  const among = async (limit?: number) => Promise.all((await newest(limit)).map(about));
  if (id === undefined) return newestOpen(place, await among(recent));

  const at = placeOfLast(id);
  if (at !== undefined) {
    await refuseDoubt(place.ports, place.name);
    const resource = (await newest(at + 1, isOfHere))[at];
    if (resource === undefined) throw notFound(place, `${id} names nothing that was started from here.`);
    return about(resource);
  }
  const [exact, other] = candidates(await among(recent), id, true);
  if (exact !== undefined && other === undefined) return exact;
  return byPrefix(place, id, await among());
}

/** Those whose resource or authorisation has this id, or an id that begins so. */
function candidates(all: readonly Found[], id: string, whole: boolean): Found[] {
  const fits = (other: string | undefined) =>
    other !== undefined && (whole ? other === id : id.length >= leastOfId && other.startsWith(id));
  return all.flatMap((found) => [
    ...(fits(found.resource.id) ? [found] : []),
    ...found.conversations
      .filter((one) => fits(one.authorisationId))
      .map((conversation) => ({ ...found, conversation, named: true })),
  ]);
}

function byPrefix(place: ProfilePorts, id: string, all: readonly Found[]): Found {
  const exact = candidates(all, id, true);
  const matches = exact.length > 0 ? exact : candidates(all, id, false);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only === undefined)
    throw notFound(place, `Nothing with the id ${id} is saved for the profile ${place.name}.`);
  const among = matches.map(({ resource, conversation, named }) =>
    named
      ? {
          id: conversation?.authorisationId ?? '',
          says: `authorisation of the ${resource.noun} ${resource.id}`,
        }
      : candidateOf(resource),
  );
  throw ambiguousId(id, 'ids', among, 'obk pending list');
}

/** An open cancellation or deletion goes first; what is over is taken only where nothing is open. */
function goOnWith(all: readonly Conversation[], psuId: string | undefined): Conversation | undefined {
  const own = psuId === undefined ? all : all.filter((one) => one.psuId === psuId);
  const open = own.filter(isOpen);
  return open.find(({ parent }) => isEnding(parent.kind)) ?? open[0] ?? own[0];
}

function isOpen(conversation: Conversation): boolean {
  return nextStep(conversation).kind !== 'done';
}

async function newestOpen(place: ProfilePorts, all: readonly Found[]): Promise<Found> {
  await refuseDoubt(place.ports, place.name);
  const startOf = ({ conversation }: Found) => conversation?.startedAt ?? '';
  const [newest] = all
    .filter(({ conversation }) => conversation !== undefined && isOpen(conversation))
    .sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  if (newest !== undefined) return newest;
  throw notFound(place, `No authorisation of the profile ${place.name} is open.`);
}

function notFound({ name }: ProfilePorts, title: string): ObkError {
  return new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title,
    detail: `Searched the payments, consents and baskets of the profile ${name}.`,
    hint: ['obk pending list', 'obk payment list'],
  });
}
