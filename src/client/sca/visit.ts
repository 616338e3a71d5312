import { defined } from '../../base/defined.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { SavedRedirect, SavedResource } from '../../settings/records/resources.ts';
import { browserUrl } from '../../standard/sca/next-step.ts';
import { isEnding } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { parseUrl } from '../../base/url.ts';
import { liveUrl } from '../exchange/addresses.ts';
import { firstOf, openWaysBack, showLink } from '../browser/browser-return.ts';
import type { Browsing, WaysBack } from '../browser/browser-return.ts';
import { leftToWait } from '../call/patience.ts';
import { confirmsText } from '../resources/subject.ts';
import { isUnknown } from '../resources/parent-status.ts';
import type { PsuReturn } from '../browser/return-url.ts';
import { observe, poll } from './sca-read.ts';
import type { Observation } from './sca-read.ts';
import type { Target } from '../exchange/target.ts';
import type { Underway } from './sca-send.ts';

/** How a visit of the PSU to the bank's page is watched. */
export interface VisitOptions {
  timeoutMs: number;
  browser: Browsing;
}

/** The outcome of a visit; `code` came with the browser and is to be redeemed or confirmed. */
export type Visited = Observation & { code?: Secret };

/** After the PSU is back the bank may need a moment; after a refusal or an error it is given less. */
const settleMs = { ok: 10_000, nok: 4_000 };
/** The bank may know of an approval by OAuth before the browser has come back with the code. */
const codeMs = 30_000;

/**
 * Shows the link (none where the PSU has been there), opens a browser where one is likely, and waits for whichever comes
 * first: the return to our listener, a pasted URL, or a status that has moved. None of the returns is believed: only the
 * status read afterwards decides. A code that is wanted is waited for although the status has moved.
 */
export async function visit(
  target: Target,
  authorisation: Underway,
  href: string | undefined,
  options: VisitOptions,
): Promise<Visited> {
  const { resource, conversation } = authorisation;
  const ways = await openWaysBack(target, resource.redirect, conversation);
  try {
    if (href === undefined)
      target.ports.notices.say('The PSU has approved; the bank waits for the code that the browser got.');
    else {
      const { kind } = conversation.parent;
      // The page of the bank may not say that this approval ends the payment or consent.
      if (isEnding(kind)) target.ports.notices.say(confirmsText(target.name, resource, kind));
      await showLink(target, liveUrl(target, href), options.browser);
    }
    const timeoutMs = boundedBy(target, 'sca.redirectLifetimeS', options.timeoutMs);
    return await waitForReturn(target, authorisation, ways, { ...options, timeoutMs });
  } finally {
    await ways.close();
  }
}

async function waitForReturn(
  target: Target,
  { resource: { redirect }, conversation }: Underway,
  ways: WaysBack,
  options: VisitOptions,
): Promise<Visited> {
  const { notices } = target.ports;
  const progress = notices.progress('Waiting for the PSU at the bank');
  try {
    const first = await firstOf<PsuReturn | Observation>(target, (signal) => {
      const returns = ways.wait(signal);
      const last = returns.length === 0;
      return [watch(target, conversation, { ...options, signal, last }), ...returns];
    });
    if ('conversation' in first) return first;
    const seen = await comeBack(target, conversation, first, options);
    const ended = seen.success !== undefined || seen.moved || seen.code !== undefined;
    if (ended || provesItself(redirect, conversation)) return seen;
    // Anybody may call an address without a state: what came may have been no return at all.
    notices.say('The bank has no decision yet; still waiting.');
    return await poll(target, seen.conversation, {
      timeoutMs: options.timeoutMs,
      ...defined({ signal: target.run.signal }),
    });
  } finally {
    progress.stop();
  }
}

/** The milliseconds to wait: no longer than the bank does, which is said where it is the shorter time. */
function boundedBy(
  { profile, ports }: Target,
  setting: 'sca.redirectLifetimeS' | 'sca.poll.timeoutS',
  timeoutMs: number,
): number {
  const { redirectLifetimeS, poll: { timeoutS } = {} } = profile.sca ?? {};
  const seconds = setting === 'sca.poll.timeoutS' ? timeoutS : redirectLifetimeS;
  if (seconds === undefined || seconds * 1000 >= timeoutMs) return timeoutMs;
  ports.notices.say(
    `The bank waits for the PSU for ${String(seconds)} s (${setting}), and so does this run.`,
  );
  return seconds * 1000;
}

