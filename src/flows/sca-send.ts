import { BankRefusal } from '../errors.ts';
import type { ObkError } from '../errors.ts';
import type { Header, SavedResource } from '../ports.ts';
import { replyBody } from '../sca/reply-body.ts';
import type { SendStep } from '../sca/next-step.ts';
import type { Conversation, ScaAnswer } from '../sca/state.ts';
import type { Secret } from '../secret.ts';
import { operation } from '../xs2a/operations.ts';
import { declaredBody } from '../xs2a/variants.ts';
import { tryCall } from './call.ts';
import type { Body } from './prepare.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from './headers.ts';
import { scaAnswer, scaRefusal } from './sca-answer.ts';
import { resourceOf, scaOperations } from './sca-operations.ts';
import { scaQuestions } from './sca-questions.ts';
import type { Target } from './target.ts';

/** How a step ended: with an answer to absorb, or with an error and perhaps the links of its body. */
export type SentStep = { ok: true; answer: ScaAnswer } | { ok: false; error: ObkError; answer?: ScaAnswer };

/** Sends one step of a conversation, once. */
export async function sendStep(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  step: SendStep,
  value: string | Secret | undefined,
): Promise<SentStep> {
  const { kind } = conversation.parent;
  const id = step.method === 'POST' ? scaOperations[kind].start : scaOperations[kind].update;
  const body = bodyOf(target, step, id, value);
  const called = await tryCall(target, {
    operation: id,
    href: step.href,
    headers: await headersOf(target, resource, step),
    ...(body === undefined ? {} : { body }),
    resource: resourceOf(conversation),
  });
  if (called.ok) return { ok: true, answer: scaAnswer(step.method, called.answer) };
  const { error, refusal } = called;
  if (!(error instanceof BankRefusal) || refusal === undefined) return { ok: false, error };
  return { ok: false, error, answer: scaRefusal(step.method, error.httpStatus, refusal) };
}

/** `{}` with its Content-Type where nothing is to be said: many servers refuse a POST or PUT without. */
function bodyOf(
  target: Target,
  step: SendStep,
  id: Parameters<typeof operation>[0],
  value: string | Secret | undefined,
): Body | undefined {
  if (step.need !== 'none') return { json: replyBody(step.need, value) ?? {} };
  if (step.link === 'confirmation' || declaredBody(target.variant, operation(id)) === 'none')
    return undefined;
  return { json: {} };
}

async function headersOf(target: Target, resource: SavedResource, step: SendStep): Promise<Header[]> {
  if (step.reducedHeaders || step.link === 'confirmation') return [];
  if (step.need === 'identification' && target.psu.id === undefined) {
    target.psu.id = await target.ports.person.ask({
      ...scaQuestions.psuId,
      check: (text) => (text.trim() === '' ? 'it is empty' : undefined),
    });
  }
  return [
    ...psuHeaders(target.psu),
    ...(target.psu.ipAddress === undefined ? [] : [psuIpHeader(target)]),
    ...(step.method === 'POST' ? redirectHeaders(resource.redirect) : []),
  ];
}
