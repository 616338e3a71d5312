import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import {
  doubtOf,
  inProgress,
  intentState,
  madeBy,
  stateIn,
  unknownOutcome,
} from '../../../../src/client/resources/intent-state.ts';
import type { IntentState } from '../../../../src/client/resources/intent-state.ts';
import type { Intent, JournalRecord } from '../../../../src/settings/records/journal.ts';
import { journalState, memoryJournal } from '../../../helpers/fakes/index.ts';
import type { JournalState } from '../../../helpers/fakes/index.ts';
import { answered, at, claim, earlierRun, failed, key, prepared, resolved, sending } from '../intents.ts';
import type { Header } from '../../../../src/settings/records/wire.ts';

const sentTo = 'https://bank.example/v1/payments/sepa-credit-transfers';

function intentOf(state: JournalState): Intent {
  const intent = state.intents.get(key('k').hash);
  if (intent === undefined) throw new Error('no intent');
  return intent;
}

/** Where the intent `k` stands, as another run sees it. */
function standing(state: JournalState): Promise<IntentState> {
  return intentState(memoryJournal({ state }), intentOf(state));
}

describe('an intent whose journal is lost', () => {
  /** What is left of the run: nothing at all, or only its beginning. */
  const losses: Record<string, (records: JournalRecord[]) => JournalRecord[]> = {
    'is missing': () => [],
    'ends before the request, which was sent': () => [{ type: 'ended', at, exit: 1 }],
    'ends before the request, which was sent, at its mark': (records) => records.slice(0, 1),
  };

  it.each(Object.entries(losses))('is unknown after it was sent: the journal %s', async (how, lose) => {
    const state = journalState();
    const first = await earlierRun(state, 'made');
    const records = state.runs.get(first.run)?.records ?? [];
    records.splice(0, records.length, ...lose([...records]));
    const detail = `the journal of the run that sent it ${how.replace(', at its mark', '')}`;
    expect(await standing(state)).toEqual({ kind: 'unknown', detail });
    expect(await claim(state)).toBe('12 OUTCOME_UNKNOWN');
    expect(await claim(state, { name: 'second', chosen: false })).toBe('2 DUPLICATE_PAYMENT');
  });

  it.each(Object.entries(losses))('is the payment that its record names: the journal %s', async (_, lose) => {
    const state = journalState();
    const first = await earlierRun(state, 'made');
    await first.intents.noteResource(key('k').hash, 'p1');
    const records = state.runs.get(first.run)?.records ?? [];
    records.splice(0, records.length, ...lose([...records]));
    expect(await standing(state)).toEqual({ kind: 'resolved', created: true, paymentId: 'p1', noted: true });
    expect(await claim(state)).toBe('earlier resolved');
  });

  it('is unknown where the journal is damaged, and a bug stays a bug', async () => {
    const state = journalState();
    await earlierRun(state, 'made');
    const journal = memoryJournal({ state });
    journal.read = () => Promise.reject(new ObkError({ code: 'STATE_UNREADABLE', title: 'damaged' }));
    expect(await intentState(journal, intentOf(state))).toEqual({
      kind: 'unknown',
      detail: 'the journal of the run that sent it is damaged',
    });
    journal.read = () => Promise.reject(new Error('a bug'));
    await expect(intentState(journal, intentOf(state))).rejects.toThrow('a bug');
  });

  it('is not sent where its last record proves that nothing left', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'sending');
    await first.append(failed('NOT_SENT'));
    expect(await standing(state)).toEqual({ kind: 'not-sent', recorded: true });
    expect(await claim(state)).toBe('send');
  });

  it('is sent again where its own record shows that nothing left', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'prepared');
    state.runs.delete(first.run);
    expect(await claim(state)).toBe('send');
  });

  it('is unknown where an older obk wrote it, which did not record whether it was sent', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'prepared');
    state.runs.delete(first.run);
    delete intentOf(state).sent;
    expect(await claim(state)).toBe('12 OUTCOME_UNKNOWN');
  });

  it('is not sent where an older obk wrote it and the journal ends before the request', async () => {
    const state = journalState();
    await earlierRun(state, 'prepared');
    delete intentOf(state).sent;
    expect(await standing(state)).toEqual({ kind: 'not-sent' });
  });

  it('is over where it was resolved', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'made');
    state.runs.delete(first.run);
    const end = { created: false, at, by: 'person', reason: 'asked' } as const;
    await first.intents.settle(key('k').hash, end);
    expect(await standing(state)).toEqual({ kind: 'resolved', created: false });
    expect(await claim(state)).toBe('send');
    await first.intents.settle(key('k').hash, { ...end, created: true }, { resourceId: 'p1' });
    expect(await standing(state)).toEqual({ kind: 'resolved', created: true, paymentId: 'p1' });
  });
});

