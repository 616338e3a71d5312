import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorResource } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Intent } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import { endingOf, idNames, nouns, resourceOf, scaOperations } from '../../standard/sca/operations.ts';
import { clearInDoubt } from '../../standard/sca/state.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { transactionStatus } from '../../standard/xs2a/codes.ts';
import { newestOfEach } from '../authorisations/other-authorisations.ts';
import type { Target } from '../exchange/target.ts';
import { intentState, unknownOutcome } from '../resources/intent-state.ts';
import { ambiguousId, candidateOf, leastOfId } from '../resources/naming.ts';
import type { Candidate } from '../resources/naming.ts';
import { earlierLedger } from '../resources/of-ledger.ts';
import { endOf, isUnknown } from '../resources/parent-status.ts';
import { refreshResource } from '../resources/saved-resource.ts';
import {
  namedBy,
  noteResolution,
  settleWrite,
  unknownIntents,
  unknownWrites,
} from '../resources/unknown-writes.ts';
import type { UnknownWrite } from '../resources/unknown-writes.ts';
import { clearDoubt, noteCleared } from '../sca/lost-step.ts';

/** A resource whose authorisation is still open. */
export interface OpenAuthorisation {
  kind: 'open';
  id: string;
  at: string;
  resource: SavedResource;
  conversation: Conversation;
  next: string;
}

/** One item of the list: an unknown write or an open authorisation. */
export type PendingItem = UnknownWrite | OpenAuthorisation;

/** How many of the newest resources of each noun are looked through for open authorisations. */
const searched = 200;

/** Everything of a profile that is unknown (first) or open, newest first. */
export async function listPending(ports: Ports, profile: string): Promise<PendingItem[]> {
  return [...(await unknownWrites(ports, profile)), ...(await openAuthorisations(ports, profile))];
}

/** The command that goes on with an authorisation; where the bank says what obk does not know, the one that shows what it has. */
function wayOn(resource: SavedResource, psuId?: string): string {
  const { noun, id } = resource;
  if (isUnknown(resource)) return line`obk ${noun} get ${id}`;
  return line`obk ${noun} authorise ${id}${psuId === undefined ? [] : ['--psu-id', psuId]}`;
}

const isBooked = ({ status }: SavedResource): boolean => transactionStatus(status ?? '')?.kind === 'settled';

async function openAuthorisations(ports: Ports, profile: string): Promise<OpenAuthorisation[]> {
  const found: OpenAuthorisation[] = [];
  const isEarlier = await earlierLedger(ports, profile);
  for (const noun of nouns) {
    for (const resource of await ports.resources.list(profile, noun, searched)) {
      // A booked payment cannot be cancelled any more, so none of its authorisations is open; most payments end so.
      if (isEarlier(resource) || endOf(noun, resource.status) === false || isBooked(resource)) continue;
      const conversations = await ports.resources.conversations(profile, noun, resource.id);
      const ending = endingOf[noun];
      const open = [...(ending === undefined ? [] : [ending]), noun]
        .flatMap((kind) => newestOfEach(conversations, kind))
        .filter((one) => isOpen(resource, one));
      for (const conversation of open) {
        const { psuId, authorisationId } = conversation;
        const several = open.length > 1;
        found.push({
          kind: 'open',
          // Where several PSUs are at it, the resource alone does not say which.
          id: several ? (authorisationId ?? resource.id) : resource.id,
          at: several ? conversation.startedAt : resource.createdAt,
          resource,
          conversation,
          next: wayOn(resource, several ? psuId : undefined),
        });
      }
    }
  }
  return found;
}

function isOpen({ status }: SavedResource, conversation: Conversation): boolean {
  // Where the bank serves no scaStatus, only the status of the parent tells that it was authorised.
  return nextStep(conversation).kind !== 'done' && endOf(conversation.parent.kind, status) === undefined;
}

