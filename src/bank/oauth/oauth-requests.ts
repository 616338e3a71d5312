import { randomBytes } from 'node:crypto';
import { authorisationsOf } from '../sca/authorisation-store.ts';
import type { Authorisation } from '../sca/authorisation-store.ts';
import { isOpen } from '../sca/conversation.ts';
import { ledgerDoors } from '../books/ledger-doors.ts';
import { authorizeParameters } from '../dialect/oauth-words.ts';
import type { AuthOfBank } from '../../settings/records/bank-descriptor.ts';
import type { Database, SqlValue } from '../books/database.ts';
import { isClient, isRegistered, tppNamed, tppOfClient } from './oauth-clients.ts';
import type { ParentKind } from '../sca/authorised-things.ts';

/** An authorization request of OAuth (RFC 6749 4.1.1, with PKCE). */
export interface OauthRequest {
  requestId: string;
  /** The authorisation in the scope of the resource; undefined for a login before any call (pre-step). */
  authorisationId: string | undefined;
  resourceId: string | undefined;
  clientId: string;
  scope: string;
  redirectUri: string;
  state: string;
  /** S256. */
  challenge: string;
  /** The OAuth server as it was addressed, which the answer names (RFC 9207). */
  issuer: string;
  /** Until then a login can be made on its page. */
  pageUntil: string;
}

/** The request cannot be answered by a redirect: the page says so. */
export interface OnPage {
  page: string;
}
/** The browser is led back to the TPP. */
export interface ByRedirect {
  to: string;
}

const pageMs = 10 * 60_000;
const register =
  '`obk sandbox client add CLIENT_ID --redirect-uri URI` registers it, and so does a signed call with TPP-Redirect-URI.';

/** The parameters that come more than once, which none may (RFC 6749 3.1, 3.2). */
export function repeated(query: URLSearchParams): string[] {
  return [...new Set(query.keys())].filter((name) => query.getAll(name).length > 1);
}