describe('the state of a write', () => {
  const state = (records: JournalRecord[]) => stateIn(records, () => true).kind;

  it.each([
    ['no record', [], 'not-sent'],
    ['prepared', [prepared('i')], 'not-sent'],
    ['records of others', [prepared('i'), { ...sending, exchange: 'x2' }], 'not-sent'],
    [
      'the last attempt counts',
      [prepared('i'), sending, failed('UNKNOWN'), { ...prepared('i'), exchange: 'x2' }],
      'not-sent',
    ],
    // An interrupt may come between the mark and the wire; the mark counts.
    ['a mark that came late', [prepared('i'), failed('NOT_SENT'), sending], 'unknown'],
  ] satisfies [string, JournalRecord[], string][])('is read from its records: %s', (_, records, expected) => {
    expect(state(records)).toBe(expected);
  });

  it.each<[string, JournalRecord[], IntentState]>([
    ['found to have created it', [resolved('created')], { kind: 'resolved', created: true, paymentId: 'p1' }],
    ['found not to have', [resolved('not-created')], { kind: 'resolved', created: false }],
    [
      'found to have been done',
      [{ ...resolved('created'), resolution: 'done' }],
      { kind: 'resolved', created: true, paymentId: 'p1' },
    ],
    [
      'found not to have been done',
      [{ ...resolved('not-created'), resolution: 'not-done' }],
      { kind: 'resolved', created: false },
    ],
    ['refused', [answered('REJECTED', 400)], { ...answerOf('REJECTED', 400), requestId: 'r1', url: sentTo }],
    ['made', [answered('DONE', 201)], { ...answerOf('DONE', 201), requestId: 'r1', url: sentTo }],
    ['never answered', [], { ...unknown('the run that sent it ended before the answer came'), open: true }],
    ['lost', [failed('UNKNOWN')], unknown('reset by peer')],
    ['lost after its head', [cutOff([])], unknown('reset by peer')],
    [
      'lost after its head, which had a Location',
      [cutOff([['Location', '/v1/payments/p/42']])],
      unknown('reset by peer (Location /v1/payments/p/42)'),
    ],
    [
      'in doubt for what was said of it',
      [{ ...answered('UNKNOWN', 201), doubt: 'Its digest is wrong. It was changed.' }],
      { ...unknown('Its digest is wrong. It was changed'), status: 201 },
    ],
    ['in doubt', [answered('UNKNOWN', 500)], { ...unknown('the bank answered 500'), status: 500 }],
    [
      'in doubt, with a Location',
      [{ ...answered('UNKNOWN', 201), headers: [['location', '/v1/payments/p/42']] }],
      { ...unknown('the bank answered 201 (Location /v1/payments/p/42)'), status: 201 },
    ],
  ])('is read from what became of it: %s', (_, records, expected) => {
    expect(stateIn([prepared('i'), sending, ...records], () => true)).toEqual(expected);
  });

  it('is that of its last own exchange, whatever else the run has sent', async () => {
    const shared = journalState();
    const first = await earlierRun(shared, 'unclear');
    const other = { ...prepared('another'), exchange: 'x2', requestId: 'r2' };
    for (const record of [other, { ...answered('DONE', 201), exchange: 'x2' }]) await first.append(record);
    expect(await standing(shared)).toMatchObject({ kind: 'unknown', requestId: 'r1', status: 500 });
  });

  it('is read from its journal where its payment is known too', async () => {
    const made = journalState();
    await (await earlierRun(made, 'made')).intents.noteResource(key('k').hash, 'p1');
    expect(await standing(made)).toMatchObject({ kind: 'answered' });
  });

  it('is in doubt though its payment is known, where the answer that named it is in doubt', async () => {
    const shared = journalState();
    await (await earlierRun(shared, 'unclear')).intents.noteResource(key('k').hash, 'p1');
    const state = await standing(shared);
    const doubt = { ...unknown('the bank answered 500'), status: 500 };
    expect(state).toEqual({ kind: 'resolved', created: true, paymentId: 'p1', noted: true, doubt });
    expect(doubtOf(state)).toEqual(doubt);
  });

  it('is in doubt by its kind', () => {
    expect(doubtOf(unknown('reset by peer'))).toEqual(unknown('reset by peer'));
    for (const state of [
      { kind: 'not-sent' },
      answerOf('DONE', 201),
      { kind: 'resolved', created: true },
    ] as const)
      expect(doubtOf(state)).toBeUndefined();
  });
});

