import { nextStep } from '../../standard/sca/next-step.ts';
import { isListedWith, nounOf, resourceOf, scaOperations, scaParams } from '../../standard/sca/operations.ts';
import { forgetAuthorisation, forgetSent, clearInDoubt } from '../../standard/sca/state.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { buildPath } from '../../standard/xs2a/request.ts';
import { call } from '../call/call.ts';
import type { Target } from '../exchange/target.ts';
import { settleWrites } from '../resources/unknown-writes.ts';
import { observe } from './sca-read.ts';
import type { Observation } from './sca-read.ts';

/** The finding about a step whose answer was lost; the conversation's `inDoubt` is removed. */
export type Cleared =
  /** The step took effect: the authorisation goes on from here. */
  | ({ kind: 'acted' } & Observation)
  /** The bank shows no trace of it. */
  | { kind: 'nothing'; conversation: Conversation }
  /** The links that lead on went with the answer: another authorisation can be started; `what` says why. */
  | { kind: 'lost'; conversation: Conversation; what: string };

/**
 * Asks the bank whether the step with the lost answer took effect: by scaStatus for a PUT, by the list of
 * authorisations for a POST.
 */
export function clearDoubt(target: Target, conversation: Conversation): Promise<Cleared> {
  return conversation.inDoubt?.method === 'POST'
    ? afterStart(target, conversation)
    : afterUpdate(target, conversation);
}

/** Records that finding in the journal, so that the write is no longer pending. */
export async function noteCleared(target: Target, inDoubt: Conversation, cleared: Cleared): Promise<void> {
  const { start, update } = scaOperations[inDoubt.parent.kind];
  const operation = inDoubt.inDoubt?.method === 'POST' ? start : update;
  const status = cleared.conversation.scaStatus ?? 'the status of the resource';
  await settleWrites(target, operation, resourceOf(inDoubt), {
    acted: cleared.kind !== 'nothing',
    reason: cleared.kind === 'lost' ? cleared.what : `read ${status}`,
  });
}

async function afterUpdate(target: Target, conversation: Conversation): Promise<Cleared> {
  const seen = await observe(target, conversation);
  const after = clearInDoubt(seen.conversation);
  if (seen.success === undefined && after.scaStatus === conversation.scaStatus) {
    return { kind: 'nothing', conversation: after };
  }
  // The step is used up, and with it the link that led to it.
  const used = forgetSent({ ...after, steering: {}, unknownLinks: [] }, conversation.inDoubt?.need ?? 'none');
  const acted = { ...seen, conversation: used };
  if (goesOn(acted)) return { kind: 'acted', ...acted };
  const { authorisationId = '', scaStatus = 'unknown' } = after;
  return {
    kind: 'lost',
    what: `Authorisation ${authorisationId} is ${scaStatus} by now, but the links that lead on never came.`,
    conversation: abandon(target, used, [authorisationId]),
  };
}

/** The conversation before any authorisation, ready to start another. */
function abandon(target: Target, conversation: Conversation, ids: readonly string[]): Conversation {
  const { parent, abandoned = [] } = conversation;
  const start = buildPath(target.variant, operation(scaOperations[parent.kind].start), scaParams(parent));
  return {
    ...forgetAuthorisation(conversation),
    steering: { startAuthorisation: start },
    abandoned: [...abandoned, ...ids],
  };
}

async function afterStart(target: Target, conversation: Conversation): Promise<Cleared> {
  const { parent, abandoned = [] } = conversation;
  const { resources } = target.ports;
  const saved = await resources.conversations(target.name, nounOf[parent.kind], parent.id);
  const known = [conversation, ...saved]
    .filter((other) => isListedWith(other.parent.kind, parent.kind))
    .flatMap((other) => [other.authorisationId, ...(other.abandoned ?? []), ...(other.others ?? [])]);
  const answer = await call(target, {
    operation: scaOperations[parent.kind].list,
    params: scaParams(parent),
    resource: resourceOf(conversation),
  });
  const ids = (answer.authorisationIds ?? []).filter((id) => !known.includes(id));
  const settled = clearInDoubt(conversation);
  const [id] = ids;
  if (id === undefined) return { kind: 'nothing', conversation: settled };
  if (ids.length === 1) {
    const seen = await observe(target, { ...forgetAuthorisation(settled), authorisationId: id });
    const began = forgetSent(seen.conversation, conversation.inDoubt?.need ?? 'none');
    if (goesOn(seen)) return { kind: 'acted', ...seen, conversation: began };
  }
  return {
    kind: 'lost',
    what: `The bank has started ${ids.join(', ')}, but the links to it never came.`,
    conversation: { ...settled, abandoned: [...abandoned, ...ids] },
  };
}

/** Without links an authorisation goes on only where the PSU alone has to act. */
function goesOn({ success, unknown, conversation }: Observation): boolean {
  return (
    success !== undefined ||
    // What is to be done about a status that nobody knows is for a person to decide.
    unknown === true ||
    nextStep(conversation).kind !== 'wait' ||
    conversation.approach === 'DECOUPLED' ||
    conversation.scaStatus === 'started'
  );
}
