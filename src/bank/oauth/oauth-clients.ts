import { ObkError } from '../../base/errors.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import type { Database } from '../books/database.ts';
import { ledgerDoors } from '../books/ledger-doors.ts';
import { mayBeAnyone, scenarioOf } from '../rules/scenario.ts';
import { clientIdOf } from '../dialect/oauth-words.ts';
import { ownTpp } from '../trust/own-tpp.ts';

/** A client of the bank's OAuth server; it may be answered at these addresses, and at any of this machine. */
export interface BankClient {
  clientId: string;
  redirectUris: readonly string[];
}

/**
 * Whether a client is known: the TPP of the profile `sandbox`, each TPP whose certificate the interface has verified,
 * and each registered client. A row without an address stands for the client itself.
 */
export function isClient(database: Database, clientId: string): boolean {
  return clientId === ownTpp || has(database, clientId);
}

/** The TPP that a client_id stands for: a client that nobody knows is the TPP of every call that shows none. */
export function tppOfClient(database: Database, clientId: string): string {
  // Whoever the client is, it says so (RFC 6749 4.1.1, 4.1.3).
  if (clientId === '' || isClient(database, clientId)) return clientId;
  const named = tppNamed(database, clientId);
  if (named !== undefined) return named;
  return mayBeAnyone(scenarioOf(database)) ? ownTpp : clientId;
}

/** The TPP to which the bank has given this name with a token (auth.clientId); undefined where it has given it to none. */
export function tppNamed(database: Database, name: string): string | undefined {
  if (ledgerDoors(database).auth?.clientId !== 'tokenReply') return undefined;
  const rows = database.all<{ clientId: string }>('SELECT DISTINCT clientId FROM oauthClients');
  return [ownTpp, ...rows.map(({ clientId }) => clientId)].find((tpp) => clientIdOf(tpp) === name);
}

/**
 * Whether a client may be answered at this address: one of this machine, whose port a program gets anew each time (RFC 8252
 * 7.3), or to the letter one that was registered for it.
 */
export function isRegistered(database: Database, clientId: string, redirectUri: string): boolean {
  if (!isClient(database, clientId)) return false;
  return isOfThisMachine(redirectUri) || (redirectUri !== '' && has(database, clientId, redirectUri));
}

function has(database: Database, clientId: string, redirectUri?: string): boolean {
  const [and, values] = redirectUri === undefined ? ['', []] : [' AND redirectUri = ?', [redirectUri]];
  const found = `SELECT 1 AS found FROM oauthClients WHERE clientId = ?${and} LIMIT 1`;
  return database.one(found, clientId, ...values) !== undefined;
}

function isOfThisMachine(uri: string): boolean {
  const url = isWebAddress(uri) ? parseUrl(uri) : undefined;
  return url?.protocol === 'http:' && isLoopback(url.hostname);
}

/** Notes a TPP whose certificate was verified, with the TPP-Redirect-URI of its request. Writes only what is new. */
export function noteClient(database: Database, clientId: string, redirectUri: string | null): void {
  const isAddress = redirectUri !== null && isWebAddress(redirectUri) && !isOfThisMachine(redirectUri);
  const known = isAddress ? has(database, clientId, redirectUri) : isClient(database, clientId);
  if (!known) insert(database, clientId, isAddress ? redirectUri : '');
}

/** Registers a client by hand, and more addresses of one that is there. Throws USAGE. */
export function addClient(database: Database, { clientId, redirectUris }: BankClient): BankClient {
  // RFC 6749 appendix A.1: visible characters.
  if (!/^[\x21-\x7e]{1,256}$/.test(clientId))
    throw new ObkError({ code: 'USAGE', title: 'A client id is 1 to 256 visible ASCII characters.' });
  const wrong = redirectUris.find((uri) => !isWebAddress(uri));
  if (wrong !== undefined)
    throw new ObkError({
      code: 'USAGE',
      title: `${wrong} cannot be registered.`,
      detail: 'A redirect address begins with http:// or https:// and has no fragment (RFC 6749 3.1.2).',
    });
  database.atomically(() => {
    for (const uri of ['', ...redirectUris]) insert(database, clientId, uri);
  });
  return { clientId, redirectUris: addressesOf(database, clientId) };
}

function isWebAddress(uri: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(uri) && !uri.includes('#') && parseUrl(uri) !== undefined;
}

function insert(database: Database, clientId: string, redirectUri: string): void {
  database.run(
    'INSERT OR IGNORE INTO oauthClients (clientId, redirectUri) VALUES (?, ?)',
    clientId,
    redirectUri,
  );
}

function addressesOf(database: Database, clientId: string): string[] {
  const sql =
    "SELECT redirectUri FROM oauthClients WHERE clientId = ? AND redirectUri <> '' ORDER BY redirectUri";
  return database.all<{ redirectUri: string }>(sql, clientId).map(({ redirectUri }) => redirectUri);
}

/** All clients, that of the profile `sandbox` first. */
export function allClients(database: Database): BankClient[] {
  const rows = database.all<{ clientId: string }>(
    'SELECT DISTINCT clientId FROM oauthClients ORDER BY clientId',
  );
  const ids = [ownTpp, ...rows.map(({ clientId }) => clientId).filter((clientId) => clientId !== ownTpp)];
  return ids.map((clientId) => ({ clientId, redirectUris: addressesOf(database, clientId) }));
}