/** Whether a return carries a value that cannot be guessed. */
function provesItself(redirect: SavedRedirect | undefined, { returnState }: Conversation): boolean {
  const [own = ''] =
    redirect === undefined ? [] : (parseUrl(redirect.uri)?.searchParams.getAll('state') ?? []);
  return returnState !== undefined || own !== '';
}

/** Waits for what the PSU does on another device. */
export async function waitForPsu(
  target: Target,
  conversation: Conversation,
  options: Pick<VisitOptions, 'timeoutMs'>,
): Promise<Observation> {
  const { signal } = target.run;
  const timeoutMs = boundedBy(target, 'sca.poll.timeoutS', options.timeoutMs);
  const { notices, person } = target.ports;
  const { parent, authorisationId } = conversation;
  const progress = notices.progress('Waiting for the PSU to confirm');
  try {
    await person.elsewhere?.({ id: parent.id, ...defined({ authorisationId }) });
    return await poll(target, conversation, { timeoutMs, ...defined({ signal }) });
  } finally {
    progress.stop();
  }
}

/** The PSU is back: what was brought, or what the bank says now. */
export async function comeBack(
  target: Target,
  conversation: Conversation,
  { outcome, code, error }: PsuReturn,
  options: Pick<VisitOptions, 'timeoutMs'>,
): Promise<Visited> {
  const { notices } = target.ports;
  const why = error === undefined ? '' : ` (${error})`;
  notices.say(
    outcome === 'ok' ? 'The PSU is back from the bank.' : `The PSU is back without having approved${why}.`,
  );
  if (code !== undefined && conversation.oauth !== undefined) return { conversation, moved: true, code };
  const seen = await observe(target, conversation);
  if (code !== undefined && seen.success === undefined) return { ...seen, moved: true, code };
  if (outcome === 'ok' && wantsCode(conversation) && seen.success === undefined)
    notices.warn('The return has no code, so nothing is confirmed with it.');
  return awaitDecision(target, seen, outcome, options);
}

/** Polls for a moment until the bank's status matches what the browser brought. */
export async function awaitDecision(
  target: Target,
  seen: Observation,
  outcome: PsuReturn['outcome'],
  options: Pick<VisitOptions, 'timeoutMs'>,
): Promise<Observation> {
  if (seen.success !== undefined || seen.moved) return seen;
  const { signal } = target.run;
  const timeoutMs = Math.min(options.timeoutMs, settleMs[outcome]);
  return poll(target, seen.conversation, { timeoutMs, ...defined({ signal }) });
}

/** Whether only the browser brings what the bank waits for. */
function wantsCode({ oauth, standing }: Conversation): boolean {
  return oauth !== undefined || standing.confirmation !== undefined;
}

/** Polls; where only the browser brings what leads on, a status that has moved leaves it the time to. */
async function watch(
  target: Target,
  conversation: Conversation,
  options: { timeoutMs: number; signal: AbortSignal; last: boolean },
): Promise<Observation> {
  const { clock, notices } = target.ports;
  const { timeoutMs, signal, last } = options;
  const deadline = clock.monotonic() + Math.min(timeoutMs, leftToWait(target));
  const left = () => Math.max(0, deadline - clock.monotonic());
  const byOauth = conversation.oauth !== undefined;
  const seen = await poll(target, conversation, options).catch((error: unknown): Observation => {
    // Some banks refuse to show the status before there is a token.
    if (!byOauth || !(error instanceof ObkError) || error.exit !== exitCodes.authNeeded) throw error;
    return { conversation, moved: false };
  });
  const isOver = seen.success === false || seen.unknown === true;
  if (last || !wantsCode(conversation) || isOver) return seen;
  await clock.sleep(byOauth && seen.success === true ? Math.min(left(), codeMs) : left(), signal);
  if (byOauth && seen.success === true)
    notices.warn('The browser has not brought the code of OAuth, so there is no token for further calls.');
  // All time is used up, and the step that is due has nothing to send.
  return { ...seen, moved: false };
}

/** The URL that the PSU's browser opens now, if any. */
export function shownUrl(
  target: Target,
  resource: Pick<SavedResource, 'noun' | 'status'>,
  conversation: Parameters<typeof browserUrl>[0],
): string | undefined {
  // Nobody is sent on while the bank says of the resource what obk does not know.
  const url = isUnknown(resource) ? undefined : browserUrl(conversation);
  return url === undefined ? undefined : liveUrl(target, url);
}
