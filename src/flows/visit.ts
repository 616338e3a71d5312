import { ObkError } from '../errors.ts';
import type { Return, SavedRedirect, SavedResource } from '../ports.ts';
import type { Conversation } from '../sca/state.ts';
import { checkBrowserUrl } from '../xs2a/links.ts';
import { look, poll } from './sca-read.ts';
import type { Look } from './sca-read.ts';
import type { Target } from './target.ts';

/** How a visit of the PSU to the bank's page is watched. */
export interface VisitOptions {
  timeoutMs: number;
  browser: 'auto' | 'always' | 'never';
}

/** After the PSU is back the bank may need a moment; after a refusal or an error it is given less. */
const settleMs = { ok: 10_000, nok: 4_000 };

/**
 * Shows the link, opens a browser where one is likely, and waits for whichever comes first: the return to our listener,
 * a pasted URL, or a status that has moved. None of the returns is believed: only the status read afterwards decides.
 */
export async function visit(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  href: string,
  options: VisitOptions,
): Promise<Look> {
  const { notices } = target.ports;
  const url = liveUrl(target, href);
  notices.say('Open this link to approve:');
  notices.say(url);
  await openBrowser(target, url, options.browser);

  const stop = new AbortController();
  const { signal: interrupt } = target.run;
  const signal = interrupt === undefined ? stop.signal : AbortSignal.any([interrupt, stop.signal]);
  const over = new ObkError({ code: 'INTERRUPTED', title: 'The wait is over.' });
  const bound = await bindListener(target, resource);
  const progress = notices.progress('Waiting for the PSU at the bank');
  try {
    const returns = [
      ...(bound === undefined ? [] : [bound.returned]),
      ...(target.ports.person.present ? [pasted(target, resource.redirect, signal)] : []),
    ];
    const watched = poll(target, conversation, { timeoutMs: options.timeoutMs, signal });
    // What loses the race ends with the signal; nobody waits for it any more.
    for (const loser of [watched, ...returns]) loser.catch(() => undefined);
    const first = await Promise.race([watched, ...returns]);
    if ('conversation' in first) return first;
    stop.abort(over);
    notices.say(
      first.outcome === 'ok' ? 'The PSU is back from the bank.' : 'The PSU is back without having approved.',
    );
    const seen = await look(target, conversation);
    if (seen.success !== undefined || seen.moved) return seen;
    const left = Math.min(options.timeoutMs, settleMs[first.outcome]);
    return await poll(target, seen.conversation, {
      timeoutMs: left,
      ...(interrupt === undefined ? {} : { signal: interrupt }),
    });
  } finally {
    progress.stop();
    stop.abort(over);
    await bound?.close();
  }
}

/**
 * The bank inside may have had to take another port since the link was saved: its links, and only those, get the present
 * origin (path and query stay as they are).
 */
export function liveUrl(target: Target, href: string): string {
  if (target.inside === undefined || !URL.canParse(href)) return href;
  const url = new URL(href);
  const now = new URL(target.inside.baseUrl);
  if (!target.inside.formerOrigins.includes(url.origin)) return href;
  return now.origin + href.slice(url.origin.length);
}

async function openBrowser(target: Target, url: string, wish: VisitOptions['browser']): Promise<void> {
  const { browser, notices } = target.ports;
  const checked = checkBrowserUrl(url);
  if (!checked.ok) {
    notices.warn(`This link is shown but not opened: ${checked.why}.`);
    return;
  }
  if (wish === 'never' || (wish === 'auto' && !(await browser.likely()))) return;
  const opened = await browser.open(url);
  notices.say(opened ? `A browser was opened for ${checked.host}.` : 'No browser could be opened.');
}

async function bindListener(target: Target, resource: SavedResource) {
  const wanted = resource.redirect?.listener;
  if (wanted === undefined) return undefined;
  try {
    return await target.ports.listener.listen(wanted);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    target.ports.notices.warn(
      `Port ${String(wanted.port)} is taken, so the return of the browser is not seen; the status is read instead.`,
    );
    return undefined;
  }
}

/** Asks until the line is an address of ours: a stray Enter must not end the wait. */
async function pasted(
  target: Target,
  redirect: SavedRedirect | undefined,
  signal: AbortSignal,
): Promise<Return> {
  const { person, notices } = target.ports;
  for (;;) {
    const url = await person.paste('Or paste the address that the browser ended at:', signal);
    const outcome = outcomeOf(url.trim(), redirect);
    if (outcome !== undefined) return { outcome, url };
    notices.warn(
      `That is not the address of the return: it begins with ${(redirect?.uri ?? 'https://').replace(/\?.*/, '')}.`,
    );
  }
}

function outcomeOf(url: string, redirect: SavedRedirect | undefined): Return['outcome'] | undefined {
  if (!URL.canParse(url)) return undefined;
  const isAt = (uri: string): boolean => {
    const [here, there] = [new URL(url), new URL(uri)];
    return here.origin === there.origin && here.pathname === there.pathname;
  };
  if (redirect?.nokUri !== undefined && isAt(redirect.nokUri)) return 'nok';
  return redirect === undefined || isAt(redirect.uri) ? 'ok' : undefined;
}
