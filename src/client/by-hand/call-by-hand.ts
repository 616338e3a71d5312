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
import {
  createdBy,
  keepCreated,
  named,
  beginConversation,
  psuNamed,
  saveStatus,
} from '../resources/saved-resource.ts';
import { headerIn, madeByHand, nounMadeBy, asPsuOf } from './made-by-hand.ts';
import { idNames, isEnding, nouns, scaOperations } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import { absorb, forgetSent } from '../../standard/sca/state.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { keepAccounts } from '../accounts/accounts.ts';
import { keepDeletion, statusBy } from '../consents/consent.ts';
import { keepCancellation } from '../payments/cancel.ts';
import { stateOf } from '../resources/payment-state.ts';
import { keepConsent } from '../resources/read-consent.ts';
import { scaAnswer } from '../resources/sca-answer.ts';
import { KeptConversation } from '../sca/kept-conversation.ts';

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

/** Saves what an answer tells of the payment, consent or basket that it is about, where that is known here. */
async function keepTold(target: Target, input: CallInput, answer: Answer): Promise<void> {
  const resource = await knownOf(target, input);
  if (resource === undefined) return;
  const keep = keepers[input.operation];
  if (keep === undefined) return keepAuthorisation(target, resource, input, answer);
  await keep(asPsuOf(target, input), resource, answer);
}

/** Saves the accounts that a list of them has, with their consent. */
async function keepListed(
  target: Target,
  consent: SavedResource,
  input: CallInput,
  answer: Answer,
): Promise<void> {
  if (input.operation === 'getAccountList') await keepAccounts(target, consent, 'account', answer);
  if (input.operation === 'getCardAccount') await keepAccounts(target, consent, 'card', answer);
}

async function knownOf(target: Target, { params = {} }: CallInput): Promise<SavedResource | undefined> {
  for (const noun of nouns) {
    const id = params[idNames[noun]];
    if (id !== undefined) return target.ports.resources.find(target.name, noun, id);
  }
  return undefined;
}

type Keeper = (target: Target, resource: SavedResource, answer: Answer) => Promise<unknown>;

const keepTransactionStatus: Keeper = async (target, resource, answer) =>
  saveStatus(target, resource, (await stateOf(answer)).transactionStatus);

const keepers: Partial<Readonly<Record<OperationId, Keeper>>> = {
  getPaymentInitiationStatus: keepTransactionStatus,
  getSigningBasketStatus: keepTransactionStatus,
  getConsentStatus: (target, resource, answer) => saveStatus(target, resource, answer.consentStatus),
  getConsentInformation: keepConsent,
  cancelPayment: keepCancellation,
  deleteConsent: (target, resource, answer) =>
    keepDeletion(target, resource, statusBy(target, answer), answer),
  deleteSigningBasket: (target, resource, answer) =>
    saveStatus(target, resource, answer.status === 204 ? 'CANC' : undefined),
};

/** Saves an authorisation as it stands after the answer to its start, to a step of it, or to a read of its status. */
async function keepAuthorisation(
  target: Target,
  resource: SavedResource,
  input: CallInput,
  answer: Answer,
): Promise<void> {
  const { authorisationId } = input.params ?? {};
  const all = await target.ports.resources.conversations(target.name, resource.noun, resource.id);
  const ofOperation = (role: 'start' | 'update' | 'read', kind: Parent['kind']) =>
    scaOperations[kind][role] === input.operation;
  const psu = psuNamed(asPsuOf(target, input));
  const kind = kindsOf[resource.noun].find((one) => ofOperation('start', one));
  if (kind !== undefined) {
    const waiting = unstarted(all, psu.psuId).filter(({ parent }) => ofOperation('start', parent.kind));
    const before = waiting.find(({ parent }) => isEnding(parent.kind)) ?? waiting[0];
    const begun =
      before === undefined
        ? { ...beginConversation(target, resource, answer, kind), ...psu }
        : { ...absorb(stepOn(before), scaAnswer('POST', answer)), ...psu };
    return new KeptConversation(target, before ?? begun).keep(begun);
  }
  const before = all.find((one) => one.authorisationId === authorisationId);
  if (authorisationId === undefined || before === undefined) return;
  const { parent } = before;
  const kept = new KeptConversation(target, before);
  if (ofOperation('read', parent.kind)) return kept.keep(absorb(before, scaAnswer('GET', answer)));
  if (ofOperation('update', parent.kind))
    return kept.keep({
      ...forgetSent(absorb(stepOn(before), scaAnswer('PUT', answer)), 'none'),
      ...psu,
    });
}

const kindsOf: Readonly<Record<Noun, readonly Parent['kind'][]>> = {
  payment: ['payment', 'cancellation'],
  consent: ['consent'],
  basket: ['basket'],
};

/** The authorisations that wait for their start, of this PSU or of nobody yet. */
const unstarted = (all: readonly Conversation[], psuId: string | undefined): readonly Conversation[] =>
  all.filter(
    (one) =>
      one.authorisationId === undefined &&
      one.scaStatus === undefined &&
      (one.psuId === undefined || psuId === undefined || one.psuId === psuId),
  );

const stepOn = (before: Conversation): Conversation => ({ ...before, steps: (before.steps ?? 0) + 1 });
