import { line } from '../../base/command-line.ts';
import { BankRefusal, ObkError, OutcomeUnknown, isFailure } from '../../base/errors.ts';
import type { Preferences, SavedResource } from '../../settings/records/resources.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import { scaOperations, scaParams } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { correctedHeaders, declaredHeaders } from '../../standard/xs2a/headers.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { buildPath } from '../../standard/xs2a/request.ts';
import { tryCall } from '../call/call.ts';
import { opened } from '../call/operation-of-bank.ts';
import { knownPsuIp, redirectHeaders } from '../call/psu-headers.ts';
import { preferenceHeaders } from '../call/tpp-preferences.ts';
import type { Target } from '../exchange/target.ts';
import { isGone } from '../resources/parent-status.ts';
import { saidIn } from '../resources/said.ts';
import type { Said } from '../resources/said.ts';
import {
  beginConversation,
  parentOf,
  psuOfResource,
  refreshEnded,
  refreshResource,
  saveStatus,
} from '../resources/saved-resource.ts';
import { settleWrites } from '../resources/unknown-writes.ts';

/** How a cancellation began: done at once, to be authorised, not told by the bank, or impossible as a business answer. */
export type CancelResult =
  | { kind: 'cancelled' | 'untold'; resource: SavedResource; said?: Said }
  | { kind: 'authorise'; resource: SavedResource; conversation: Conversation }
  | { kind: 'impossible'; error: BankRefusal };

/**
 * Cancels a payment: 204 or a status CANC is done, what names an authorisation opens the conversation of the cancellation,
 * CANCELLATION_INVALID is a result. An answer that says none of it makes the status be read, which alone says what is.
 */
export async function cancelPayment(
  target: Target,
  resource: SavedResource,
  prefer: Preferences = {},
): Promise<CancelResult> {
  const redirects = await redirectsWith(target, resource, prefer);
  const send = (redirect: SavedResource['redirect']) =>
    tryCall(target, {
      operation: 'cancelPayment',
      params: scaParams(parentOf(resource)),
      headers: [
        ...knownPsuIp(target),
        ...redirectHeaders(redirect),
        ...preferenceHeaders(target, 'cancelPayment', prefer),
      ],
      resource: { paymentId: resource.id },
    });
  let called = await send(redirects === 'no' ? undefined : resource.redirect);
  if (!called.ok && redirects === 'corrected' && isOfForm(called.error)) {
    // A request refused as malformed had no effect, so it may be sent again.
    target.ports.notices.warn(
      `The bank does not accept TPP-Redirect-URI with a cancellation, where framework ${target.variant.framework} has none; ` +
        `it is sent again without it (${line`obk config set payments.redirectOnCancel no --profile ${target.name}`} makes this permanent).`,
    );
    called = await send(undefined);
  }
  if (!called.ok) {
    if (called.error instanceof BankRefusal && called.error.bankCode === 'CANCELLATION_INVALID') {
      return { kind: 'impossible', error: called.error };
    }
    if (called.error instanceof OutcomeUnknown) return afterLostCancel(target, resource, called.error);
    throw called.error;
  }
  const { answer } = called;
  const kept = await keepCancellation(target, resource, answer);
  return kept.kind === 'untold' ? readUntold(target, kept.resource, answer) : kept;
}

/** Saves what the answer to a cancellation says: that it is done, or what begins its authorisation; else its status alone. */
export async function keepCancellation(
  target: Target,
  resource: SavedResource,
  answer: Answer,
): Promise<Exclude<CancelResult, { kind: 'impossible' }>> {
  if (answer.status === 204 || answer.transactionStatus === 'CANC') {
    return { kind: 'cancelled', resource: await saveStatus(target, resource, 'CANC') };
  }
  const saved = await saveStatus(target, resource, answer.transactionStatus);
  const conversation = {
    ...beginConversation(target, saved, answer, 'cancellation'),
    ...(await psuOfResource(target, saved)),
  };
  const { needsSca } = target.profile.payments?.cancel ?? {};
  if (!isAuthorisation(conversation)) {
    if (needsSca !== true) return { kind: 'untold', resource: saved };
    // The bank wants the PSU and does not say where: the path is that of the interface.
    conversation.steering = { startAuthorisation: startPath(target, saved) };
  }
  await target.ports.resources.saveConversation(target.name, conversation);
  return { kind: 'authorise', resource: saved, conversation };
}

