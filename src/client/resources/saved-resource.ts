import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { BankRefusal, exitCodes, ObkError } from '../../base/errors.ts';
import type { ErrorResource } from '../../base/errors.ts';
import type { Made } from '../../settings/records/journal.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { endingOf, isEnding, resourceOf } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import { newConversation } from '../../standard/sca/state.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isFinalConsent } from '../../standard/xs2a/codes.ts';
import type { Called } from '../call/call.ts';
import type { Target } from '../exchange/target.ts';
import { keepIfPossible } from '../exchange/unwritable.ts';
import { endedStatus, isGone, readParentStatus } from './parent-status.ts';
import { readConsent } from './read-consent.ts';
import { scaAnswer } from './sca-answer.ts';

/** A resource of this profile of which nothing but its id is known. */
export function newResource(target: Target, noun: Noun, id: string): SavedResource {
  const now = target.ports.clock.now().toISOString();
  const { prefer = {} } = target.state;
  return {
    schemaVersion: 1,
    profile: target.name,
    environment: target.environment,
    noun,
    id,
    createdAt: now,
    updatedAt: now,
    framework: target.variant.framework,
    prefix: target.variant.prefix,
    baseUrl: target.links.base,
    ...(target.ownBank?.ledger !== undefined && { ledger: target.ownBank.ledger }),
    links: {},
    ...(Object.keys(prefer).length > 0 && { prefer }),
  };
}

/** Reads the status of a resource (a whole consent) and saves it; returns the resource as saved. */
export async function refreshResource(
  target: Target,
  resource: SavedResource,
  how: { pain002?: boolean } = {},
): Promise<{ answer: Answer; resource: SavedResource }> {
  if (resource.noun === 'consent') return readConsent(target, resource);
  const { answer, status } = await readParentStatus(target, parentOf(resource), how);
  return { answer, resource: await saveStatus(target, resource, status) };
}

const stalenessMs = 60 * 60_000;

/** Reads the status of a resource that was left alone for long: banks end what is not authorised in time. */
export async function refreshOld(target: Target, resource: SavedResource): Promise<SavedResource> {
  const age = target.ports.clock.now().getTime() - Date.parse(resource.updatedAt);
  if (age < stalenessMs || target.run.dryRun) return resource;
  try {
    return (await refreshResource(target, resource)).resource;
  } catch (error) {
    // A resource whose status cannot be read may still be continued.
    if (error instanceof BankRefusal) return resource;
    throw error;
  }
}

/** As `refreshResource`, for a payment or consent that the bank has just ended: that it is gone says so as well. */
export async function refreshEnded(
  target: Target,
  resource: SavedResource,
): Promise<{ answer?: Answer; resource: SavedResource }> {
  try {
    const read = await refreshResource(target, resource);
    if (resource.noun === 'consent' && isFinalConsent(read.resource.status ?? ''))
      await forgetChosen(target, resource.id);
    return read;
  } catch (error) {
    const kind = endingOf[resource.noun];
    if (kind === undefined || !isGone(error, kind)) throw error;
    await forgetChosen(target, resource.id);
    return { resource: await saveStatus(target, resource, endedStatus[kind]) };
  }
}

/** A consent that is over is no longer the one that is used unasked. */
export async function forgetChosen({ ports: { credentials }, name }: Target, id: string): Promise<void> {
  if ((await credentials.read(name)).consentId !== id) return;
  await credentials.update(name, ({ consentId: _, ...rest }) => rest);
}

/** Saves a status that was read; resources from elsewhere are saved too, so that `@last` finds them. */
export async function saveStatus(
  target: Target,
  resource: SavedResource,
  status: string | undefined,
): Promise<SavedResource> {
  if (status === undefined || status === resource.status) return resource;
  const saved = { ...resource, status, updatedAt: target.ports.clock.now().toISOString() };
  await keepIfPossible(target.ports, () => target.ports.resources.save(saved));
  return saved;
}

/** The newest conversation of a kind. */
export function latest(
  conversations: readonly Conversation[],
  kind: Parent['kind'],
): Conversation | undefined {
  return conversations
    .filter((conversation) => conversation.parent.kind === kind)
    .reduce<Conversation | undefined>(
      (newest, one) => (newest === undefined || one.startedAt > newest.startedAt ? one : newest),
      undefined,
    );
}

/** The parent of a conversation about a resource; of its cancellation, where that is meant. */
export function parentOf(resource: SavedResource, kind: Parent['kind'] = resource.noun): Parent {
  return {
    kind,
    id: resource.id,
    ...defined({ service: resource.service, product: resource.product }),
  };
}

