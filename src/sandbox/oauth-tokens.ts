import { createHash, randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { unauthorised } from './refusal.ts';

/** What an access token is for. */
export interface Token {
  tpp: string;
  /** The resource of its scope: a payment. */
  resourceId: string;
}

/** For how many seconds an access token is good. */
export const tokenSeconds = 3600;

const hash = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Makes an access token; the ledger keeps its hash alone. */
export function issueToken(database: Database, token: Token, requestId: string, now: Date): string {
  const made = randomBytes(32).toString('base64url');
  database.run(
    'INSERT INTO tokens (hash, tpp, resourceId, requestId, expiresAt) VALUES (?, ?, ?, ?, ?)',
    hash(made),
    token.tpp,
    token.resourceId,
    requestId,
    new Date(now.getTime() + tokenSeconds * 1000).toISOString(),
  );
  return made;
}

/** Takes back the tokens of an authorization request whose code came twice (RFC 6749 4.1.2). */
export function revokeTokens(database: Database, requestId: string): void {
  database.run('DELETE FROM tokens WHERE requestId = ?', requestId);
}

/** Whether a token was issued for a resource. */
export function hasTokens(database: Database, resourceId: string): boolean {
  return database.one('SELECT 1 FROM tokens WHERE resourceId = ?', resourceId) !== undefined;
}

/** Reads the header Authorization; throws TOKEN_UNKNOWN, TOKEN_INVALID or TOKEN_EXPIRED. */
export function readToken(database: Database, header: string, tpp: string, now: Date): Token {
  const [, token] = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header) ?? [];
  if (token === undefined) throw unauthorised('TOKEN_INVALID', 'Authorization is not a Bearer token.');
  const row = database.one<Token & { expiresAt: string }>(
    'SELECT tpp, resourceId, expiresAt FROM tokens WHERE hash = ?',
    hash(token),
  );
  if (row === undefined) throw unauthorised('TOKEN_UNKNOWN', 'The bank has not issued this token.');
  if (row.tpp !== tpp) throw unauthorised('TOKEN_INVALID', 'The token is that of another TPP.');
  if (row.expiresAt <= now.toISOString()) throw unauthorised('TOKEN_EXPIRED', 'The token has expired.');
  return { tpp: row.tpp, resourceId: row.resourceId };
}
