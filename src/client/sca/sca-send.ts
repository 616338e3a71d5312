import { defined } from '../../base/defined.ts';
import { BankRefusal } from '../../base/errors.ts';
import type { BankMessage, ObkError } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Header } from '../../settings/records/wire.ts';
import type { SendStep } from '../../standard/sca/next-step.ts';
import { resourceOf, scaOperations } from '../../standard/sca/operations.ts';
import { replyBody } from '../../standard/sca/reply-body.ts';
import type { Conversation, ScaAnswer } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { declaredBody } from '../../standard/xs2a/variants.ts';
import { tryCall } from '../call/call.ts';
import { knownPsuIp, psuHeaders, redirectHeaders } from '../call/psu-headers.ts';
import { startHeaders } from '../call/tpp-preferences.ts';
import type { Body } from '../exchange/prepared.ts';
import { redactMessage } from '../redaction/redact.ts';
import { scaAnswer, scaRefusal } from '../resources/sca-answer.ts';
import type { Target } from '../exchange/target.ts';

/** How a step ended: with an answer to absorb, or with an error and perhaps the links of its body. */
export type SentStep =
  | { ok: true; answer: ScaAnswer; messages: readonly BankMessage[] }
  | { ok: false; error: ObkError; answer?: ScaAnswer };

/** An authorisation that is under way: the conversation, and the resource that it authorises. */
export interface Underway {
  resource: SavedResource;
  conversation: Conversation;
}

/** Sends one step of a conversation, once; `value` is what its need was answered with. */
export async function sendStep(
  target: Target,
  authorisation: Underway,
  step: SendStep,
  value: string | Secret | undefined,
): Promise<SentStep> {
  const { conversation } = authorisation;
  const body = bodyOf(target, conversation, step, value);
  const called = await tryCall(target, {
    operation: operationOf(conversation, step),
    href: step.href,
    headers: headersOf(target, authorisation, step, value),
    ...defined({ body }),
    resource: resourceOf(conversation),
    psuId: identified(step, value) ?? psuIdOf(target, conversation),
    ...defined({ tolerated: step.tolerated }),
  });
  if (called.ok) {
    const { answer } = called;
    return { ok: true, answer: scaAnswer(step.method, answer), messages: answer.messages.map(redactMessage) };
  }
  const { error, refusal } = called;
  if (!(error instanceof BankRefusal) || refusal === undefined) return { ok: false, error };
  return { ok: false, error, answer: scaRefusal(step.method, error.httpStatus, refusal) };
}

function operationOf({ parent }: Conversation, { method }: SendStep) {
  return scaOperations[parent.kind][method === 'POST' ? 'start' : 'update'];
}

/** `{}` with its Content-Type where nothing is to be said: many servers refuse a POST or PUT without. */
function bodyOf(
  target: Target,
  conversation: Conversation,
  step: SendStep,
  value: string | Secret | undefined,
): Body | undefined {
  if (step.need === 'none' || step.need === 'identification') {
    const declared = declaredBody(target.variant, operation(operationOf(conversation, step)));
    return step.link === 'confirmation' || declared === 'none' ? undefined : { json: {} };
  }
  return { json: replyBody(step.need, value) };
}

function headersOf(
  target: Target,
  { resource, conversation }: Underway,
  step: SendStep,
  value: string | Secret | undefined,
): Header[] {
  const redirect =
    step.method === 'POST'
      ? [
          ...redirectHeaders(resource.redirect),
          ...startHeaders(target, operationOf(conversation, step), resource.prefer),
        ]
      : [];
  if (step.reducedHeaders || step.link === 'confirmation') return redirect;
  const id = identified(step, value) ?? psuIdOf(target, conversation);
  return [
    ...psuHeaders({ ...target, psu: psuOf(target, conversation) }, id),
    ...knownPsuIp(target),
    ...redirect,
  ];
}

function identified({ need }: SendStep, value: string | Secret | undefined): string | undefined {
  return need === 'identification' && typeof value === 'string' ? value : undefined;
}

/** The PSU of a conversation: from this run, else from the earlier run, unless that one was for another PSU. */
function psuOf(target: Target, { psuId, psu: names = {} }: Conversation): Target['psu'] {
  const { run, psu } = target;
  const another = run.psu?.id !== undefined && psuId !== undefined && run.psu.id !== psuId;
  return another ? psu : { ...psu, ...names, ...run.psu };
}

/** Whom the conversation is with: as this run says, else as an earlier one did; the profile knows only its own PSU. */
export function psuIdOf({ run, psu }: Target, conversation: Conversation): string | undefined {
  return run.psu?.id ?? conversation.psuId ?? psu.id;
}
