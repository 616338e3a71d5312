import { ObkError } from '../errors.ts';
import type { Conversation, Need } from '../sca/state.ts';
import type { Secret } from '../secret.ts';
import { recognitionMark } from '../signing/digest.ts';
import { questionsOf } from './answer-need.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from './target.ts';

/** By what a secret of this PSU is known again in this conversation. */
export function secretMark(target: Target, conversation: Conversation, need: Need, secret: Secret): string {
  const { kind, id } = conversation.parent;
  return recognitionMark(secret, JSON.stringify([kind, id, need, psuIdOf(target, conversation) ?? null]));
}

/** Whether the bank has refused this very secret in this conversation before. */
export function wasRefused(target: Target, conversation: Conversation, need: Need, secret: Secret): boolean {
  const marks = conversation.refused.filter((entry) => entry.need === need);
  if (marks.length === 0) return false;
  const mark = secretMark(target, conversation, need, secret);
  return marks.some((entry) => entry.mark === mark);
}

/** Why a refused secret is not sent again when only a reference gave it. */
export function refusedBefore(target: Target, need: Need): ObkError {
  const questions = questionsOf(need);
  const { flag } = questions.find((question) => target.ports.person.answered(question)) ?? questions[0];
  return new ObkError({
    code: 'SECRET_REFUSED_BEFORE',
    title: `${flag} gives a secret that the bank has refused before.`,
    detail: 'Banks block a PSU after a few wrong attempts, so obk never sends the same one twice.',
    hint: [`Give another ${flag}, or answer in a terminal.`],
  });
}
