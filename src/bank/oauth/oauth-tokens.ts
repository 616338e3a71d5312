import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Token } from '../trust/call.ts';
import type { Caller } from '../trust/caller.ts';
import type { Database } from '../books/database.ts';
import { unauthorised } from '../rules/refusal.ts';

/** The record of an issued token, without the token itself. */
export interface IssuedToken extends Token {
  /** The authorization request to which all tokens go back that follow from each other. */
  requestId: string;
  /** x5t#S256 of the client certificate to which it is bound (RFC 8705). */
  thumbprint: string | null;
  /** The end of the refresh token that it was got with (ISO 8601). */
  refreshUntil?: string;
}

type Kind = 'access' | 'refresh';

const hash = (token: string) => createHash('sha256').update(token).digest('base64url');

/** How long the tokens of a grant hold. */
interface Issuing {
  now: Date;
  seconds: number;
  refreshSeconds: number;
  /** The refresh token ends when the one before it would have. */
  keepsEnd: boolean;
  /** Whether there is a new refresh token at all. */
  renews: boolean;
  /** The claim that holds the PSU-ID, where the access token is a JWT. */
  claim?: string | undefined;
}

/** Makes an access token that is good for so many seconds, and a refresh token beside it. */
export function issueTokens(
  database: Database,
  token: IssuedToken,
  { refreshSeconds, keepsEnd, renews, ...access }: Issuing,
): { access: string; refresh?: string } {
  const until = new Date(access.now.getTime() + refreshSeconds * 1000);
  const last = keepsEnd && token.refreshUntil !== undefined ? new Date(token.refreshUntil) : until;
  return {
    access: issueAccessToken(database, token, access),
    ...(renews && { refresh: issue(database, token, { kind: 'refresh', until: last, text: made() }) }),
  };
}

/** Makes an access token alone. */
export function issueAccessToken(
  database: Database,
  token: IssuedToken,
  { now, seconds, claim }: Pick<Issuing, 'now' | 'seconds' | 'claim'>,
): string {
  const until = new Date(now.getTime() + seconds * 1000);
  const text = claim === undefined || token.psuId === undefined ? made() : jwt({ [claim]: token.psuId });
  return issue(database, token, { kind: 'access', until, text });
}

const made = () => randomBytes(32).toString('base64url');

/** A token in the form of a JWT, which nobody but the bank could verify: it is known by its hash, as any other. */
function jwt(claims: object): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ ...claims, jti: randomUUID() })}.${made()}`;
}

function issue(
  database: Database,
  token: IssuedToken,
  { kind, until, text }: { kind: Kind; until: Date; text: string },
): string {
  database.run(
    `INSERT INTO tokens (hash, kind, tpp, resourceId, psuId, scope, requestId, thumbprint, expiresAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    hash(text),
    kind,
    token.tpp,
    token.resourceId ?? null,
    token.psuId ?? null,
    token.scope,
    token.requestId,
    token.thumbprint,
    until.toISOString(),
  );
  return text;
}

interface Found extends IssuedToken {
  expiresAt: string;
  used: bigint;
}

type TokenRow = Omit<Found, 'resourceId' | 'psuId'> & { resourceId: string | null; psuId: string | null };

function find(database: Database, kind: Kind, token: string): Found | undefined {
  const row = database.one<TokenRow>(
    `SELECT tpp, resourceId, psuId, scope, requestId, thumbprint, expiresAt, used FROM tokens
     WHERE kind = ? AND hash = ?`,
    kind,
    hash(token),
  );
  return row && { ...row, resourceId: row.resourceId ?? undefined, psuId: row.psuId ?? undefined };
}

/** Takes back all tokens of an authorization request whose code or refresh token came twice (RFC 6749 4.1.2, RFC 9700 4.14). */
export function revokeTokens(database: Database, requestId: string): void {
  database.run('DELETE FROM tokens WHERE requestId = ?', requestId);
}

/** Whether a token was issued for a resource. */
export function hasTokens(database: Database, resourceId: string): boolean {
  return database.one('SELECT 1 FROM tokens WHERE resourceId = ?', resourceId) !== undefined;
}

/**
 * Takes a refresh token; returns the grant for the next tokens, or undefined if it is not valid. Where it is good `once`, a
 * second use ends its family.
 */
export function useRefreshToken(
  database: Database,
  token: string,
  client: { tpp: string; thumbprint: string | null },
  { now, once }: { now: Date; once: boolean },
): IssuedToken | undefined {
  const row = find(database, 'refresh', token);
  if (row?.tpp !== client.tpp) return undefined;
  if (row.used === 1n && once) revokeTokens(database, row.requestId);
  // Certificates are renewed; that there was one is not given up.
  const bound = row.thumbprint === null || client.thumbprint !== null;
  if ((row.used === 1n && once) || !bound || row.expiresAt <= now.toISOString()) return undefined;
  database.run('UPDATE tokens SET used = 1 WHERE hash = ?', hash(token));
  const { tpp, resourceId, psuId, scope, requestId, expiresAt } = row;
  const { thumbprint } = client;
  return { tpp, resourceId, psuId, scope, requestId, thumbprint, refreshUntil: expiresAt };
}

/** Takes a token of this client back with all of its family (RFC 7009 2.1); of another's nothing is done. */
export function takeBack(database: Database, token: string, tpp: string): void {
  const row = find(database, 'refresh', token) ?? find(database, 'access', token);
  if (row?.tpp === tpp) revokeTokens(database, row.requestId);
}

/** Reads the header Authorization; throws TOKEN_UNKNOWN, TOKEN_INVALID or TOKEN_EXPIRED. */
export function readToken(
  database: Database,
  header: string,
  { tpp, qwac }: Pick<Caller, 'tpp' | 'qwac'>,
  now: Date,
): Token {
  const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header) ?? [];
  if (token === undefined) throw unauthorised('TOKEN_INVALID', 'Authorization is not a Bearer token.');
  const row = find(database, 'access', token);
  if (row === undefined) throw unauthorised('TOKEN_UNKNOWN', 'The bank has not issued this token.');
  if (row.tpp !== tpp) throw unauthorised('TOKEN_INVALID', 'The token is that of another TPP.');
  // RFC 8705 3: a bound token comes over a connection with its certificate, or not at all.
  if (row.thumbprint !== null && row.thumbprint !== qwac?.thumbprint)
    throw unauthorised('TOKEN_INVALID', 'The token is bound to another client certificate.');
  if (row.expiresAt <= now.toISOString()) throw unauthorised('TOKEN_EXPIRED', 'The token has expired.');
  const { resourceId, psuId, scope } = row;
  return { tpp: row.tpp, resourceId, psuId, scope };
}
