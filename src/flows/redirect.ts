import type { SavedRedirect } from '../ports.ts';
import { parseUrl } from '../url.ts';
import { checkReturn } from './browser-return.ts';
import type { Target } from './target.ts';

/** Where browsers find a listener of ours: a literal address, never a name that may resolve elsewhere. */
const host = '127.0.0.1';

/**
 * The redirect addresses of a new transaction: those of the profile, which banks often have registered; for a sandbox
 * profile without any, a listener address of our own with a random path.
 */
export async function newRedirect(
  target: Target,
  { stated = true } = {},
): Promise<SavedRedirect | undefined> {
  const { redirectUri, nokRedirectUri, redirect } = target.profile;
  if (redirectUri !== undefined) {
    const state = stated && redirect?.state === 'query' ? target.ports.ids.token(24) : undefined;
    const registered = savedRedirect(
      withState(redirectUri, state),
      nokRedirectUri === undefined ? undefined : withState(nokRedirectUri, state),
    );
    await checkReturn(target, registered);
    return registered;
  }
  if (target.environment !== 'sandbox') return undefined;
  const { ids } = target.ports;
  // The path is the secret: a query of ours would stand beside what the bank adds, and a second state confuses servers.
  const path = `/${ids.token(32)}`;
  const state = '';
  // A dry run opens no socket, so nobody knows yet which port is free. What listens later says so where somebody took it.
  const port = target.run.dryRun ? 0 : await target.ports.listener.freePort();
  const base = `http://${host}:${String(port)}${path}`;
  return {
    uri: base,
    nokUri: `${base}/nok`,
    listener: { port, path, state },
  };
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
    ...(nokUri === undefined ? {} : { nokUri }),
    ...(listener === undefined ? {} : { listener }),
  };
}

/** A redirect URI that points at this machine can be listened to. */
function ownListener(uri: string): SavedRedirect['listener'] {
  const url = parseUrl(uri);
  if (url?.protocol !== 'http:' || (url.hostname !== host && url.hostname !== '[::1]') || url.port === '')
    return undefined;
  return { port: Number(url.port), path: url.pathname, state: url.searchParams.get('state') ?? '' };
}
