import { isLoopback } from '../../base/url.ts';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { ObkError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { reasonFor } from '../files/file-errors.ts';

/** Where a PostgreSQL server is, and as whom it is called. */
export interface ServerAddress {
  /** A host, or the folder of a unix socket. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** False on a socket or a loopback address; elsewhere the certificate and its name are checked, always. */
  tls: false | { ca: string | undefined };
  /** The longest time of one try to connect, where the URL says it. */
  connectMs?: number;
  /** For people: without user and password. */
  shown: string;
}

const parameters = new Set(['host', 'port', 'sslmode', 'sslrootcert', 'connect_timeout']);
const usualPort = 5432;
const wanted =
  'postgres://USER:PASSWORD@HOST:5432/DATABASE?sslrootcert=FILE or postgres://USER@/DATABASE?host=FOLDER';

/**
 * Reads the URL of a database. TLS with a checked certificate is not a choice but for a socket or a loopback address: a URL
 * that asks for less is refused. Throws PROFILE_INVALID or CONNECTION_INSECURE; neither quotes the URL.
 */
export function serverAddress(secret: Secret): ServerAddress {
  try {
    return addressIn(urlIn(secret.reveal()));
  } catch (error) {
    // An error of URL quotes the text.
    throw error instanceof ObkError ? error : invalid('it is no such URL, or not percent-encoded UTF-8');
  }
}

function urlIn(text: string): URL {
  if (!/^postgres(ql)?:\/\//.test(text)) throw invalid('it is no such URL');
  // A URL has no user before an empty host, and the folder of a socket leaves it empty.
  const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[:/?]|$)/, '$1socket');
  const url = new URL(whole);
  if (whole !== text && !url.searchParams.has('host')) throw invalid('it names no host');
  return url;
}

function addressIn(url: URL): ServerAddress {
  const query = new Map(url.searchParams);
  const foreign = [...query.keys()].find((name) => !parameters.has(name));
  if (foreign !== undefined) throw invalid(`its parameter ${JSON.stringify(foreign)} is none that obk knows`);
  const host = query.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (host === '') throw invalid('it names no host');
  if (user === '') throw invalid('it names no user');
  if (database === '' || database.includes('/')) throw invalid('it names no database');
  const port = numberIn('port', query.get('port') ?? url.port, [1, 65_535]) ?? usualPort;
  const seconds = numberIn('connect_timeout', query.get('connect_timeout') ?? '', [0, 86_400]);
  const isSocket = host.startsWith('/');
  // The number of a socket is part of its name, and seldom another than the usual one.
  const place =
    isSocket && port === usualPort ? host : `${isIP(host) === 6 ? `[${host}]` : host}:${String(port)}`;
  return {
    ...{ host, port, user, database, password: decodeURIComponent(url.password) },
    tls: tlsOf(isSocket || isLoopback(host), query),
    shown: `${place}/${database}`,
    // As for libpq, 0 is no limit of its own.
    ...(seconds !== undefined && seconds > 0 && { connectMs: seconds * 1000 }),
  };
}

function tlsOf(near: boolean, query: ReadonlyMap<string, string>): ServerAddress['tls'] {
  const [mode, file] = [query.get('sslmode'), query.get('sslrootcert')];
  if (mode !== undefined && mode !== 'disable' && mode !== 'verify-full')
    throw invalid(`sslmode is ${JSON.stringify(mode)}; obk knows verify-full and, on this machine, disable`);
  if (!near && mode === 'disable')
    throw new ObkError({
      code: 'CONNECTION_INSECURE',
      title: 'The database would be called without TLS.',
      detail: 'sslmode=disable is for a socket or a loopback address: what obk keeps there moves money.',
      hint: ['Take sslmode=disable out of the URL; sslrootcert=FILE names a CA of your own.'],
    });
  if (near && mode !== 'verify-full') return false;
  if (file === undefined) return { ca: undefined };
  try {
    return { ca: readFileSync(file, 'utf8') };
  } catch (error) {
    throw invalid(`its sslrootcert cannot be read: ${reasonFor(file, error)}`);
  }
}

function numberIn(name: string, text: string, [least, most]: [number, number]): number | undefined {
  if (text === '') return undefined;
  const found = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (found < least || found > most)
    throw invalid(`its ${name} is no number from ${String(least)} to ${String(most)}`);
  return found;
}

function invalid(why: string): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title: 'The URL of the database is not usable.',
    detail: `Of the URL that state.urlFrom leads to: ${why}.`,
    hint: [`It reads ${wanted}.`],
  });
}
