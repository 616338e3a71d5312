import { describe, expect, it } from 'vitest';
import { drive } from '../../../../src/tester/journeys/load.ts';
import type { Arrived, LoadPlan, LoadState, LoadSummary } from '../../../../src/tester/journeys/load.ts';
import type { JourneyResult, StepResult } from '../../../../src/settings/records/journey-run.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import type { FakeClock } from '../../../helpers/fakes/index.ts';

const passed: JourneyResult = {
  journey: 'Pay',
  file: 'pay.yaml',
  profile: 'bank',
  tags: [],
  verdict: 'passed',
  at: '',
  durationMs: 0,
  steps: [],
};
const step: StepResult = {
  name: 'payment init',
  line: 1,
  commandLine: '',
  verdict: 'failed',
  exit: 5,
  durationMs: 0,
  tries: 1,
  checks: [],
  error: { code: 'FORMAT_ERROR', title: '', detail: null },
  calls: [],
};
const failed: JourneyResult = { ...passed, verdict: 'failed', steps: [step] };

const plan: LoadPlan = { perSecond: 10, forMs: 1000, users: 100, maxErrors: { percent: 1 } };

/** Drives a load by a clock that goes on a millisecond at a time. */
async function driven(
  wish: Partial<LoadPlan>,
  arrive: (clock: FakeClock, arrival: number, user: number) => Promise<JourneyResult | Arrived>,
  signal = new AbortController().signal,
): Promise<{ summary: LoadSummary; told: LoadState[] }> {
  const clock = fakeClock({ manual: true });
  const told: LoadState[] = [];
  const state = { over: false };
  const driving = drive(
    { ...plan, ...wish },
    {
      clock,
      signal,
      told: (state) => told.push(state),
      arrive: async (arrival, user) => {
        const came = await arrive(clock, arrival, user);
        return 'result' in came ? came : { result: came, calls: [] };
      },
    },
  ).finally(() => {
    state.over = true;
  });
  driving.catch(() => undefined);
  for (let at = 0; !state.over && at < 20_000; at += 1) {
    await new Promise(setImmediate);
    clock.advance(1);
  }
  return { summary: await driving, told };
}

const after =
  (ms: number, result = passed) =>
  async (clock: FakeClock) => {
    await clock.sleep(ms);
    return result;
  };

