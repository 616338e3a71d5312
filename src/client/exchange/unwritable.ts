import { ObkError, isFailure } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Notices } from '../ports/person.ts';

const told = new WeakSet<Notices>();

/** Keeps what was read, where that is possible: what a bank has told is worth more than the record of it. */
export async function keepIfPossible(
  ports: Pick<Ports, 'notices'>,
  keep: () => Promise<unknown>,
): Promise<void> {
  try {
    await keep();
  } catch (error) {
    if (!isFailure(error) || !isUnkept(error)) throw error;
    tellUnwritable(ports, error);
  }
}

/** Whether an error says that the state cannot be written, or not even be read: its database or its engine is missing. */
function isUnkept({ code }: ObkError): boolean {
  return code === 'STATE_NOT_WRITTEN' || code === 'STATE_UNREACHABLE';
}

/** Reads what a read can do without while the state cannot be reached; `otherwise` stands for it then. */
export async function readIfReached<T>(
  ports: Pick<Ports, 'notices'>,
  read: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isFailure(error) || error.code !== 'STATE_UNREACHABLE') throw error;
    tellUnwritable(ports, error);
    return otherwise;
  }
}

/** What keeps a run from its state: the database is out of reach, or nothing usable says where it is or what opens it. */
const withoutState: readonly ErrorCode[] = ['STATE_UNREACHABLE', 'STATE_UNREADABLE', 'SECRET_REFERENCE'];

/** Does what comes before anything is sent; where the state cannot be used, the error says that nothing was. */
export async function beforeSending<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isFailure(error) && withoutState.includes(error.code) ? unsent(error) : error;
  }
}

function unsent({ code, title, detail, hint, cause, resource }: ObkError): ObkError {
  const said = 'Nothing was sent.';
  const whole = [title, detail].some((text) => /nothing was sent|was not sent/i.test(text ?? ''));
  return new ObkError({
    ...{ code, title, hint, cause, resource },
    detail: whole ? (detail ?? title) : [detail, said].filter((text) => text !== undefined).join(' '),
  });
}

/** Says that how a write ended is not recorded. */
export function tellUnrecorded({ notices }: Pick<Ports, 'notices'>, error: ObkError): void {
  notices.warn(`How the call ended could not be written to the journal: ${error.detail ?? error.title}`);
}

/** Says once in a run that nothing is kept of what it reads. */
export function tellUnwritable({ notices }: Pick<Ports, 'notices'>, error: ObkError): void {
  if (told.has(notices)) return;
  told.add(notices);
  const why = (error.detail ?? error.title).replace(/\.$/, '');
  notices.warn(
    error.code === 'STATE_UNREACHABLE'
      ? `Nothing of this run is kept (${why}): reads go on without what was kept before, and nothing else is sent.`
      : `Nothing of this run is kept (${why}): set OBK_CONFIG_DIR and OBK_STATE_DIR to other folders.`,
  );
}