/** Finds one item by its id or a prefix of at least six characters. */
export async function findPending(ports: Ports, profile: string, id: string): Promise<PendingItem> {
  const items = await listPending(ports, profile);
  const exact = items.filter((item) => item.id === id);
  const matches =
    exact.length > 0 || id.length < leastOfId ? exact : items.filter((item) => hasPrefix(item, id));
  if (matches.length === 0) matches.push(...(await unknownIntents(ports, profile, id)));
  const [only, ...others] = matches;
  if (only !== undefined && others.every((other) => isReplayOf(only, other)))
    // What was sent again is as old as its first sending: a bank forgets an id from then on.
    return items
      .filter((other) => isReplayOf(only, other))
      .reduce((first, one) => (one.at < first.at ? one : first), only);
  if (only !== undefined)
    throw ambiguousId(id, 'pending things', matches.map(pendingCandidate), 'obk pending list');
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `Nothing pending has the id ${id}.`,
    detail:
      items.length === 0
        ? 'Nothing is pending in this profile.'
        : `Pending: ${items.map((item) => item.id).join(', ')}.`,
    hint: ['obk pending list'],
  });
}

function pendingCandidate(item: PendingItem): Candidate {
  if (item.kind !== 'open') return { id: item.id, says: `${item.operation}: ${item.detail}` };
  return { id: item.id, says: candidateOf(item.resource).says ?? '' };
}

/** A request that was sent again as it was is the same write. */
function isReplayOf(one: PendingItem, other: PendingItem): boolean {
  if (one.kind === 'open' || other.kind === 'open' || one.requestId === '') return false;
  return one.requestId === other.requestId && one.bodySha256 === other.bodySha256;
}

function hasPrefix(item: PendingItem, id: string): boolean {
  if (item.kind === 'open') return item.id.startsWith(id);
  return item.exchange.startsWith(id) || item.hash?.startsWith(id) === true;
}

/** The profile whose write a person resolves. */
interface ResolvingProfile {
  ports: Ports;
  name: string;
  profile: Pick<SavedResource, 'environment' | 'framework' | 'prefix'>;
}

/** A person's word on an unknown write: it made this resource, or it made nothing. */
export type Resolution = Pick<ErrorResource, 'paymentId' | 'consentId' | 'basketId'> | { notCreated: true };

/**
 * Writes a person's resolution into the journal, and saves the resource if it was created, so that it can be continued.
 */
export async function resolvePending(
  { ports, name, profile }: ResolvingProfile,
  item: UnknownWrite,
  resolution: Resolution,
  reason: string,
): Promise<void> {
  const at = ports.clock.now().toISOString();
  const made = 'notCreated' in resolution ? {} : resolution;
  const noun = nouns.find((one) => made[idNames[one]] !== undefined);
  const id = noun === undefined ? undefined : made[idNames[noun]];
  const intent = item.intent ?? (await repaired(ports, name, item, at));
  if (intent !== undefined) {
    // Before the journal: the intent stands, whatever is left of its run.
    const end = { created: id !== undefined, at, by: 'person' as const, reason };
    await ports.intents.settle(intent.hash, end, id === undefined ? {} : { resourceId: id });
  }
  // The service and product of a payment are known from its intent only.
  const isPlaced = noun !== 'payment' || (intent !== undefined && intent.service !== '');
  if (noun !== undefined && id !== undefined && isPlaced) {
    await ports.resources.save({
      schemaVersion: 1,
      profile: name,
      environment: profile.environment,
      noun,
      id,
      createdAt: intent?.createdAt ?? item.at,
      updatedAt: at,
      framework: profile.framework,
      prefix: profile.prefix,
      baseUrl: '',
      requestId: item.requestId,
      links: {},
      ...(intent !== undefined && {
        service: intent.service,
        product: intent.product,
        intent: intent.hash,
        summary: intent.summary,
      }),
    });
  }
  const same = (await unknownWrites(ports, name)).filter(
    (other) => other.exchange !== item.exchange && isReplayOf(item, other),
  );
  for (const one of [item, ...same])
    await noteResolution(ports.journal, one, {
      type: 'resolved',
      at,
      exchange: one.exchange,
      resolution: id === undefined ? 'not-created' : 'created',
      by: 'person',
      reason,
      ...(id === undefined ? {} : { resource: made }),
    });
}

