import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import type { Journal } from '../../../../../src/client/ports/journal.ts';
import type { JournalRecord } from '../../../../../src/settings/records/journal.ts';
import { presets } from '../../../../../src/standard/xs2a/variants.ts';
import { journalState, memoryJournal, memoryStore } from '../../../../helpers/fakes/index.ts';
import { program, sink } from '../../../../helpers/program.ts';

const at = '2026-11-21T10:00:00.000Z';
const tls = { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', peer: 'CN=api.bank.example' };

/** A journal in which runs of a profile have called a bank once each. */
async function journalOf(...runs: string[]) {
  const state = journalState();
  for (const run of runs) await write(state, run);
  return { state, journal: memoryJournal({ state, run: 'looking' }) };
}

async function write(state: ReturnType<typeof journalState>, run: string): Promise<void> {
  const journal = memoryJournal({ state, run });
  const records: JournalRecord[] = [
    { type: 'run', at, version: '1', command: 'auth logout', profile: 'acme', environment: 'test', pid: 1 },
    {
      type: 'prepared',
      at,
      exchange: 'e1',
      operation: 'oauthRevocation',
      method: 'POST',
      url: 'https://bank.example/revoke',
      headers: [],
      body: '',
      bodySha256: '',
      requestId: `request-of-${run}`,
      write: false,
    },
    { type: 'sending', at, exchange: 'e1' },
    {
      type: 'answered',
      at,
      exchange: 'e1',
      outcome: 'DONE',
      status: 200,
      headers: [],
      body: '',
      durationMs: 5,
      tls,
    },
    { type: 'ended', at, exit: 0 },
  ];
  for (const record of records) await journal.append(record);
}

describe('log list', () => {
  it('takes every operation that is in the journal, in any case', async () => {
    const { journal } = await journalOf('run-1');
    const { stdout } = await program('log list --operation oauthrevocation -o name', { ports: { journal } });
    expect(stdout).toBe('run-1\n');
  });
});

describe('log show', () => {
  it('names the TLS peer with -vvv only', async () => {
    const { journal } = await journalOf('run-1');
    const show = async (flags: string) =>
      (await program(`log show @last ${flags}`, { ports: { journal } })).stdout;
    expect(await show('-vvv')).toContain('* TLS: TLSv1.3 TLS_AES_256_GCM_SHA384, peer CN=api.bank.example\n');
    expect(await show('-vv')).not.toContain('TLS');
    expect(JSON.parse(await show('--json'))).toMatchObject({ exchanges: [{ answer: { tls } }] });
  });
});

// Each command that takes runs; the title of a missing one tells @last and @failed apart.
it.each([
  ...['log show @last', 'log har @last', 'log curl @failed', 'log diff @last @last-1'],
  ...['report @failed --output page.html', 'journey record', 'journey record @failed'],
  ...['sign verify @last', 'sign explain @last', 'check @last', 'sandbox replay @last --port 0'],
])('%s takes those of the profile that is named', async (command) => {
  const { journal } = await journalOf('run-1');
  const unused = { ...presets.v136, baseUrl: 'https://bank.example', environment: 'test' } as const;
  const { settings } = memoryStore({ schemaVersion: 1, profiles: { unused } });
  const { code, stderr } = await program(`${command} --profile unused`, { ports: { journal, settings } });
  expect(code, stderr).toBe(2);
  expect(stderr).toContain('No run has called a bank with the profile unused');
});

describe('log tail', () => {
  it.each([
    ['--json', (line: string) => (JSON.parse(line) as { requestId: string }).requestId],
    ['--jq .requestId', (line: string) => line],
  ])('%s: goes on with each new call as it comes, and Ctrl-C ends it quietly', async (how, idIn) => {
    const { state, journal } = await journalOf('run-1', 'run-2');
    const stdout = sink();
    const seen: string[] = [];
    const interrupt = new AbortController();
    let polls = 0;
    const wait = async (): Promise<void> => {
      polls += 1;
      seen.push(stdout.text());
      if (polls === 1) return;
      if (polls === 2) return write(state, 'run-3');
      interrupt.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
      throw interrupt.signal.reason as Error;
    };
    const follow: Journal['follow'] = async (wish) => ({ ...(await journal.follow(wish)), wait });
    const { code, stderr } = await program(`log tail --follow --limit 1 ${how}`, {
      ports: { journal: { ...journal, follow } },
      signal: interrupt.signal,
      stdout,
    });
    const told = stdout.text().trimEnd().split('\n').map(idIn);
    expect(told).toEqual(['request-of-run-2', 'request-of-run-3']);
    // Nothing waits for the end.
    expect(seen.map((text) => text.split('\n').length - 1)).toEqual([1, 1, 2]);
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });

  it('is a list without --follow', async () => {
    const { journal } = await journalOf('run-1', 'run-2');
    const { stdout } = await program('log tail --json', { ports: { journal } });
    expect(JSON.parse(stdout)).toHaveLength(2);
  });
});

describe('log prune', () => {
  it.each([
    ['', 'Give --older-than DAYS or --keep N.'],
    ['--older-than 1d --keep 1', 'Give --older-than DAYS or --keep N.'],
    ['--older-than yesterday', '--older-than takes days'],
    ['--keep -1', '--keep takes a number'],
  ])('%s is refused', async (flags, why) => {
    const { state, journal } = await journalOf('run-1');
    const { code, stdout, stderr } = await program(`log prune ${flags}`, { ports: { journal } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(why);
    expect(state.runs.size).toBe(1);
  });

  it('says what goes and what stays, and goes through with it', async () => {
    const { state, journal } = await journalOf('run-1', 'run-2');
    state.runs.get('run-2')?.records.pop();
    const run = async (flags: string) => (await program(`log prune ${flags}`, { ports: { journal } })).stdout;
    const text = '1 run would be removed.\nKept 1: without an end, perhaps running.\n';
    expect(await run('--keep 0 --dry-run')).toBe(text);
    expect(JSON.parse(await run('--keep 0 --json'))).toEqual({
      dryRun: false,
      removed: ['run-1'],
      kept: { notEnded: 1, unreadable: 0, unknown: 0, intent: 0, resource: 0 },
    });
    expect([...state.runs.keys()]).toEqual(['run-2']);
    expect(await run('--older-than 90d')).toContain('0 runs removed.');
  });
});

it('log list says that it leaves runs out where no limit is given', async () => {
  const { journal } = await journalOf(...Array.from({ length: 21 }, (_, at) => `run-${String(at)}`));
  const { stdout, notices } = await program('log list --json', { ports: { journal } });
  expect((JSON.parse(stdout) as unknown[]).length).toBe(20);
  expect(notices.said).toEqual(['These are the last 20 runs; --limit N shows more.']);
  expect((await program('log list --limit 20', { ports: { journal } })).notices.said).toEqual([]);
});