/** The resource that the bank has just created, and the conversation that its answer opens. */
export function madeOf(target: Target, resource: SavedResource, answer: Answer): Made {
  return { resource, conversation: beginConversation(target, resource, answer) };
}

/** Saves what the bank has just made, all at once. It exists whatever the disk says: an error names its id. */
export async function keepCreated(target: Target, made: Made): Promise<void> {
  try {
    await target.ports.resources.saveMade(made);
  } catch (error) {
    throw error instanceof ObkError ? notSaved(made, error) : error;
  }
}

/** What is known of a resource, as every error must name it. */
export function knownOf({ noun, status }: SavedResource, conversation: Conversation): ErrorResource {
  const name = noun === 'consent' ? 'consentStatus' : 'transactionStatus';
  return { ...defined({ [name]: status }), ...resourceOf(conversation) };
}

/** The error has all that the bank said: nothing else has it. */
function notSaved({ resource, conversation }: Made, { code, title, detail, cause }: ObkError): ObkError {
  const { noun, id, service, product, status } = resource;
  const { steering, standing, unknownLinks } = conversation;
  const said = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...Object.entries({ ...standing, ...steering }).map(([name, href]) => `${name} ${href}`),
    ...unknownLinks,
  ];
  const place = noun === 'payment' ? ['--service', service ?? '', '--product', product ?? ''] : [];
  return new ObkError({
    code,
    exit: exitCodes.unknown,
    title: `The bank has made the ${noun} ${id}, but it could not be saved here.`,
    detail: `${detail ?? title}\nThe bank said: ${said.join(', ')}.`,
    hint: ['Do not send it again. Once the state can be written:', line`obk ${noun} status ${id} ${place}`],
    cause,
    resource: knownOf(resource, conversation),
  });
}

/**
 * Extracts the created resource from an answer. `doubt` is the error to throw after it is saved if the answer cannot be
 * believed: its links are kept, its status is still to be read. Throws that error at once if the answer names no
 * resource.
 */
export function createdBy(
  called: Called,
  explain: (error: ObkError) => ObkError = (error) => error,
): { answer: Answer; doubt?: ObkError } {
  if (called.ok) return called;
  if (called.seen === undefined) throw explain(called.error);
  const { transactionStatus: _, consentStatus: __, scaStatus: ___, ...answer } = called.seen;
  return { answer, doubt: called.error };
}

/** The error of an unknown outcome with the id that the bank seems to have given. */
export function named(error: ObkError, noun: Noun, id: string): ObkError {
  error.resource = { ...error.resource, [`${noun}Id`]: id };
  return error;
}

/** The conversation that the answer to a POST (or to the DELETE of a cancellation or deletion) opens, as the PSU of this run. */
export function beginConversation(
  target: Target,
  resource: SavedResource,
  answer: Answer,
  kind: Parent['kind'] = resource.noun,
): Conversation {
  const method = isEnding(kind) ? 'DELETE' : 'POST';
  const now = target.ports.clock.now().toISOString();
  return {
    ...newConversation(parentOf(resource, kind), scaAnswer(method, answer), now),
    // A later process goes on as the same PSU, and knows the secrets that the bank refused this one.
    ...psuNamed(target),
  };
}

/** The PSU who authorised a resource ends it, unless this run names one; of several, nobody is guessed. */
export async function psuOfResource(
  { ports, name, run }: Target,
  { noun, id }: SavedResource,
): Promise<Pick<Conversation, 'psuId' | 'psu'>> {
  if (run.psu?.id !== undefined) return {};
  const all = await ports.resources.conversations(name, noun, id);
  const [first, ...others] = all.filter(({ psuId }) => psuId !== undefined);
  if (first?.psuId === undefined || others.some(({ psuId }) => psuId !== first.psuId)) return {};
  const { psuId, psu } = first;
  return { psuId, ...defined({ psu }) };
}

/** The names of the PSU of this run, for a later one. */
export function psuNamed({ psu }: Pick<Target, 'psu'>): Pick<Conversation, 'psuId' | 'psu'> {
  const { id, idType, corporateId, corporateIdType } = psu;
  const names = {
    ...defined({ idType, corporateId, corporateIdType }),
  };
  return {
    ...defined({ psuId: id }),
    ...(Object.keys(names).length === 0 ? {} : { psu: names }),
  };
}
