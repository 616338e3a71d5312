import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Return } from '../ports/browser.ts';
import type { SavedRedirect } from '../../settings/records/resources.ts';
import { parseUrl } from '../../base/url.ts';
import { checkBrowserUrl } from '../../standard/xs2a/links.ts';
import type { Target } from '../exchange/target.ts';
import { returnQuestion } from './return-question.ts';
import { judgeReturn } from './return-url.ts';
import type { ExpectedReturn, PsuReturn } from './return-url.ts';

/** Whether a browser is opened: where one is likely, in any case, not at all. */
export type Browsing = 'auto' | 'always' | 'never';

/** Shows a link, and opens a browser for it where one is likely or wished for. */
export async function showLink(target: Target, url: string, wish: Browsing): Promise<void> {
  const { browser, notices, person } = target.ports;
  notices.say('Open this link to approve:');
  notices.say(url);
  const checked = checkBrowserUrl(url);
  if (!checked.ok) {
    notices.warn(`This link is shown but not opened: ${checked.why}.`);
    return;
  }
  await person.elsewhere?.({ url });
  if (wish === 'never' || (wish === 'auto' && !(await browser.likely()))) return;
  const opened = await browser.open(url);
  notices.say(opened ? `A browser was opened for ${checked.host}.` : 'No browser could be opened.');
}

/** Time for the browser of a PSU whose decision the status told first, in milliseconds. */
const lateMs = 1_000;

/** The return of a browser that a run waits for: what was sent with the PSU, and what is known of it. */
interface AwaitedReturn {
  redirect: SavedRedirect | undefined;
  expected: ExpectedReturn;
}

/** The ways on which the browser of the PSU comes back to this run. */
export interface WaysBack {
  /** The return to our listener and one that a person pastes, each where it is possible. */
  wait(signal: AbortSignal): Promise<PsuReturn>[];
  close(): Promise<void>;
}

/** Opens the ways back before a link is shown: a browser may return at once. Throws as `bindListener`. */
export async function openWaysBack(
  target: Target,
  redirect: SavedRedirect | undefined,
  expected: ExpectedReturn,
): Promise<WaysBack> {
  const awaited = { redirect, expected };
  const bound = await bindListener(target, awaited);
  const isPasted = target.ports.person.present && (redirect ?? expected.oauth) !== undefined;
  return {
    wait: (signal) => [
      ...(bound === undefined ? [] : [bound.returned.then((back) => heard(target, awaited, back))]),
      ...(isPasted ? [pasted(target, awaited, signal)] : []),
    ],
    close: async () => bound?.close(),
  };
}

/** Returns the result of the wait that ends first; the others are ended with it, and their errors no longer matter. */
export async function firstOf<T>(
  { run }: Target,
  begin: (signal: AbortSignal) => readonly Promise<T>[],
): Promise<T> {
  const stop = new AbortController();
  const signal = run.signal === undefined ? stop.signal : AbortSignal.any([run.signal, stop.signal]);
  try {
    const waits = begin(signal);
    for (const loser of waits) loser.catch(() => undefined);
    return await Promise.race(waits);
  } finally {
    stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'The wait is over.' }));
  }
}

/**
 * Listens if the return address is on this machine. A taken port is a warning: the status is polled, or a person pastes
 * the address. Throws LISTENER_FAILED if a code is due and there is no other way to receive it.
 */
async function bindListener(target: Target, { redirect, expected: { returnState } }: AwaitedReturn) {
  const wanted = redirect?.listener;
  if (wanted === undefined) return undefined;
  try {
    return await target.ports.listener.listen({
      ...wanted,
      ...(target.ports.person.present && { lateMs }),
      ...defined({ returnState }),
    });
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    if (returnState !== undefined) {
      if (!target.ports.person.present) throw withoutReturn(error);
      target.ports.notices.warn(
        `Port ${String(wanted.port)} is taken, so paste the address that the browser ends at: only it has the code.`,
      );
      return undefined;
    }
    target.ports.notices.warn(
      `Port ${String(wanted.port)} is taken, so the return of the browser is not seen; the status is read instead.`,
    );
    return undefined;
  }
}

/** Without the listener, the browser's return would not be received. */
function withoutReturn({ code, title, detail = '' }: ObkError): ObkError {
  return new ObkError({
    code,
    title,
    detail: `${detail} The PSU's browser would bring a code there that obk could not receive; nothing was sent.`,
    hint: [
      'End the program that listens there, or use --redirect-uri with another port from now on.',
      `${returnQuestion.flag} REF   # to give the address of the return by hand`,
    ],
  });
}

/** Whether this run waits for the browser itself. */
export function awaitsReturn({ ports: { person }, run }: Target): boolean {
  return person.present || run.waits === true;
}

/**
 * Binds the port of a new transaction's return before anything is sent, so that no other program can take it. Throws
 * LISTENER_FAILED if another program listens there and a state or a code is due; without one the status is polled.
 */
export async function holdReturn(target: Target, redirect: SavedRedirect, coded: boolean): Promise<void> {
  const wanted = redirect.listener;
  if (wanted === undefined || !awaitsReturn(target) || target.run.dryRun) return;
  try {
    await target.ports.listener.hold(wanted.port);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    if (wanted.state !== '' || coded) throw withoutReturn(error);
  }
}

/** Whether the return of the PSU always brings a code to confirm with at this bank. */
export const confirms = ({ profile }: Pick<Target, 'profile'>): boolean =>
  profile.sca?.confirmationCode === true;

/** Asks until the line is a return of ours: a stray Enter must not end the wait. */
async function pasted(
  target: Target,
  { redirect, expected }: AwaitedReturn,
  signal: AbortSignal,
): Promise<PsuReturn> {
  const { person, notices } = target.ports;
  for (;;) {
    const url = await person.paste('Or paste the address that the browser ended at:', signal);
    const back = judgeReturn(url, redirect, { ...expected, confirms: confirms(target) });
    if (back.outcome !== 'foreign') return back;
    notices.warn(`That is not used: ${back.why}.`);
  }
}

/**
 * A return received by our listener already has the right address and state; the rest is judged as every other return.
 */
function heard(
  target: Target,
  { redirect, expected }: AwaitedReturn,
  { url, outcome }: Return,
): PsuReturn | Promise<never> {
  // The browser may know this machine by another name than the redirect URI.
  const query = parseUrl(url)?.search ?? '';
  const path = (outcome === 'nok' ? redirect?.nokUri : undefined) ?? redirect?.uri ?? url;
  const back = judgeReturn(path.replace(/\?.*$/, '') + query, redirect, {
    ...expected,
    confirms: confirms(target),
  });
  if (back.outcome !== 'foreign') return outcome === 'nok' ? { ...back, outcome } : back;
  target.ports.notices.warn(`A return of the browser is not used: ${back.why}.`);
  return new Promise(() => undefined);
}
