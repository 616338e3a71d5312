import { expect, it } from 'vitest';
import { tailOf } from '../../../../src/client/evidence/log-tail.ts';
import type { LogFilter } from '../../../../src/client/evidence/log-filter.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import { fakeClock, journalState, memoryJournal } from '../../../helpers/fakes/index.ts';

let second = 0;
const now = () => new Date(Date.UTC(2026, 10, 21, 9, 0, ++second)).toISOString();

/** A world of runs, and one that looks at them. */
function world() {
  const state = journalState();
  const looking = memoryJournal({ state, run: 'looking' });
  const open = (run: string, profile = 'acme') => {
    const journal = memoryJournal({ state, run });
    const append = (...records: JournalRecord[]) =>
      records.reduce((before, record) => before.then(() => journal.append(record)), Promise.resolve());
    const head: JournalRecord = {
      type: 'run',
      at: now(),
      version: '1',
      command: 'accounts list',
      profile,
      environment: 'test',
      pid: 1,
    };
    return {
      begin: () => append(head),
      call: (exchange: string, status = 200) =>
        append(prepared(exchange), { type: 'sending', at: now(), exchange }, answered(exchange, status)),
      leave: (exchange: string) => append(prepared(exchange), { type: 'sending', at: now(), exchange }),
      answer: (exchange: string, status = 200) => append(answered(exchange, status)),
      end: () => append({ type: 'ended', at: now(), exit: 0 }),
    };
  };
  const tail = (filter: LogFilter = {}) => {
    const reads: string[] = [];
    const spied = { ...looking, read: (run: string) => (reads.push(run), looking.read(run)) };
    const follow = { signal: new AbortController().signal, say: () => undefined };
    return { ...tailOf(spied, fakeClock(), filter, follow), reads };
  };
  return { open, tail };
}

const prepared = (exchange: string): JournalRecord => ({
  type: 'prepared',
  at: now(),
  exchange,
  operation: 'getAccountList',
  method: 'GET',
  url: 'https://bank.example/v1/accounts',
  headers: [],
  body: '',
  bodySha256: '',
  requestId: `request-${exchange}`,
  write: false,
});
const answered = (exchange: string, status: number): JournalRecord => ({
  type: 'answered',
  at: now(),
  exchange,
  outcome: status < 400 ? 'DONE' : 'REJECTED',
  status,
  headers: [],
  body: '',
  durationMs: 7,
  ...(status >= 400 && { messages: [{ category: 'ERROR', code: 'CONSENT_INVALID' }] }),
});

const ids = (calls: readonly { requestId: string }[]) => calls.map(({ requestId }) => requestId);

it('log tail shows the last calls, oldest first, each with its run', async () => {
  const { open, tail } = world();
  for (const run of ['a', 'b', 'c']) {
    const made = open(run);
    await made.begin();
    await made.call(`${run}1`);
    await made.call(`${run}2`, 401);
    await made.end();
  }
  expect(ids(await tail().last(3))).toEqual(['request-b2', 'request-c1', 'request-c2']);
  expect((await tail().last(1))[0]).toEqual({
    at: expect.any(String) as string,
    run: 'c',
    command: 'accounts list',
    profile: 'acme',
    operation: 'getAccountList',
    method: 'GET',
    url: 'https://bank.example/v1/accounts',
    requestId: 'request-c2',
    status: 401,
    outcome: 'REJECTED',
    codes: ['CONSENT_INVALID'],
    durationMs: 7,
  });
});

it('log tail goes on with a call of an older run when it is over, and with new runs', async () => {
  const { open, tail } = world();
  const older = open('older');
  await older.begin();
  await older.leave('o1');
  const done = open('done');
  await done.begin();
  await done.call('d1');
  await done.end();
  const seen = tail();
  expect(ids(await seen.last(10))).toEqual(['request-d1']);
  expect(await seen.more()).toEqual([]);
  await older.answer('o1');
  const fresh = open('fresh');
  await fresh.begin();
  await fresh.call('f1');
  expect(ids(await seen.more())).toEqual(['request-o1', 'request-f1']);
  await fresh.call('f2');
  await fresh.end();
  expect(ids(await seen.more())).toEqual(['request-f2']);
  // What has not changed is not read again and again.
  seen.reads.length = 0;
  expect(await seen.more()).toEqual([]);
  expect(seen.reads).toEqual([]);
});

it('log tail shows only what the filter lets through', async () => {
  const { open, tail } = world();
  for (const [run, profile] of [
    ['a', 'acme'],
    ['b', 'other'],
  ] as const) {
    const made = open(run, profile);
    await made.begin();
    await made.call(`${run}1`);
    await made.call(`${run}2`, 401);
    await made.end();
  }
  const told = async (filter: LogFilter) => ids(await tail(filter).last(10));
  expect(await told({ profile: 'other' })).toEqual(['request-b1', 'request-b2']);
  expect(await told({ status: '4xx' })).toEqual(['request-a2', 'request-b2']);
  expect(await told({ resource: 'request-a1' })).toEqual(['request-a1']);
  expect(await told({ since: new Date(Date.UTC(2026, 10, 22)) })).toEqual([]);
  const since = new Date(Date.UTC(2026, 10, 21));
  expect(ids(await tail({ since }).last(1))).toHaveLength(4);
});