describe('a load of journeys', () => {
  it('starts journeys at their times, whatever became of those before', async () => {
    const began: number[] = [];
    const { summary } = await driven({}, async (clock) => {
      began.push(Math.round(clock.monotonic() - 1000));
      await clock.sleep(700);
      return passed;
    });
    expect(began).toHaveLength(10);
    for (const [at, ms] of began.entries()) expect(Math.abs(ms - at * 100)).toBeLessThanOrEqual(3);
    expect(summary).toMatchObject({ due: 10, begun: 10, notBegun: 0, passed: 10, stopped: null });
  });

  it('counts latency from when a journey was due, also of one that had to wait for a free user', async () => {
    const { summary } = await driven({ users: 1 }, after(200));
    const [row] = summary.journeys;
    // The fifth was due at 400 ms and ended at 1,000: a client that waits for answers would tell of 200 ms.
    expect(summary).toMatchObject({ due: 10, begun: 5, notBegun: 5 });
    expect(row!.latencyMs!.min).toBeGreaterThanOrEqual(199);
    expect(row!.latencyMs!.max).toBeGreaterThanOrEqual(590);
  });

  it('gives each of those that run at once a number of its own', async () => {
    const running = new Set<number>();
    const { summary } = await driven({ perSecond: 50, users: 4 }, async (clock, _, user) => {
      expect(running.has(user)).toBe(false);
      running.add(user);
      await clock.sleep(30);
      running.delete(user);
      return passed;
    });
    expect(summary.passed).toBeGreaterThan(20);
    expect(running.size).toBe(0);
  });

  it.each<[string, LoadPlan['maxErrors'], number]>([
    ['a number', { most: 3 }, 4],
    ['a share, once a hundred have ended', { percent: 5 }, 100],
  ])('stops when more have failed than allowed: %s', async (_, maxErrors, ended) => {
    const { summary } = await driven({ perSecond: 500, maxErrors }, after(5, failed));
    expect(summary.stopped).toBe('errors');
    expect(summary.failed).toBeGreaterThanOrEqual(ended);
    expect(summary.failed).toBeLessThan(ended + 10);
    expect(summary.journeys[0]!.errors).toEqual({ 'payment init: FORMAT_ERROR': summary.failed });
  });

  it('counts the calls by operation, with the codes of those that failed', async () => {
    const call = { method: 'GET', url: '/x', requestId: '', facts: {}, status: 200, code: null };
    const { summary } = await driven({ users: 1, perSecond: 4 }, async (clock) => {
      await clock.sleep(100);
      const first = { ...call, operation: 'getAccountList', durationMs: 60, endedAt: clock.monotonic() };
      await clock.sleep(100);
      const second = {
        ...first,
        operation: 'getBalances',
        durationMs: 40,
        status: 429,
        code: '429 ACCESS_EXCEEDED',
      };
      return { result: passed, calls: [first, { ...second, endedAt: clock.monotonic() }] };
    });
    const [first, second] = summary.operations;
    expect(first).toMatchObject({ name: 'getAccountList', ended: 4, failed: 0, errors: {} });
    // The first call counts from when its journey was due, the others from their sending.
    expect(Math.round(first!.latencyMs!.p50 / 10)).toBe(10);
    expect(second).toMatchObject({ name: 'getBalances', failed: 4, errors: { '429 ACCESS_EXCEEDED': 4 } });
    expect(Math.round(second!.latencyMs!.p50)).toBe(40);
  });

  it('limits the memory for codes, whatever a bank calls its errors', async () => {
    const { summary } = await driven({ perSecond: 200, maxErrors: { most: 10_000 } }, async (_, at) => ({
      ...failed,
      steps: [{ ...step, error: { code: `E${String(at)}`, title: '', detail: null } }],
    }));
    const { errors } = summary.journeys[0]!;
    expect(Object.keys(errors).length).toBe(41);
    expect(Object.values(errors).reduce((sum, one) => sum + one, 0)).toBe(200);
  });

  it('reports how it went over time', async () => {
    const { summary, told } = await driven({ forMs: 3000 }, after(50));
    expect(summary.moments.map(({ atS, due }) => [atS, due]).slice(0, 3)).toEqual([
      [1, 10],
      [2, 10],
      [3, 10],
    ]);
    expect(summary.moments[0]!.p50Ms).toBeGreaterThanOrEqual(49);
    expect(told.length).toBeGreaterThan(10);
    expect(summary.perSecond.journeys).toBeGreaterThan(9);
  });

  it('ends at an interruption, and reports what was left', async () => {
    const interruption = new AbortController();
    const { summary } = await driven(
      { forMs: 5000 },
      async (clock, arrival) => {
        if (arrival === 5) interruption.abort(new Error('Ctrl-C'));
        await clock.sleep(300, interruption.signal).catch(() => undefined);
        return interruption.signal.aborted ? { ...failed, interrupted: true } : passed;
      },
      interruption.signal,
    );
    expect(summary.stopped).toBe('interrupted');
    expect(summary.begun).toBeLessThan(10);
    expect(summary.interrupted).toBeGreaterThan(0);
  });

  it('counts a write of unknown outcome where it is interrupted, too', async () => {
    const { summary } = await driven({}, () =>
      Promise.resolve({ ...failed, verdict: 'unknown', interrupted: true }),
    );
    expect([summary.unknown, summary.interrupted]).toEqual([summary.begun, 0]);
  });

  it('ends with the error of a journey that cannot run at all', async () => {
    const broken = driven({}, () => Promise.reject(new Error('a bug')));
    await expect(broken).rejects.toThrow('a bug');
  });
});
