import type { Database } from '../books/database.ts';
import { psuOf } from '../rules/psu.ts';
import type { LedgerPerson } from '../books/people.ts';
import type { FieldFault } from './html.ts';

/** Returns the PSU who logs in, or the fault in the input. */
export function personLoggingIn(
  database: Database,
  psuId: string,
  password: string,
): LedgerPerson | { fault: FieldFault } {
  const no = (field: string, text: string) => ({ fault: { field, text, psuId } });
  const person = psuOf(database, psuId);
  if (person === undefined) return no('psuId', 'The bank knows no such PSU-ID.');
  if (person.password !== password) return no('password', 'The password is wrong.');
  return person;
}
