import { randomBytes } from 'node:crypto';
import { authorisationsOf } from './authorisation-store.ts';
import type { Authorisation } from './authorisation-store.ts';
import { isOpen } from './conversation.ts';
import type { Database } from './database.ts';
import type { ParentKind } from './parents.ts';

/** An authorization request of OAuth (RFC 6749 4.1.1, with PKCE) for one authorisation. */
export interface OauthRequest {
  requestId: string;
  authorisationId: string;
  clientId: string;
  /** The resource of the scope. */
  resourceId: string;
  redirectUri: string;
  state: string;
  /** S256. */
  challenge: string;
  /** The OAuth server as it was addressed, which the answer names (RFC 9207). */
  issuer: string;
}

/** The request cannot be answered by a redirect: the page says so. */
export interface OnPage {
  page: string;
}
/** The browser is led back to the TPP. */
export interface ByRedirect {
  to: string;
}

/** Reads the address at which the authorization endpoint was called; keeps a good request. */
export function takeAuthorizationRequest(
  database: Database,
  url: URL,
): { request: OauthRequest; authorisation: Authorisation } | OnPage | ByRedirect {
  const { searchParams: query, origin: issuer } = url;
  const authorisation = wantedAuthorisation(database, query);
  if (authorisation === undefined)
    return { page: 'No OAuth authorisation of this TPP waits for this scope.' };
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isAllowed(redirectUri, authorisation.redirectUri))
    return { page: 'The redirect_uri is not that of the transaction.' };
  const state = query.get('state') ?? '';
  const refuse = (error: string) => ({
    to: withQuery(redirectUri, { error, ...(state !== '' && { state }), iss: issuer }),
  });
  if (query.get('response_type') !== 'code') return refuse('unsupported_response_type');
  const challenge = query.get('code_challenge') ?? '';
  const s256 = query.get('code_challenge_method') === 'S256' && /^[A-Za-z0-9_-]{43}$/.test(challenge);
  if (!s256 || state === '') return refuse('invalid_request');
  const request: OauthRequest = {
    requestId: randomBytes(18).toString('base64url'),
    authorisationId: authorisation.authorisationId,
    clientId: authorisation.tpp,
    resourceId: authorisation.parentId,
    redirectUri,
    state,
    challenge,
    issuer,
  };
  database.run(
    `INSERT INTO oauthRequests (requestId, authorisationId, clientId, resourceId, redirectUri, state, challenge, issuer)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    request.requestId,
    request.authorisationId,
    request.clientId,
    request.resourceId,
    redirectUri,
    state,
    challenge,
    issuer,
  );
  return { request, authorisation };
}

/** The newest OAuth authorisation of the resource in the scope. */
function wantedAuthorisation(database: Database, query: URLSearchParams): Authorisation | undefined {
  const [, service = '', id = ''] = /(?:^| )(PIS|AIS):([^ ]+)/i.exec(query.get('scope') ?? '') ?? [];
  const kinds = scopeKinds[service.toUpperCase()] ?? [];
  return kinds
    .flatMap((kind) => authorisationsOf(database, kind, id))
    .findLast(
      ({ approach, tpp, scaStatus }) =>
        approach === 'OAUTH' && tpp === query.get('client_id') && isOpen(scaStatus),
    );
}

/** What the scopes of OAuth are for (guidelines 13.1). */
const scopeKinds: Readonly<Partial<Record<string, readonly ParentKind[]>>> = {
  PIS: ['payment', 'cancellation', 'basket'],
  AIS: ['consent'],
};

/** The address that was sent with the payment; without one, any web page. */
function isAllowed(uri: string, sent: string | undefined): boolean {
  return sent === undefined ? /^https?:\/\//.test(uri) && URL.canParse(uri) : uri === sent;
}

const columns = 'requestId, authorisationId, clientId, resourceId, redirectUri, state, challenge, issuer';

/** The request that leads to this authorisation. */
export function findRequest(
  database: Database,
  requestId: string,
  authorisationId: string,
): OauthRequest | undefined {
  return database.one<OauthRequest>(
    `SELECT ${columns} FROM oauthRequests WHERE requestId = ? AND authorisationId = ?`,
    requestId,
    authorisationId,
  );
}

const codeMs = 5 * 60_000;

/** Gives an approved request its code: the one through which the PSU approved, and no other of the same authorisation. */
export function issueCode(database: Database, { requestId }: OauthRequest, now: Date): void {
  database.run(
    'UPDATE oauthRequests SET code = ?, codeUntil = ? WHERE requestId = ?',
    randomBytes(24).toString('base64url'),
    new Date(now.getTime() + codeMs).toISOString(),
    requestId,
  );
}

/** The code of an approved request. */
export function codeOf(database: Database, { requestId }: OauthRequest): string | undefined {
  const row = database.one<{ code: string | null }>(
    'SELECT code FROM oauthRequests WHERE requestId = ?',
    requestId,
  );
  return row?.code ?? undefined;
}

/** A request by its code, with what became of the code. */
export function requestOfCode(
  database: Database,
  code: string,
): (OauthRequest & { codeUntil: string; used: bigint }) | undefined {
  return database.one(`SELECT ${columns}, codeUntil, used FROM oauthRequests WHERE code = ?`, code);
}

/** A code is good once. */
export function useCode(database: Database, requestId: string): void {
  database.run('UPDATE oauthRequests SET used = 1 WHERE requestId = ?', requestId);
}

/** A URI with more in its query, unchanged otherwise. */
export function withQuery(uri: string, more: Readonly<Record<string, string>>): string {
  const [before = '', ...fragment] = uri.split('#');
  const pairs = Object.entries(more).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (pairs.length === 0) return uri;
  const joint = before.includes('?') ? '&' : '?';
  return [`${before}${joint}${pairs.join('&')}`, ...fragment].join('#');
}
