import { defined } from '../../base/defined.ts';
import { BankRefusal, ObkError, exitCodes } from '../../base/errors.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import { isEnding, nounOf, resourceOf, scaOperations, scaParams } from '../../standard/sca/operations.ts';
import { absorb, withLinks } from '../../standard/sca/state.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isUnknownSca } from '../../standard/xs2a/codes.ts';
import { call } from '../call/call.ts';
import { ownStatusLink } from '../call/own-links.ts';
import { endOf, endedStatus, isGone, isUnknown, readParentStatus } from '../resources/parent-status.ts';
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
  /** The links allow another step (a code to confirm, a method to choose), or the bank has said what obk does not know. */
  moved: boolean;
  /** The status of the parent, where it was read. */
  status?: string;
  /** That status is one that obk does not know. */
  unknown?: true;
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
    return await judge(target, absorb(conversation, scaAnswer('GET', answer)), answer);
  } catch (error) {
    // Some banks answer 403 or 404 to scaStatus although the authorisation lives: the parent tells as well.
    if (error instanceof BankRefusal && [403, 404, 405].includes(error.httpStatus)) {
      return lookAtParent(target, conversation);
    }
    throw error;
  }
}

async function judge(target: Target, conversation: Conversation, answer: Answer): Promise<Observation> {
  const unknown = unknownIn(conversation.parent, answer);
  if (unknown !== undefined) return unknownStatus(conversation, answer, unknown);
  const step = nextStep(conversation);
  if (step.kind === 'done') return { conversation, success: step.success, moved: false };
  if (isUnknownSca(conversation.scaStatus)) return lookBeside(target, conversation);
  return { conversation, moved: step.kind === 'send' || step.kind === 'stuck' };
}

/** The status in an answer about this parent that obk does not know, if it holds one. */
export function unknownIn(
  { kind }: Parent,
  answer: Pick<Answer, 'transactionStatus' | 'consentStatus'>,
): string | undefined {
  const noun = nounOf[kind];
  const status = noun === 'consent' ? answer.consentStatus : answer.transactionStatus;
  return isUnknown({ noun, ...defined({ status }) }) ? status : undefined;
}

/** An unknown status ends a wait; the names of unknown links that came with it are kept, so that they can be shown. */
function unknownStatus(
  conversation: Conversation,
  { unknownLinks }: Pick<Answer, 'unknownLinks'>,
  status: string,
): Observation {
  return { conversation: withLinks(conversation, unknownLinks), moved: true, status, unknown: true };
}

/** The scaStatus is a word that obk does not know: the status of the parent decides, where it is told. */
export async function lookBeside(target: Target, conversation: Conversation): Promise<Observation> {
  const seen = await lookAtParent(target, conversation).catch((error: unknown): Observation => {
    if (error instanceof BankRefusal) return { conversation, moved: false };
    throw error;
  });
  const { kind } = nextStep(seen.conversation);
  return { ...seen, moved: seen.moved || (seen.success === undefined && kind === 'send') };
}

async function lookAtParent(target: Target, conversation: Conversation): Promise<Observation> {
  const { parent } = conversation;
  const { status, answer } = await readParentStatus(target, parent).catch((error: unknown) => {
    const { kind } = parent;
    if (isEnding(kind) && isGone(error, kind)) return { status: endedStatus[kind], answer: undefined };
    if (error instanceof ObkError) error.resource = { ...error.resource, ...resourceOf(conversation) };
    throw error;
  });
  if (answer !== undefined && status !== undefined && isUnknown({ noun: nounOf[parent.kind], status }))
    return unknownStatus(conversation, answer, status);
  const success = endOf(parent.kind, status) ?? (await isPartlyDone(target, conversation, status));
  return {
    conversation,
    moved: false,
    ...defined({ status, success }),
  };
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
export function poll(target: Target, conversation: Conversation, options: WaitOptions): Promise<Observation> {
  return lookAgain<Observation>(
    target,
    { id: conversation.parent.id, ...options },
    {
      first: { conversation, moved: false },
      look: (last) => observe(target, last.conversation),
      ends: ({ success, moved }) => success !== undefined || moved,
    },
  );
}

/** How something is looked at: what was seen first, the next look, and whether that was the last one. */
interface Looking<Seen> {
  first: Seen;
  look: (last: Seen) => Promise<Seen>;
  ends: (seen: Seen) => boolean;
}

/** Looks at the resource with an id again and again, ever more slowly, until `ends` or time is up; returns the last look. */
export async function lookAgain<Seen>(
  target: Target,
  options: WaitOptions & { id: string },
  looking: Looking<Seen>,
): Promise<Seen> {
  const news = await newsOf(target, options.id);
  try {
    return await lookWith(news, target, options, looking);
  } finally {
    await news.close();
  }
}

async function lookWith<Seen>(
  news: News,
  target: Target,
  options: WaitOptions,
  { first, look, ends }: Looking<Seen>,
): Promise<Seen> {
  const { clock } = target.ports;
  const deadline = clock.monotonic() + Math.min(options.timeoutMs, leftToWait(target));
  const pace = target.environment === 'sandbox' ? sandboxPace : bankPace;
  // A bank that pushes is asked seldom from the start, and at once when it has pushed.
  const { minIntervalMs = 0, maxPerSecond } = target.profile.sca?.poll ?? {};
  const least = Math.max(minIntervalMs, maxPerSecond === undefined ? 0 : Math.ceil(1000 / maxPerSecond));
  let interval = Math.max(least, news.expected ? pace.slowest : pace.first);
  let failures = 0;
  let last = first;
  for (;;) {
    const left = deadline - clock.monotonic();
    if (left <= 0) return last;
    await news.sleep(Math.min(interval, left), options.signal);
    interval = Math.max(least, Math.min(interval * 1.5, pace.slowest));
    try {
      last = await look(last);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!passes(error) || failures >= 3) throw error;
      target.ports.notices.warn(`The status could not be read (${error.title}); trying again.`);
    }
    if (ends(last)) return last;
  }
}

/** The PSU may need minutes: a bank or a network that fails for a moment must not end the wait. */
function passes(error: unknown): error is ObkError {
  const passing: readonly number[] = [exitCodes.bankError, exitCodes.notSent, exitCodes.throttled];
  return error instanceof ObkError && passing.includes(error.exit);
}

const bankPace = { first: 2_000, slowest: 10_000 };
const sandboxPace = { first: 700, slowest: 3_000 };
