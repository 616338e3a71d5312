import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { tryCall } from '../../../../src/client/call/call.ts';
import { filterRuns } from '../../../../src/client/evidence/log-filter.ts';
import type { LogFilter } from '../../../../src/client/evidence/log-filter.ts';
import { findRuns } from '../../../../src/client/evidence/journal-runs.ts';
import type { RunSummary, RunView } from '../../../../src/client/evidence/journal-runs.ts';
import { viewOfExchange } from '../../../../src/client/exchange/exchange-view.ts';
import type { Journal } from '../../../../src/client/ports/journal.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import { journalState, memoryJournal } from '../../../helpers/fakes/index.ts';
import type { FakeHttp, JournalState } from '../../../helpers/fakes/index.ts';
import { openWire } from '../wire.ts';
import type { CallInput } from '../../../../src/client/exchange/prepared.ts';
import type { EndedExchange } from '../../../../src/client/exchange/verdict.ts';

const payment = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;
const initiate: CallInput = {
  operation: 'initiatePayment',
  params: payment,
  body: { json: { amount: '1.00' } },
};
const status: CallInput = {
  operation: 'getPaymentInitiationStatus',
  params: { ...payment, paymentId: 'pay-0001' },
};
const cancel: CallInput = {
  operation: 'cancelPayment',
  params: { ...payment, paymentId: 'pay-0001' },
  resource: { paymentId: 'pay-0001' },
};

/** A journal of these runs, each a second after the other, and the run that looks at it. */
async function journalOf(
  runs: Record<string, { script: (http: FakeHttp) => unknown; calls: CallInput[]; exit?: number }>,
): Promise<{ journal: Journal; state: JournalState; traces: EndedExchange[] }> {
  const state = journalState();
  const traces: EndedExchange[] = [];
  for (const [runId, { script, calls, exit }] of Object.entries(runs)) {
    const wire = await openWire({ state, runId, run: { onExchange: (trace) => void traces.push(trace) } });
    const { journal, target, http } = wire;
    const at = `2026-11-21T10:00:0${state.runs.size}.000Z`;
    const append = (record: JournalRecord) => journal.append(record);
    await append({
      type: 'run',
      at,
      version: '0.1.0',
      command: 'payment init',
      profile: 'acme',
      environment: 'test',
      pid: 1,
    });
    script(http);
    for (const input of calls) await tryCall(target, input);
    http.verify();
    if (exit !== undefined) await append({ type: 'ended', at, exit: exit as 0 });
  }
  return { journal: memoryJournal({ state, run: 'the-run-that-looks' }), state, traces };
}

const created = {
  status: 201,
  body: { transactionStatus: 'RCVD', paymentId: 'pay-0001', _links: {} },
};

const standard = () =>
  journalOf({
    'aaaaaa-1': { script: (http) => http.expect('POST', /./, created), calls: [initiate], exit: 0 },
    'aaaaaa-2': { script: () => undefined, calls: [], exit: 2 },
    'bbbbbb-3': {
      script: (http) =>
        http
          .expect('GET', /status$/, { status: 200, body: { transactionStatus: 'RCVD' } })
          .expectFailure('DELETE', /./, { sent: true, reason: 'reset' })
          .expect('POST', /./, {
            status: 400,
            body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: 'no' }] },
          }),
      calls: [status, cancel, initiate],
    },
  });

async function listed(journal: Journal, filter: LogFilter = {}): Promise<RunSummary[]> {
  const all: RunSummary[] = [];
  for await (const run of filterRuns(journal, filter)) all.push(run);
  return all;
}

describe('a filter of the list of runs', () => {
  it.each<[string, LogFilter, string[]]>([
    ['a profile', { profile: 'acme' }, ['bbbbbb-3', 'aaaaaa-2', 'aaaaaa-1']],
    ['another profile', { profile: 'other' }, []],
    ['an operation', { operation: 'cancelpayment' }, ['bbbbbb-3']],
    ['a status', { status: '201' }, ['aaaaaa-1']],
    ['a class of statuses', { status: '4xx' }, ['bbbbbb-3']],
    ['an outcome', { status: 'UNKNOWN' }, ['bbbbbb-3']],
    ['a call that is all of it', { operation: 'initiatePayment', status: '4xx' }, ['bbbbbb-3']],
    ['calls that are half of it each', { operation: 'cancelPayment', status: '4xx' }, []],
    ['a resource', { resource: 'pay-0001' }, ['bbbbbb-3', 'aaaaaa-1']],
    ['its beginning', { since: new Date('2026-11-21T10:00:01Z') }, ['bbbbbb-3', 'aaaaaa-2']],
    ['its end', { until: new Date('2026-11-21T10:00:01Z') }, ['aaaaaa-2', 'aaaaaa-1']],
  ])('selects runs by %s', async (_, filter, runs) => {
    const { journal } = await standard();
    expect((await listed(journal, filter)).map(({ run }) => run)).toEqual(runs);
  });

  it('reads nothing older than the period asked for', async () => {
    const { journal } = await standard();
    const read: string[] = [];
    const spied: Journal = { ...journal, read: (run) => (read.push(run), journal.read(run)) };
    await listed(spied, { since: new Date('2026-11-21T10:00:02Z') });
    expect(read).toEqual(['bbbbbb-3']);
  });
});

