import { ObkError } from '../../errors.ts';

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

/** Why, in words of our own where there are any; a message of pg never holds the password. */
export function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return reasons[code] ?? (message === '' ? code : message.split('\n', 1)[0]) ?? 'it failed';
}
