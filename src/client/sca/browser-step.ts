import { InteractionNeeded, ObkError } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Step } from '../../standard/sca/next-step.ts';
import { resourceOf } from '../../standard/sca/operations.ts';
import { expectReturn } from '../../standard/sca/state.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { confirms } from '../browser/browser-return.ts';
import { returnQuestion } from '../browser/return-question.ts';
import { judgeReturn } from '../browser/return-url.ts';
import type { PsuReturn } from '../browser/return-url.ts';
import { observe } from './sca-read.ts';
import type { Observation } from './sca-read.ts';
import type { Target } from '../exchange/target.ts';
import { hasVerifier } from '../oauth/tokens.ts';
import { awaitDecision } from './visit.ts';
import type { Visited, VisitOptions } from './visit.ts';

/** Makes what the PSU's browser carries to the bank: a state where a code comes back, for OAuth the authorization request. */
export async function sendAway(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  step: Extract<Step, { kind: 'redirect' | 'oauth' }>,
): Promise<Conversation> {
  const { returnState, oauth, standing } = conversation;
  if (step.kind === 'redirect') {
    const isDue = standing.confirmation !== undefined || confirms(target);
    if (!isDue || returnState !== undefined) return conversation;
    return expectReturn(conversation, target.ports.ids.token(24));
  }
  // A request that is under way stays as it is: the PSU may have its page open already.
  if (oauth !== undefined && returnState !== undefined && (await hasVerifier(target, returnState)))
    return conversation;
  const { startOauth } = await import('./authorisation-code.ts');
  return startOauth(target, resource, conversation, step.url);
}

/** The return that a script hands over, if it does. Throws RETURN_REFUSED where it is not that of this authorisation. */
export async function givenReturn(
  target: Target,
  { redirect }: SavedResource,
  conversation: Conversation,
): Promise<PsuReturn | undefined> {
  const { person } = target.ports;
  if (!person.answered(returnQuestion)) return undefined;
  const url = await person.askSecret({ ...returnQuestion, again: false });
  const back = judgeReturn(url, redirect, { ...conversation, confirms: confirms(target) });
  if (back.outcome !== 'foreign') return back;
  throw new ObkError({
    code: 'RETURN_REFUSED',
    title: 'The redirected URL is not used, and nothing is sent with it.',
    detail: `Of what ${returnQuestion.flag} gives: ${back.why}.`,
    resource: resourceOf(conversation),
  });
}

/** The outcome of the visit after an OAuth code was redeemed; a confirmation code is still to be sent. */
export async function arrive(
  target: Target,
  visited: Visited,
  options: Pick<VisitOptions, 'timeoutMs'>,
  keep: (conversation: Conversation) => Promise<void>,
): Promise<Visited> {
  const { conversation, code } = visited;
  if (code === undefined || conversation.oauth === undefined) return visited;
  const { redeemCode } = await import('./authorisation-code.ts');
  const after = await redeemCode(target, conversation, conversation.oauth, code);
  await keep(after);
  target.ports.notices.say('The bank has given a token for this authorisation.');
  const seen: Observation = await observe(target, after);
  return awaitDecision(target, seen, 'ok', options);
}

/** The error that names the flag for the code, when this run has no way to receive it from the browser. */
export function codeNeeded(conversation: Conversation): InteractionNeeded {
  return new InteractionNeeded([returnQuestion.flag], {
    detail: 'The PSU has approved; the bank waits for the code with which the browser came back.',
    resource: resourceOf(conversation),
  });
}

/** The return that was handed over brings nothing to confirm with. */
export function codeMissing(conversation: Conversation): ObkError {
  return new ObkError({
    code: 'RETURN_REFUSED',
    title: 'The redirected URL has no confirmation code, so nothing is sent.',
    detail: 'The bank gives the code to the browser only after an approval.',
    resource: resourceOf(conversation),
  });
}
