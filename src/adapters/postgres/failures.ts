import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { faultsOfServer, namesOf } from '../http/http-tls-words.ts';
import type { ServerAddress } from './server-address.ts';

/** What the server said of a statement; the connection goes on. `state` is its SQLSTATE. */
export class StatementRefused extends ObkError {
  readonly state: string;

  constructor(state: string, cause: Error) {
    const isReplica = state === '25006';
    super(
      ['55P03', '57014'].includes(state)
        ? {
            code: 'LOCK_BUSY',
            title: 'Another process holds what is needed here.',
            detail: 'The database has waited for it in vain.',
            hint: ['Run it again when the other has ended.'],
            cause,
          }
        : {
            code: isReplica ? 'STATE_UNREACHABLE' : 'STATE_NOT_WRITTEN',
            title: isReplica ? replicaTitle : 'The database has refused a statement.',
            detail: `${cause.message} (SQLSTATE ${state}).`,
            cause,
          },
    );
    this.state = state;
  }
}

/** A database that cannot be reached, or whose connection was lost: `during` its opening, a COMMIT, which may have been heard, or else. */
export class ConnectionLost extends ObkError {
  readonly maybeCommitted: boolean;

  constructor(address: ServerAddress, cause: unknown, during: 'opening' | 'COMMIT' | undefined) {
    const { why, hint } = explained(cause as Cause, address);
    super({
      code: 'STATE_UNREACHABLE',
      title:
        during === 'opening'
          ? 'The database with the state cannot be reached.'
          : 'The connection to the database with the state was lost.',
      detail: `${address.shown}: ${why}.`,
      ...{ hint, cause },
    });
    this.maybeCommitted = during === 'COMMIT';
  }
}

export const replicaTitle = 'This server of the database only reads.';

/** The refusal of a statement; undefined where the connection is at its end: classes 08 and 57P0, and FATAL. */
export function refusalIn(error: unknown): StatementRefused | undefined {
  const { severity, code = '' } = error as { severity?: string; code?: string };
  if (severity !== 'ERROR' || /^(08|57P0|$)/.test(code)) return undefined;
  return new StatementRefused(code, error as Error);
}

/** Whether the server has no room (53300), or is starting, stopping or recovering (57P01-57P03): it may be asked again. */
export const isBusy = (error: unknown): boolean =>
  /^(53300|57P0[123])$/.test((error as { code?: string }).code ?? '');

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

/** What pg itself says, in words of our own; a message of it never holds the password. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'it does not speak TLS'],
  [/establishing an SSL/, 'what listens there is no PostgreSQL'],
  [/^SASL: .* must be a (non-empty )?string/, 'it wants a password, and the URL has none'],
  [/^timeout expired$/, 'it did not answer in time'],
];

/** Why a connection could not be made, or was lost, and what helps. */
function explained(cause: Cause, { host, port }: ServerAddress): { why: string; hint: readonly string[] } {
  const { code = '', message = '', cert } = cause;
  const look = line`openssl s_client -starttls postgres -connect ${`${host}:${String(port)}`}   # what it shows`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = namesOf(cert);
    const [name] = names;
    return name === undefined
      ? { why: 'its certificate is for another name', hint: [look] }
      : {
          why: `its certificate is for another name: ${names.join(', ')}`,
          hint: [`Name the server in the URL as its certificate does: ${name}.`, look],
        };
  }
  const fault = faultsOfServer[code];
  if (fault !== undefined)
    return {
      why: fault,
      hint: [look, 'sslrootcert=FILE in the URL names the CA of the server, where it is one of your own.'],
    };
  const [, known] = messages.find(([pattern]) => pattern.test(message)) ?? [];
  return {
    why: known ?? reasons[code] ?? (message.split('\n', 1)[0] || code || 'it failed'),
    hint: [
      /^(28|3D)/.test(code)
        ? 'obk config set state.urlFrom env:OBK_STATE_URL   # with the right user, password and database'
        : 'Run it again when the database can be reached.',
    ],
  };
}

/** What is wrong with a connection, or with the certificate of its server. */
type Cause = Partial<Error> & { code?: string; cert?: { subjectaltname?: unknown } };
