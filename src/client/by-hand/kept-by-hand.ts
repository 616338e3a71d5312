import type { SavedResource } from '../../settings/records/resources.ts';
import { idNames, isEnding, nouns, scaOperations } from '../../standard/sca/operations.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import { absorb, forgetSent } from '../../standard/sca/state.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { keepAccounts } from '../accounts/accounts.ts';
import { keepDeletion, statusBy } from '../consents/consent.ts';
import type { CallInput } from '../exchange/prepared.ts';
import type { Target } from '../exchange/target.ts';
import { keepCancellation } from '../payments/cancel.ts';
import { stateOf } from '../resources/payment-state.ts';
import { keepConsent } from '../resources/read-consent.ts';
import { beginConversation, psuNamed, saveStatus } from '../resources/saved-resource.ts';
import { scaAnswer } from '../resources/sca-answer.ts';
import { KeptConversation } from '../sca/kept-conversation.ts';
import { asPsuOf } from './made-by-hand.ts';

/** Saves what an answer tells of the payment, consent or basket that it is about, where that is known here. */
export async function keepTold(target: Target, input: CallInput, answer: Answer): Promise<void> {
  const resource = await knownOf(target, input);
  if (resource === undefined) return;
  const keep = keepers[input.operation];
  if (keep === undefined) return keepAuthorisation(target, resource, input, answer);
  await keep(asPsuOf(target, input), resource, answer);
}

/** Saves the accounts that a list of them has, with their consent. */
export async function keepListed(
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
