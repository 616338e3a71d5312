import { defined } from '../../base/defined.ts';
import type { SavedRedirect } from '../../settings/records/resources.ts';
import { parseUrl } from '../../base/url.ts';
import { awaitsReturn, holdReturn } from './browser-return.ts';
import type { Target } from '../exchange/target.ts';

/** Where browsers find a listener of ours: a literal address, never a name that may resolve elsewhere. */
const host = '127.0.0.1';

/**
 * The redirect addresses of a new transaction: those of the profile, which banks often have registered; for a sandbox
 * profile without any, a listener address of our own with a random path. The port of a return that somebody waits for is
 * held from now on, before anything is sent; `coded` says that a code will come back. Throws LISTENER_FAILED.
 */
export async function newRedirect(
  target: Target,
  { stated = true, coded = false } = {},
): Promise<SavedRedirect | undefined> {
  const { redirectUri, nokRedirectUri, redirect } = target.profile;
  if (redirectUri !== undefined) {
    const state = stated && redirect?.state === 'query' ? target.ports.ids.token(24) : undefined;
    const registered = savedRedirect(
      withState(redirectUri, state),
      nokRedirectUri === undefined ? undefined : withState(nokRedirectUri, state),
    );
    await holdReturn(target, registered, coded);
    return registered;
  }
  if (target.environment !== 'sandbox') return undefined;
  const { ids } = target.ports;
  // The path is the secret, as good as a state: with one in our query the answer of OAuth would have two, and no parameter
  // of it may come twice (RFC 6749 section 3.1).
  const path = `/${ids.token(32)}`;
  const state = '';
  const port = await ownPort(target);
  const base = `http://${host}:${String(port)}${path}`;
  return {
    uri: base,
    nokUri: `${base}/nok`,
    listener: { port, path, state },
  };
}

/** A dry run opens no socket. Where another run will wait, it says so if somebody took the port meanwhile. */
async function ownPort(target: Target): Promise<number> {
  if (target.run.dryRun) return 0;
  const { listener } = target.ports;
  return awaitsReturn(target) ? listener.hold(0) : listener.freePort();
}

/** An address with a state of the transaction behind its query, unless it has one already. */
function withState(uri: string, state: string | undefined): string {
  if (state === undefined || parseUrl(uri)?.searchParams.has('state') !== false) return uri;
  const [before = '', ...fragment] = uri.split('#');
  return [`${before}${before.includes('?') ? '&' : '?'}state=${state}`, ...fragment].join('#');
}

/** Redirect addresses as they are sent, with the listener where they point at this machine. */
export function savedRedirect(uri: string, nokUri: string | undefined): SavedRedirect {
  const listener = ownListener(uri);
  return {
    uri,
    ...defined({ nokUri, listener }),
  };
}

/** A redirect URI that points at this machine can be listened to. */
function ownListener(uri: string): SavedRedirect['listener'] {
  const url = parseUrl(uri);
  if (url?.protocol !== 'http:' || (url.hostname !== host && url.hostname !== '[::1]') || url.port === '')
    return undefined;
  return { port: Number(url.port), path: url.pathname, state: url.searchParams.get('state') ?? '' };
}