describe('the result of an intent at the bank', () => {
  const made = async (state: IntentState, resourceId?: string) => {
    const shared = journalState();
    await earlierRun(shared, 'lost');
    return madeBy({ ...intentOf(shared), ...(resourceId === undefined ? {} : { resourceId }) }, state);
  };
  const said = (body: unknown) =>
    ({
      ...{ kind: 'answered', requestId: 'r1' },
      record: { ...answered('DONE', 201), body: typeof body === 'string' ? body : JSON.stringify(body) },
    }) as IntentState;
  const found = (paymentId?: string): IntentState => ({ kind: 'resolved', created: true, paymentId });

  it.each<[string, IntentState, string | undefined, unknown]>([
    [
      'answered',
      said({ paymentId: 'p1', transactionStatus: 'RCVD' }),
      undefined,
      { id: 'p1', status: 'RCVD' },
    ],
    ['answered, and noted', said({ paymentId: '[secret]' }), 'p2', { id: 'p2' }],
    [
      'answered without a number',
      said({ transactionStatus: 'ACSC', paymentId: 7 }),
      undefined,
      { status: 'ACSC' },
    ],
    ['answered in words', said('thanks'), undefined, {}],
    ['found', found('p1'), undefined, { id: 'p1' }],
    ['found, and another was noted', found('p1'), 'p2', { id: 'p1' }],
    ['found without its number, which was noted', found(), 'p2', { id: 'p2' }],
    ['refused', answerOf('REJECTED', 400), undefined, undefined],
    ['found not to be', { kind: 'resolved', created: false }, 'p2', undefined],
    ['not sent', { kind: 'not-sent' }, undefined, undefined],
    ['unknown', unknown('reset by peer'), 'p2', undefined],
  ])('is known where it was %s', async (_, state, resourceId, expected) => {
    expect(await made(state, resourceId)).toEqual(expected);
  });
});

describe('an error about an intent', () => {
  const intent = async () => {
    const state = journalState();
    await earlierRun(state, 'lost');
    return intentOf(state);
  };

  it('states in progress what it is, since when, and its payment as soon as there is one', async () => {
    const begun = inProgress(await intent());
    expect(begun).toMatchObject({
      code: 'INTENT_IN_PROGRESS',
      title: 'Another process is carrying out this payment.',
      detail: `It began on ${at} (12.50 EUR to Shop).`,
      hint: ['Wait for it, then run this again with the same --intent-key.'],
    });
    expect(begun.resource).toBeUndefined();
    expect(inProgress({ ...(await intent()), resourceId: 'p1' }).resource).toEqual({ paymentId: 'p1' });
  });

  it('states for an unknown outcome what is known of it, and the next safe step', async () => {
    const { hash, ...rest } = await intent();
    expect(
      unknownOutcome({ hash, ...rest }, { ...unknown('the bank answered 500'), status: 500 }),
    ).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      title: 'This payment was already sent; its outcome at the bank is unknown.',
      detail: `12.50 EUR to Shop, sent on ${at}: the bank answered 500.`,
      hint: ['Do not send it again.', `obk pending show ${hash.slice(0, 12)}`],
      intent: hash,
      requestId: 'r1',
      operation: 'initiatePayment',
      httpStatus: 500,
    });
  });

  it('names no request and no status for an unknown outcome without a journal', async () => {
    const error = unknownOutcome(await intent(), { detail: 'its journal is gone' });
    expect(error).toMatchObject({ requestId: '', httpStatus: undefined });
  });
});

function unknown(detail: string): Extract<IntentState, { kind: 'unknown' }> {
  return { kind: 'unknown', exchange: 'x1', requestId: 'r1', detail };
}

function answerOf(outcome: 'DONE' | 'REJECTED', status: number) {
  return { kind: 'answered', record: answered(outcome, status) } as Extract<
    IntentState,
    { kind: 'answered' }
  >;
}

function cutOff(headers: readonly Header[]): JournalRecord {
  return { ...failed('UNKNOWN'), partial: { status: 201, headers } };
}
