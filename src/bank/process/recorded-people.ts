import type { RecordedCall } from '../door.ts';
import { nameFromHeader } from '../../standard/xs2a/psu-names.ts';
import type { Database } from '../books/database.ts';
import { findPerson, insertPerson } from '../books/people.ts';
import type { Definition } from '../books/people.ts';

/** No recording of a case has more. */
const most = 1000;

/**
 * Adds the PSUs of a recording whom the ledger does not have, with made-up secrets: what a PSU enters says nothing to a
 * recording, and those who lead one (a journey, a person with `obk sandbox people`) have something to enter.
 */
export function addRecordedPeople(database: Database, calls: readonly RecordedCall[]): void {
  const named = calls.flatMap(({ headers }) =>
    headers.flatMap(([name, value]) => (name.toLowerCase() === 'psu-id' ? [nameFromHeader(value)] : [])),
  );
  const missing = [...new Set(named)]
    .filter((psuId) => psuId !== '' && findPerson(database, psuId) === undefined)
    .slice(0, most);
  if (missing.length === 0) return;
  database.atomically(() => {
    const { last } = database.one<{ last: bigint }>(
      'SELECT coalesce(max(position), -1) AS last FROM people',
    ) ?? { last: -1n };
    for (const [at, psuId] of missing.entries())
      insertPerson(database, recorded(psuId), Number(last) + 1 + at);
  });
}

/** A PSU of whom nothing but the name is known, and who has a secret for whatever the recording asks. */
const recorded = (psuId: string): Definition => ({
  psuId,
  name: psuId,
  description: 'A PSU of the recording; any secret is taken.',
  approaches: ['EMBEDDED'],
  start: 'explicit',
  methods: [],
  encrypted: true,
  additional: true,
  booking: 'at-once',
  accounts: [],
});