/** A damaged intent is replaced by what is still known of it; of its payment nothing else is. */
async function repaired(
  { intents }: Ports,
  profile: string,
  { broken, hash }: UnknownWrite,
  at: string,
): Promise<Intent | undefined> {
  const [lost] = broken === undefined && hash !== undefined ? await intents.broken(hash) : [broken];
  if (lost === undefined) return undefined;
  const intent: Intent = {
    schemaVersion: 1,
    ...{ hash: lost.hash, profile, key: '', bodyHash: '', chosen: true, run: '', summary: {} },
    fingerprint: lost.fingerprint ?? '',
    createdAt: lost.createdAt ?? at,
    service: '',
    product: '',
  };
  await intents.repair(lost, intent);
  return intent;
}

/**
 * Asks the bank what became of an unknown write whose id is known; returns its answer. A payment POST cannot be looked
 * up: the interface has no list of payments, so a person must resolve it (exit 12).
 */
export async function askBank(
  target: Target,
  item: UnknownWrite,
): Promise<{ status: string; resource: ErrorResource }> {
  const { journal, resources } = target.ports;
  if (item.intent !== undefined) {
    const state = await intentState(journal, item.intent);
    if (state.kind === 'unknown') throw unknownOutcome(item.intent, state);
  }
  const resource = namedBy(item);
  const noun = nouns.find((one) => resource?.[idNames[one]] !== undefined);
  const id = noun === undefined ? undefined : resource?.[idNames[noun]];
  if (resource === undefined || noun === undefined || id === undefined) throw notAskable(item);
  const saved = await resources.find(target.name, noun, id);
  if (saved === undefined) throw notAskable(item);
  const conversations = await resources.conversations(target.name, noun, id);
  const inDoubt = conversations.find((one) => one.inDoubt !== undefined && isAbout(one, item));
  if (inDoubt === undefined) {
    const { status = 'unknown' } = (await refreshResource(target, saved)).resource;
    const ended = deletions[item.operation];
    const read = { ...item, resource };
    await settleWrite(target.ports, read, {
      acted: ended === undefined || ended === status,
      reason: `read ${status}`,
    });
    const name = noun === 'consent' ? 'consentStatus' : 'transactionStatus';
    return { status, resource: { ...resource, [name]: status } };
  }
  const cleared = await clearDoubt(target, inDoubt);
  const { conversation } = cleared;
  await resources.saveConversation(target.name, clearInDoubt(inDoubt));
  const startedAt = target.ports.clock.now().toISOString();
  const { authorisationId } = inDoubt;
  const isAnother = authorisationId !== undefined && authorisationId !== conversation.authorisationId;
  await resources.saveConversation(target.name, { ...conversation, ...(isAnother && { startedAt }) });
  await noteCleared(target, inDoubt, cleared);
  return { status: conversation.scaStatus ?? 'unknown', resource: resourceOf(conversation) };
}

/** The status in which a deletion ends its resource. */
const deletions: Readonly<Record<string, string>> = {
  cancelPayment: 'CANC',
  deleteConsent: 'terminatedByTpp',
  deleteSigningBasket: 'CANC',
};

function isAbout({ parent, authorisationId }: Conversation, item: UnknownWrite): boolean {
  const { start, update } = scaOperations[parent.kind];
  return (
    [start, update].some((id) => id === item.operation) && authorisationId === item.resource?.authorisationId
  );
}

function notAskable(item: UnknownWrite): ObkError {
  return new ObkError({
    code: 'OUTCOME_UNKNOWN',
    title: 'The bank cannot be asked what became of this.',
    detail: `${item.operation} of ${item.at}: ${item.detail}.`,
    hint: [item.next],
  });
}