/** Reads the address at which the authorization endpoint was called; keeps a good request. */
export function takeAuthorizationRequest(
  database: Database,
  url: URL,
  now: Date,
): { request: OauthRequest; authorisation: Authorisation | undefined } | OnPage | ByRedirect {
  const { auth = {} } = ledgerDoors(database);
  const told = authorizeParameters(auth, url.searchParams);
  if ('wrong' in told) return { page: told.wrong };
  const { query } = told;
  const issuer = url.origin + url.pathname.replace(/\/oauth\/authorize$/, '');
  const text = (name: string) => query.get(name) ?? '';
  const [clientId, scope, redirectUri, state] = [
    tppOfClient(database, text('client_id')),
    text('scope'),
    text('redirect_uri'),
    text('state'),
  ];
  const twice = repeated(query);
  if (twice.some((name) => name === 'client_id' || name === 'redirect_uri' || name === 'scope'))
    return { page: `A parameter comes more than once: ${twice.join(', ')}.` };
  if (
    auth.clientId === 'tokenReply' &&
    hasTokensOfTpps(auth) &&
    tppNamed(database, text('client_id')) === undefined
  )
    return { page: 'The client_id is the one in the reply of a token, which the TPP gets for itself first.' };
  if (clientId === '') return { page: 'The client_id is missing (RFC 6749, 4.1.1).' };
  if (!isClient(database, clientId))
    return { page: `The client_id is not registered at this bank. ${register}` };
  const authorisation = wantedAuthorisation(database, scope, clientId);
  const isLogin = !scope.includes(':');
  if (authorisation === undefined && !isLogin)
    return { page: 'No OAuth authorisation of this TPP waits for this scope.' };
  const sent = authorisation?.redirectUri;
  if (sent !== undefined && redirectUri !== sent)
    return { page: 'The redirect_uri is not that of the transaction.' };
  if (sent === undefined && !isRegistered(database, clientId, redirectUri))
    return { page: `The redirect_uri is not registered for this client. ${register}` };
  const refuse = (error: string) => ({
    to: withQuery(redirectUri, { error, ...(state !== '' && { state }), iss: issuer }),
  });
  if (text('response_type') !== 'code') return refuse('unsupported_response_type');
  if (isLogin && !isLoginScope(scope)) return refuse('invalid_scope');
  const challenge = text('code_challenge');
  const s256 = text('code_challenge_method') === 'S256' && /^[A-Za-z0-9_-]{43}$/.test(challenge);
  if (!s256 || state === '' || twice.length > 0) return refuse('invalid_request');
  const request: OauthRequest = {
    requestId: randomBytes(18).toString('base64url'),
    authorisationId: authorisation?.authorisationId,
    resourceId: authorisation?.parentId,
    clientId,
    scope,
    redirectUri,
    state,
    challenge,
    issuer,
    pageUntil: new Date(now.getTime() + pageMs).toISOString(),
  };
  database.run(
    `INSERT INTO oauthRequests (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    ...columns.map((column): SqlValue => request[column] ?? null),
  );
  return { request, authorisation };
}

/** Whether the bank has tokens for TPPs themselves. */
export function hasTokensOfTpps({ mode, operations = {} }: AuthOfBank): boolean {
  return mode === 'clientCredentials' || Object.values(operations).includes('clientCredentials');
}

/** The newest OAuth authorisation of the resource in the scope. */
function wantedAuthorisation(database: Database, scope: string, clientId: string): Authorisation | undefined {
  const [, service = '', id = ''] = /(?:^| )(PIS|AIS):([^ ]+)/i.exec(scope) ?? [];
  const kinds = scopeKinds[service.toUpperCase()] ?? [];
  return kinds
    .flatMap((kind) => authorisationsOf(database, kind, id))
    .findLast(
      ({ approach, tpp, scaStatus }) => approach === 'OAUTH' && tpp === clientId && isOpen(scaStatus),
    );
}

/** The kinds of resources that an OAuth scope names (guidelines 13.1). */
const scopeKinds: Readonly<Partial<Record<string, readonly ParentKind[]>>> = {
  PIS: ['payment', 'cancellation', 'basket'],
  AIS: ['consent'],
};

/** Scopes of a login before any call: services without a resource. Their names are this bank's own. */
export const loginScopes = ['PIS', 'AIS', 'PIIS', 'offline_access'] as const;

function isLoginScope(scope: string): boolean {
  const words = scope.split(' ');
  const known: readonly string[] = loginScopes;
  return words.every((word) => known.includes(word)) && words.some((word) => word !== 'offline_access');
}

const columns = [
  'requestId',
  'authorisationId',
  'resourceId',
  'clientId',
  'scope',
  'redirectUri',
  'state',
  'challenge',
  'issuer',
  'pageUntil',
] as const satisfies readonly (keyof OauthRequest)[];

/** A request with what became of it so far. */
export interface KeptRequest extends OauthRequest {
  /** The PSU who has logged in (pre-step). */
  psuId: string | undefined;
  /** Wrong passwords at a login. */
  attempts: number;
  /** How a login has ended. */
  decision: 'approve' | 'refuse' | undefined;
  code: string | undefined;
  codeUntil: string | undefined;
  used: boolean;
}

const kept = [...columns, 'psuId', 'attempts', 'decision', 'code', 'codeUntil', 'used'] as const;

type RequestRow = Record<(typeof kept)[number], unknown>;

function find(database: Database, rest: string, ...values: SqlValue[]): KeptRequest | undefined {
  const row = database.one<RequestRow>(
    `SELECT ${kept.join(', ')} FROM oauthRequests WHERE ${rest}`,
    ...values,
  );
  if (row === undefined) return undefined;
  const present = Object.fromEntries(kept.map((column) => [column, row[column] ?? undefined]));
  return { ...(present as unknown as KeptRequest), attempts: Number(row.attempts), used: row.used === 1n };
}

/** The request that leads to this authorisation. */
export function findRequest(
  database: Database,
  requestId: string,
  authorisationId: string,
): KeptRequest | undefined {
  return find(database, 'requestId = ? AND authorisationId = ?', requestId, authorisationId);
}

/** A request for a login before any call. */
export function findLogin(database: Database, requestId: string): KeptRequest | undefined {
  return find(database, 'requestId = ? AND authorisationId IS NULL', requestId);
}

/** Counts a wrong password at a login. */
export function countWrongPassword(database: Database, { requestId }: OauthRequest): void {
  database.run('UPDATE oauthRequests SET attempts = attempts + 1 WHERE requestId = ?', requestId);
}

/** How a login ends: with a decision of its PSU, or of nobody who was wrong too often. */
export interface EndOfLogin {
  decision: 'approve' | 'refuse';
  psuId: string | undefined;
  now: Date;
}

/** Ends a login: the PSU has decided, or was wrong too often. */
export function endLogin(
  database: Database,
  request: OauthRequest,
  { decision, psuId, now }: EndOfLogin,
): void {
  database.run(
    'UPDATE oauthRequests SET decision = ?, psuId = ? WHERE requestId = ?',
    decision,
    psuId ?? null,
    request.requestId,
  );
  if (decision === 'approve') issueCode(database, request, now);
}

const codeMs = 5 * 60_000;

/**
 * Issues the code of an approved request: only the request through which the PSU approved gets one, not others of the
 * same authorisation.
 */
export function issueCode(database: Database, { requestId }: OauthRequest, now: Date): void {
  database.run(
    'UPDATE oauthRequests SET code = ?, codeUntil = ? WHERE requestId = ?',
    randomBytes(24).toString('base64url'),
    new Date(now.getTime() + codeMs).toISOString(),
    requestId,
  );
}

/** The answer to a request, as the address to which the browser is led: with its code where it was approved. */
export function answerUrl(
  database: Database,
  { requestId, redirectUri, state, issuer }: OauthRequest,
): string {
  const code = find(database, 'requestId = ?', requestId)?.code;
  const answer: Record<string, string> = code === undefined ? { error: 'access_denied' } : { code };
  return withQuery(redirectUri, { ...answer, state, iss: issuer });
}

/** A request by its code. */
export function requestOfCode(database: Database, code: string): KeptRequest | undefined {
  return find(database, 'code = ?', code);
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
