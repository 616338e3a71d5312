import { isFailure } from '../../base/errors.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { call, tryCall } from '../call/call.ts';
import { withinBudget } from '../consents/budget.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { keepIfPossible, readIfReached } from '../exchange/unwritable.ts';
import { readsAccounts } from '../oauth/tokens.ts';
import { refuseUnknownBasket } from '../payments/baskets.ts';
import { refuseSameBytes } from '../resources/duplicate.ts';
import { createdBy, keepCreated, named } from '../resources/saved-resource.ts';
import { keepListed, keepTold } from './kept-by-hand.ts';
import { headerIn, madeByHand, nounMadeBy } from './made-by-hand.ts';

/**
 * Makes one call that somebody has put together. What it makes, moves or ends is kept as the commands for it keep it, so that they
 * go on with it; an access under a consent that is known here is counted, and never refused.
 */
export async function callByHand(target: Target, input: CallInput): Promise<Answer> {
  if (target.run.dryRun) return call(target, input);
  const noun = nounMadeBy[input.operation];
  if (noun === undefined) return callAbout(target, input);
  const called = await tryCall(target, input);
  const { answer, doubt } = createdBy(called);
  const created = madeByHand(target, noun, input, answer);
  await keepCreated(target, created);
  if (doubt !== undefined) throw named(doubt, noun, created.resource.id);
  return answer;
}

/** Refuses what makes a payment or a basket if the very same bytes were sent before with an outcome that is unknown. */
export async function refuseRepeated(target: Target, { operation, body }: CallInput): Promise<void> {
  if (target.run.dryRun || body === undefined || !('bytes' in body)) return;
  if (operation === 'initiatePayment') await refuseSameBytes(target.ports, target.name, body.bytes);
  if (operation === 'createSigningBasket') await refuseUnknownBasket(target, sha256Hex(body.bytes));
}

async function callAbout(target: Target, input: CallInput): Promise<Answer> {
  const consent = await consentOf(target, input);
  if (consent === undefined) {
    const answer = await call(target, input);
    await keepIfRead(target, () => keepTold(target, input, answer));
    return answer;
  }
  const of = Object.values(input.params ?? {}).join(' ');
  const access = { operation: input.operation, ...(of !== '' && { of }) };
  const psuPresent = headerIn(input, 'psu-ip-address') !== undefined;
  const terms = { psuPresent, overBudget: true };
  const answer = await withinBudget({ target, consent, access, terms }, () => call(target, input));
  await keepIfRead(target, () => keepListed(target, consent, input, answer));
  return answer;
}

/** The answer is shown, whatever becomes of what is kept of it: it may be one that obk does not read. */
async function keepIfRead({ ports }: Target, keep: () => Promise<void>): Promise<void> {
  try {
    await keepIfPossible(ports, keep);
  } catch (error) {
    if (!isFailure(error)) throw error;
    ports.notices.warn(`What is known here of the resource stays as it was: ${error.title}`);
  }
}

/** The consent under which a request reads accounts, if it is known here. */
async function consentOf(target: Target, input: CallInput): Promise<SavedResource | undefined> {
  const id = headerIn(input, 'consent-id');
  if (id === undefined || !readsAccounts(operation(input.operation))) return undefined;
  const { ports, name } = target;
  return readIfReached(ports, () => ports.resources.find(name, 'consent', id), undefined);
}
