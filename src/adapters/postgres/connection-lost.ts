import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { faultsOfServer, namesOf } from '../http/http-tls-words.ts';

const otherName = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** The end of a connection in the middle of something; `maybeCommitted` where a COMMIT was under way. */
export class ConnectionLost extends ObkError {
  readonly maybeCommitted: boolean;

  constructor(where: string, cause: unknown, maybeCommitted = false) {
    super({
      code: 'STATE_UNREACHABLE',
      title: 'The connection to the database with the state was lost.',
      detail: `${where}: ${reasonOf(cause)}.`,
      hint: ['Run it again when the database can be reached.'],
      cause,
    });
    this.maybeCommitted = maybeCommitted;
  }
}

/** SQLSTATE of what a server said; empty for anything else. */
export function sqlState(error: unknown): string {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof severity === 'string' && typeof code === 'string' ? code : '';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no socket',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNRESET: 'the connection was reset',
  ETIMEDOUT: 'it did not answer in time',
  '53300': 'it has no room for another connection',
  '57P01': 'an administrator ended the connection',
  '57P03': 'it does not take connections now',
  '28P01': 'user or password is refused',
  '28000': 'the user is refused',
  '3D000': 'there is no such database',
};

/** What is wrong with the certificate of a server, and which of its names it has instead. */
interface OfCertificate {
  code?: string;
  cert?: { subjectaltname?: unknown };
}

/** Why, in words of our own where there are any; a message of pg never holds the password. */
export function reasonOf(error: unknown): string {
  const { code = '', message = '', cert } = error as OfCertificate & { message?: string };
  if (code === otherName) {
    const names = namesOf(cert);
    return `its certificate is for another name${names.length === 0 ? '' : `: ${names.join(', ')}`}`;
  }
  if (/does not support SSL/.test(message)) return 'it does not speak TLS';
  if (/establishing an SSL/.test(message)) return 'what listens there is no PostgreSQL';
  if (/^SASL: .* must be a (non-empty )?string/.test(message))
    return 'it wants a password, and the URL has none';
  if (message === 'timeout expired') return 'it did not answer in time';
  return (
    reasons[code] ??
    faultsOfServer[code] ??
    (message === '' ? code : message.split('\n', 1)[0]) ??
    'it failed'
  );
}

/** What helps where a connection could not be made. */
export function hintsFor(error: unknown, { host, port }: { host: string; port: number }): readonly string[] {
  const { code = '', cert } = error as OfCertificate;
  const look = line`openssl s_client -starttls postgres -connect ${`${host}:${String(port)}`}   # what it shows`;
  if (code === otherName) {
    const [name] = namesOf(cert);
    return [
      ...(name === undefined ? [] : [`Name the server in the URL as its certificate does: ${name}.`]),
      look,
    ];
  }
  if (faultsOfServer[code] !== undefined)
    return [look, 'sslrootcert=FILE in the URL names the CA of the server, where it is one of your own.'];
  if (/^(28|3D)/.test(sqlState(error)))
    return ['obk config set state.urlFrom env:OBK_STATE_URL   # with the right user, password and database'];
  return ['Run it again when the database can be reached.'];
}
