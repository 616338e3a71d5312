import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { entryOf } from '../../standard/sca/entry.ts';
import { nounOf } from '../../standard/sca/operations.ts';
import type { Conversation, Need, SentEntry } from '../../standard/sca/state.ts';
import { isForeignMark, keyedMark } from '../../signing/digest.ts';
import type { Target } from '../exchange/target.ts';
import { questionsOf } from './answer-need.ts';
import type { Answered } from './answer-need.ts';
import { psuIdOf } from './sca-send.ts';

/** By what an entry of this PSU is known again in this conversation; undefined where a step sends none. */
export async function sentMark(
  target: Target,
  conversation: Conversation,
  need: Need,
  { value, known }: Answered,
): Promise<SentEntry | undefined> {
  const entry = entryOf(need);
  const told = known ?? value;
  if (entry === undefined || told === undefined || target.run.dryRun) return undefined;
  const { kind, id } = conversation.parent;
  // The mark of a PSU-ID does not depend on the PSU.
  const psuId = entry === 'identification' ? null : (psuIdOf(target, conversation) ?? null);
  const key = await target.ports.credentials.machineKey();
  return { entry, mark: keyedMark(key, [kind, id, entry, psuId, told]) };
}

/**
 * Whether this very entry was sent in this conversation before; if that cannot be told, it counts as sent. One that led on
 * counts too, unless a human has `typed` it anew.
 */
export async function wasSent(
  target: Target,
  { sent }: Conversation,
  marked: SentEntry | undefined,
  typed: boolean,
): Promise<boolean> {
  const before = sent.filter(({ entry, ledOn }) => entry === marked?.entry && !(typed && ledOn === true));
  if (marked === undefined || before.length === 0) return false;
  const key = await target.ports.credentials.machineKey();
  return before.some(({ mark }) => mark === marked.mark || isForeignMark(key, mark));
}

/** The error for an entry that was sent before, when this run has no way to ask for another one. */
export function sentBefore(target: Target, { parent }: Conversation, need: Need): ObkError {
  const questions = questionsOf(need);
  const { flag } = questions.find((question) => target.ports.person.answered(question)) ?? questions[0];
  const noun = nounOf[parent.kind];
  return new ObkError({
    code: 'SECRET_REFUSED_BEFORE',
    title: `${flag} holds an entry that was sent to the bank before, and the bank asks for it again.`,
    detail: 'Banks block a PSU after a few wrong attempts, so obk never sends the same entry twice.',
    hint: [
      `Give another ${flag}, or answer in a terminal.`,
      line`obk ${noun} authorise ${parent.id} --new   # starts another authorisation`,
    ],
  });
}