it('@failed means a run that did not end with 0, or one that was killed with a write in doubt', async () => {
  const refused = {
    script: (http: FakeHttp) => http.expect('POST', /./, { status: 400, body: {} }),
    calls: [initiate],
  };
  const { journal, state } = await standard();
  expect(await findRuns(journal, '@failed')).toMatchObject({ run: 'bbbbbb-3', exit: null });
  await expect(findRuns(journal, '@failed-1')).rejects.toMatchObject({ code: 'RESOURCE_NOT_SAVED' });
  state.runs.delete('bbbbbb-3');
  await expect(findRuns(journal, '@failed')).rejects.toMatchObject({
    title: 'No run has called a bank and failed.',
  });
  const others = await journalOf({
    one: { ...refused, exit: 5 },
    two: { ...refused, exit: 0 },
    three: refused,
  });
  expect(await findRuns(others.journal, '@failed')).toMatchObject({ run: 'one' });
});

it('@last and @failed of a profile mean runs with that profile', async () => {
  const { journal } = await standard();
  expect(await findRuns(journal, '@last', { profile: 'acme' })).toMatchObject({ run: 'bbbbbb-3' });
  for (const [id, ends] of [
    ['@last', ' yet.'],
    ['@failed', ' and failed.'],
  ] as const)
    await expect(findRuns(journal, id, { profile: 'nordic' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_SAVED',
      title: `No run has called a bank with the profile nordic${ends}`,
    });
});

async function last(journal: Journal): Promise<RunView> {
  const found = await findRuns(journal, '@last');
  if (Array.isArray(found)) throw new Error('@last is one run');
  return found;
}

async function about(journal: Journal, id: string): Promise<RunView[]> {
  const found = await findRuns(journal, id);
  if (!Array.isArray(found)) throw new Error(`${id} is a run`);
  return found;
}

describe('the list of runs', () => {
  it('is newest first, with the outcome of each', async () => {
    const { journal } = await standard();
    const known = { command: 'payment init', profile: 'acme', environment: 'test' };
    expect(await listed(journal)).toEqual([
      {
        run: 'bbbbbb-3',
        startedAt: '2026-11-21T10:00:02.000Z',
        ...known,
        exchanges: 3,
        outcome: 'UNKNOWN',
        exit: null,
        verdict: 'the outcome of cancelPayment is unknown (no answer)',
      },
      {
        run: 'aaaaaa-2',
        startedAt: '2026-11-21T10:00:01.000Z',
        ...known,
        exchanges: 0,
        outcome: null,
        exit: 2,
        verdict: null,
      },
      {
        run: 'aaaaaa-1',
        startedAt: '2026-11-21T10:00:00.000Z',
        ...known,
        exchanges: 1,
        outcome: 'DONE',
        exit: 0,
        verdict: null,
      },
    ]);
  });

  it('leaves out the run that asks', async () => {
    const { state } = await standard();
    expect((await listed(memoryJournal({ state, run: 'aaaaaa-1' }))).map(({ run }) => run)).toEqual([
      'bbbbbb-3',
      'aaaaaa-2',
    ]);
  });

  it('names the run that cannot be read and goes on', async () => {
    const { journal } = await standard();
    const damaged: Journal = {
      ...journal,
      read: async (run) => {
        if (run === 'bbbbbb-3') throw new ObkError({ code: 'STATE_UNREADABLE', title: 'damaged' });
        return journal.read(run);
      },
    };
    expect((await listed(damaged)).map(({ outcome }) => outcome)).toEqual(['UNREADABLE', null, 'DONE']);
    expect((await about(damaged, 'pay-0001')).map(({ run }) => run)).toEqual(['aaaaaa-1']);
    await expect(findRuns(damaged, 'bbbbbb')).rejects.toMatchObject({ code: 'STATE_UNREADABLE' });
  });

  it.each<[string, readonly JournalRecord[], string]>([
    ['a write that never left', [], 'NOT_SENT'],
    ['a write that was killed after it left', [{ type: 'sending', at: '', exchange: 'e' }], 'UNKNOWN'],
    [
      'one that a person settled',
      [
        { type: 'sending', at: '', exchange: 'e' },
        { type: 'resolved', at: '', exchange: 'e', resolution: 'not-created', by: 'person', reason: 'asked' },
      ],
      'RESOLVED',
    ],
  ])('shows the outcome of %s', async (_, after, outcome) => {
    const { state, journal } = await standard();
    const records = state.runs.get('aaaaaa-1')!.records;
    const prepared = records.find((record) => record.type === 'prepared')!;
    records.splice(0, records.length, { ...prepared, exchange: 'e' }, ...after);
    expect((await listed(journal)).at(-1)).toMatchObject({
      outcome,
      exchanges: 1,
      command: null,
      exit: null,
    });
  });
});

describe('a search for a run', () => {
  it.each([
    ['@last', 'bbbbbb-3'],
    ['@last-1', 'aaaaaa-1'],
    ['bbbbbb', 'bbbbbb-3'],
    ['aaaaaa-2', 'aaaaaa-2'],
  ])('finds it by %s', async (id, run) => {
    const { journal } = await standard();
    expect(await findRuns(journal, id)).toMatchObject({ run });
  });

  it('finds by the id of a resource its calls only, oldest first', async () => {
    const { journal } = await standard();
    const found = await about(journal, 'pay-0001');
    expect(found.map(({ run, exchanges }) => [run, exchanges.map(({ operation }) => operation)])).toEqual([
      ['aaaaaa-1', ['initiatePayment']],
      ['bbbbbb-3', ['getPaymentInitiationStatus', 'cancelPayment']],
    ]);
  });

  it('finds by an X-Request-ID, in either case', async () => {
    const { journal, traces } = await standard();
    const { requestId } = traces[1]!.prepared;
    const found = await about(journal, requestId.toUpperCase());
    expect(found.at(-1)?.exchanges.at(0)).toMatchObject({
      requestId,
      operation: 'getPaymentInitiationStatus',
    });
    expect(found.at(-1)?.exchanges).toHaveLength(1);
  });

  it('finds by the beginning of the subject of calls, and of an X-Request-ID in either case', async () => {
    const { journal, traces } = await standard();
    expect(await about(journal, 'pay-000')).toEqual(await about(journal, 'pay-0001'));
    const { requestId } = traces[0]!.prepared;
    const several = findRuns(journal, requestId.slice(0, -1).toUpperCase());
    await expect(several).rejects.toMatchObject({ code: 'ID_AMBIGUOUS' });
  });

  it.each([
    ['aaaaaa', 'ID_AMBIGUOUS'],
    ['bbbbb', 'RESOURCE_NOT_SAVED'],
    ['pay-0', 'RESOURCE_NOT_SAVED'],
    ['pay-0002', 'RESOURCE_NOT_SAVED'],
    ['@last-2', 'RESOURCE_NOT_SAVED'],
    ['nothing-like-it', 'RESOURCE_NOT_SAVED'],
  ])('finds none by %s: %s', async (id, code) => {
    const { journal } = await standard();
    await expect(findRuns(journal, id)).rejects.toMatchObject({ code, exit: 2 });
  });

  it('finds none in an empty journal', async () => {
    await expect(findRuns(memoryJournal(), '@last')).rejects.toMatchObject({ code: 'RESOURCE_NOT_SAVED' });
  });
});

it('the journal shows an exchange as the live trace showed it', async () => {
  const { journal, traces } = await standard();
  const run = await last(journal);
  const live = traces.slice(1).map(viewOfExchange);
  expect(live).toHaveLength(3);
  expect(run.exchanges).toEqual(live);
  expect(live.map(({ outcome }) => outcome)).toEqual(['DONE', 'UNKNOWN', 'REJECTED']);
  expect(live[2]?.answer?.messages).toEqual([{ category: 'ERROR', code: 'FORMAT_ERROR', text: 'no' }]);
  expect(live[0]?.request).toMatchObject({
    digest: expect.stringMatching(/^SHA-256=/),
    signature: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    signingString: expect.stringMatching(/^digest: /),
  });
});

it('a read whose answer cannot be used is FAILED, live and in the journal', async () => {
  const { journal, traces } = await journalOf({
    'cccccc-1': {
      script: (http) =>
        http.expect('GET', /./, { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' }),
      calls: [status],
    },
  });
  const run = await last(journal);
  expect(run.outcome).toBe('FAILED');
  expect(run.exchanges).toEqual(traces.map(viewOfExchange));
});
