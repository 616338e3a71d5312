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
  /** For people: without user and password. */
  shown: string;
}

const parameters = new Set(['host', 'port', 'sslmode', 'sslrootcert']);
const usualPort = 5432;
const wanted =
  'postgres://USER:PASSWORD@HOST:5432/DATABASE?sslrootcert=FILE or postgres://USER@/DATABASE?host=FOLDER';

/**
 * Reads the URL of a database. TLS with a checked certificate is not a choice but for a socket or a loopback address: a URL
 * that asks for less is refused. Throws PROFILE_INVALID or CONNECTION_INSECURE; neither quotes the URL.
 */
export function serverAddress(secret: Secret): ServerAddress {
  const url = parse(secret.reveal());
  const query = new Map(url.searchParams);
  const foreign = [...query.keys()].find((name) => !parameters.has(name));
  if (foreign !== undefined) throw invalid(`its parameter ${JSON.stringify(foreign)} is none that obk knows`);
  const host = query.get('host') ?? decode(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const user = decode(url.username);
  const database = decode(url.pathname.slice(1));
  if (host === '') throw invalid('it names no host');
  if (user === '') throw invalid('it names no user');
  if (database === '' || database.includes('/')) throw invalid('it names no database');
  const port = portOf(query.get('port') ?? url.port);
  const isSocket = host.startsWith('/');
  // The number of a socket is part of its name, and seldom another than the usual one.
  const place =
    isSocket && port === usualPort ? host : `${isIP(host) === 6 ? `[${host}]` : host}:${String(port)}`;
  return {
    ...{ host, port, user, database, password: decode(url.password) },
    tls: tlsOf(isSocket || isLoopback(host), query.get('sslmode'), query.get('sslrootcert')),
    shown: `${place}/${database}`,
  };
}

function tlsOf(near: boolean, mode: string | undefined, file: string | undefined): ServerAddress['tls'] {
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
  return { ca: file === undefined ? undefined : readCa(file) };
}

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(`its sslrootcert cannot be read: ${reasonFor(file, error)}`);
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function parse(text: string): URL {
  if (/^postgres(ql)?:\/\//.test(text)) {
    // A URL has no user before an empty host, and the folder of a socket leaves it empty.
    const whole = text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[:/?]|$)/, '$1socket');
    try {
      const url = new URL(whole);
      if (whole === text || url.searchParams.has('host')) return url;
    } catch {
      // Told below: the error of URL quotes the text.
    }
  }
  throw invalid('it is no such URL');
}

function portOf(text: string): number {
  if (text === '') return usualPort;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw invalid('its port is none');
  return port;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('one of its parts is not percent-encoded UTF-8');
  }
}

function invalid(why: string): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title: 'The URL of the database is not usable.',
    detail: `Of the URL that state.urlFrom leads to: ${why}.`,
    hint: [`It reads ${wanted}.`],
  });
}