function startPath(target: Target, saved: SavedResource): string {
  const parent = parentOf(saved, 'cancellation');
  return buildPath(target.variant, operation(scaOperations.cancellation.start), scaParams(parent));
}

/** A request that the bank finds wrong as it is written, whatever it asks for. */
function isOfForm(error: ObkError): boolean {
  if (!(error instanceof BankRefusal) || error.httpStatus !== 400) return false;
  return ['FORMAT_ERROR', 'PARAMETER_NOT_SUPPORTED', undefined].includes(error.bankCode);
}

/**
 * Whether the addresses of the return go along: as the contract has it, or as a correction of it. Where the framework has forgotten
 * them (errata of the guidelines, 2019), they go only if the PSU may be redirected to cancel: a bank that starts the authorisation
 * itself has no other way to learn them, and one that keeps to its file refuses them.
 */
async function redirectsWith(
  target: Target,
  { noun, id, redirect }: SavedResource,
  run: Preferences,
): Promise<'no' | 'declared' | 'corrected'> {
  const op = opened(target, operation('cancelPayment'));
  const isUri = ({ name }: { name: string }) => name === 'TPP-Redirect-URI';
  // Where no PSU is asked none is sent away, so that none comes back.
  if (redirect === undefined || target.profile.payments?.cancel?.needsSca === false) return 'no';
  if (declaredHeaders(target.variant, op).some(isUri)) return 'declared';
  const isCorrected = correctedHeaders(target.variant, op).some(isUri);
  if (!isCorrected || target.profile.payments?.redirectOnCancel === false) return 'no';
  const wished = run.redirect === '' ? undefined : (run.redirect ?? target.profile.prefer?.redirect);
  if (wished !== undefined) return wished ? 'corrected' : 'no';
  const [last] = await target.ports.resources.conversations(target.name, noun, id);
  return last?.approach !== 'EMBEDDED' && last?.approach !== 'DECOUPLED' ? 'corrected' : 'no';
}

/** Whether an answer has begun an authorisation, or says how one is begun. */
function isAuthorisation(conversation: Conversation): boolean {
  const { authorisationId, standing, scaStatus, approach } = conversation;
  const named = authorisationId ?? standing.scaStatus ?? scaStatus ?? approach;
  return named !== undefined || !['wait', 'stuck'].includes(nextStep(conversation).kind);
}

/** Neither done nor to be authorised: what the status says is what is known. */
async function readUntold(target: Target, resource: SavedResource, answer: Answer): Promise<CancelResult> {
  const read = await refreshEnded(target, resource).catch((failure: unknown) => {
    // The cancellation was taken; where the payment stands is asked for again by the next command.
    if (!isFailure(failure)) throw failure;
    target.ports.notices.warn(`The status of the payment could not be read (${failure.title}).`);
    return { resource, answer };
  });
  const kind = read.resource.status === 'CANC' ? 'cancelled' : 'untold';
  return { kind, resource: read.resource, said: await saidIn(read.answer ?? answer) };
}

/** The answer to a cancellation was lost: only a status that says so makes it done; nothing is sent again. */
async function afterLostCancel(
  target: Target,
  resource: SavedResource,
  error: OutcomeUnknown,
): Promise<CancelResult> {
  const read = await refreshResource(target, resource).catch((failure: unknown) => {
    // A payment whose status was read before is not gone because its product is wrong here.
    if (isGone(failure) && resource.status !== undefined)
      return { resource: { ...resource, status: 'CANC' } };
    if (failure instanceof ObkError) return undefined;
    throw failure;
  });
  const status = read?.resource.status;
  if (read === undefined || status !== 'CANC') {
    if (status !== undefined) error.resource = { ...error.resource, transactionStatus: status };
    throw error;
  }
  const reading = { acted: true, reason: 'read CANC' };
  await settleWrites(target, 'cancelPayment', { paymentId: resource.id }, reading);
  return { kind: 'cancelled', resource: await saveStatus(target, resource, status) };
}
