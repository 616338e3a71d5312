import { BankRefusal, ObkError, exitCodes } from '../../errors.ts';
import { nextStep } from '../../sca/next-step.ts';
import { isEnding, nounOf, resourceOf, scaOperations, scaParams } from '../../sca/operations.ts';
import { absorb } from '../../sca/state.ts';
import type { Conversation } from '../../sca/state.ts';
import { call } from '../call/call.ts';
import { ownStatusLink } from '../call/own-links.ts';
import { endOf, endedStatus, isGone, readParentStatus } from '../resources/parent-status.ts';
import { leftToWait } from '../call/patience.ts';
import { newsOf } from '../resources/news.ts';
import type { News } from '../resources/news.ts';
import { scaAnswer } from '../resources/sca-answer.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from '../exchange/target.ts';

/** One observation of the bank: the conversation with the status read, and whether anything is left to wait for. */
export interface Observation {
  conversation: Conversation;
  /** Undefined while the PSU is still at it; else whether the authorisation succeeded. */
  success?: boolean;
  /** The links allow another step (a code to confirm, a method to choose). */
  moved: boolean;
}

/** Reads scaStatus once, or the state of the parent where the bank serves no scaStatus; saves nothing. */
export async function observe(target: Target, conversation: Conversation): Promise<Observation> {
  const { parent, authorisationId } = conversation;
  const href = ownStatusLink(target, conversation);
  const fromParent = target.profile.sca?.statusFrom === 'resource';
  if (fromParent || (href === undefined && authorisationId === undefined))
    return lookAtParent(target, conversation);
  try {
    const answer = await call(target, {
      operation: scaOperations[parent.kind].read,
      ...(href === undefined ? { params: scaParams(parent, authorisationId) } : { href }),
      resource: resourceOf(conversation),
      psuId: psuIdOf(target, conversation),
    });
    return judge(absorb(conversation, scaAnswer('GET', answer)));
  } catch (error) {
    // Some banks answer 403 or 404 to scaStatus although the authorisation lives: the parent tells as well.
    if (error instanceof BankRefusal && [403, 404, 405].includes(error.httpStatus)) {
      return lookAtParent(target, conversation);
    }
    throw error;
  }
}

function judge(conversation: Conversation): Observation {
  const step = nextStep(conversation);
  if (step.kind === 'done') return { conversation, success: step.success, moved: false };
  return { conversation, moved: step.kind === 'send' || step.kind === 'stuck' };
}

async function lookAtParent(target: Target, conversation: Conversation): Promise<Observation> {
  const { parent } = conversation;
  const { status } = await readParentStatus(target, parent).catch((error: unknown) => {
    const { kind } = parent;
    if ((kind === 'cancellation' || kind === 'deletion') && isGone(error, kind))
      return { status: endedStatus[kind] };
    if (error instanceof ObkError) error.resource = { ...error.resource, ...resourceOf(conversation) };
    throw error;
  });
  const success = endOf(parent.kind, status) ?? (await isPartlyDone(target, conversation, status));
  return { conversation, moved: false, ...(success !== undefined && { success }) };
}

/** The status of the parent tells of an authorisation that others must follow, where it has become so since it was saved. */
async function isPartlyDone(
  { ports, name }: Target,
  { parent: { kind, id } }: Conversation,
  status: string | undefined,
): Promise<true | undefined> {
  if (isEnding(kind) || (status !== 'PATC' && status !== 'partiallyAuthorised')) return undefined;
  const saved = await ports.resources.find(name, nounOf[kind], id);
  return saved !== undefined && saved.status !== status ? true : undefined;
}

/** How long and how often a wait looks at the bank. */
export interface WaitOptions {
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Looks again and again, ever more slowly, until something happens or time is up; the last look tells which. */
export async function poll(
  target: Target,
  conversation: Conversation,
  options: WaitOptions,
): Promise<Observation> {
  const news = await newsOf(target, conversation.parent.id);
  try {
    return await pollWith(news, target, conversation, options);
  } finally {
    await news.close();
  }
}

async function pollWith(
  news: News,
  target: Target,
  conversation: Conversation,
  options: WaitOptions,
): Promise<Observation> {
  const { clock } = target.ports;
  const deadline = clock.monotonic() + Math.min(options.timeoutMs, leftToWait(target));
  const pace = target.environment === 'sandbox' ? sandboxPace : bankPace;
  // A bank that pushes is asked seldom from the start, and at once when it has pushed.
  const { minIntervalMs = 0, maxPerSecond } = target.profile.sca?.poll ?? {};
  const least = Math.max(minIntervalMs, maxPerSecond === undefined ? 0 : Math.ceil(1000 / maxPerSecond));
  let interval = Math.max(least, news.expected ? pace.slowest : pace.first);
  let failures = 0;
  let last: Observation = { conversation, moved: false };
  for (;;) {
    const left = deadline - clock.monotonic();
    if (left <= 0) return last;
    await news.sleep(Math.min(interval, left), options.signal);
    interval = Math.max(least, Math.min(interval * 1.5, pace.slowest));
    try {
      last = await observe(target, last.conversation);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!passes(error) || failures >= 3) throw error;
      target.ports.notices.warn(`The status could not be read (${error.title}); trying again.`);
    }
    if (last.success !== undefined || last.moved) return last;
  }
}

/** The PSU may need minutes: a bank or a network that fails for a moment must not end the wait. */
function passes(error: unknown): error is ObkError {
  const passing: readonly number[] = [exitCodes.bankError, exitCodes.notSent, exitCodes.throttled];
  return error instanceof ObkError && passing.includes(error.exit);
}

const bankPace = { first: 2_000, slowest: 10_000 };
const sandboxPace = { first: 700, slowest: 3_000 };
