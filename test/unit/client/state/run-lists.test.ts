import { describe, expect, it } from 'vitest';
import { endedOf, endedText, summary } from '../../../../src/client/state/run-lists.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import { answered, now, prepared, runRecord, sending } from '../../../helpers/journal-records.ts';

const ended: JournalRecord = { type: 'ended', at: now(), exit: 0 };

const runOf = (calls: readonly JournalRecord[]) => summary([runRecord(), ...calls, ended]);

describe('the summary of a run', () => {
  it('has equal calls once, however many there were', () => {
    const calls = Array.from({ length: 500 }, (_, at) => {
      const exchange = `e${String(at)}`;
      return [prepared(exchange), sending(exchange), answered(exchange, at === 7 ? 'REJECTED' : 'DONE')];
    });
    const known = runOf(calls.flat());
    expect(known?.calls.map(({ outcome }) => outcome).sort()).toEqual(['DONE', 'REJECTED']);
    expect(endedOf(endedText(known))).toEqual(known);
  });

  it('is left out where an index of PostgreSQL would refuse it', () => {
    const calls = Array.from({ length: 40 }, (_, at) =>
      prepared(`e${String(at)}`, { operation: `anOperationOfThisName${String(at)}` }),
    );
    const known = runOf(calls);
    expect(known?.calls).toHaveLength(40);
    expect(endedText(known)).toBeNull();
    expect(endedOf(endedText(known))).toBeUndefined();
  });
});
