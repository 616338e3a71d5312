import type { Database } from '../books/database.ts';
import { countWrong, isShutOut, psuOf } from '../rules/psu.ts';
import type { LedgerPerson } from '../books/people.ts';
import type { FieldFault } from './html.ts';

/** The words for a PSU whose access is blocked or locked. */
const shutOut = 'Your access is blocked. Please call the bank.';

/** Returns the PSU with this PSU-ID, who may log in with a password that is not looked at yet, or the fault in the input. */
export function personNamed(
  database: Database,
  psuId: string,
  password: string,
): LedgerPerson | { fault: FieldFault } {
  const no = (field: string, text: string) => ({ fault: { field, text, psuId } });
  const person = psuOf(database, psuId);
  if (person === undefined) return no('psuId', 'The bank knows no such PSU-ID.');
  if (isShutOut(person)) return no('psuId', shutOut);
  return password === '' ? no('password', 'Enter the password.') : person;
}

/**
 * Returns the PSU who logs in, or the fault in the input. A wrong password is counted: it may lock the access, as one that is
 * entered in an authorisation does. `counted` are those that were.
 */
export function personLoggingIn(
  database: Database,
  psuId: string,
  password: string,
): LedgerPerson | { fault: FieldFault; counted: LedgerPerson | undefined } {
  const person = personNamed(database, psuId, password);
  if ('fault' in person) return { ...person, counted: undefined };
  if (person.password === password) return person;
  const no = (field: string, text: string, counted: LedgerPerson) => ({
    fault: { field, text, psuId },
    counted,
  });
  return countWrong(database, psuId)
    ? no('psuId', shutOut, { ...person, locked: true })
    : no('password', 'The password is wrong.', person);
}
