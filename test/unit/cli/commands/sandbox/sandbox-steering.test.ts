import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import type { HandledBank } from '../../../../helpers/steered-bank.ts';
import { createBank } from '../../../../helpers/steered-bank.ts';
import { startBank } from '../../../../helpers/bank.ts';
import { program } from '../../../../helpers/program.ts';
import type { BankFault, BankScenario } from '../../../../../src/settings/records/bank-state.ts';

/** The steering commands over a real ledger, without a process and without a server. */
let bank: HandledBank;
const start = Date.parse('2026-11-21T10:00:00.000Z');
beforeAll(() => {
  const stateDir = mkdtempSync(join(tmpdir(), 'obk-steering-'));
  bank = createBank({ stateDir, clock: { now: () => new Date(start) } });
});
afterAll(() => bank.close());

const obk = (line: string) => program(line, { ports: { bank } });
const json = async (line: string) => JSON.parse((await obk(`${line} --json`)).stdout) as unknown;

describe('sandbox scenario', () => {
  it.each(['sandbox scenario', 'sandbox scenario list'])('%s lists every switch', async (line) => {
    const all = (await json(line)) as (BankScenario & { meaning: string })[];
    expect(all.map(({ name }) => name)).toEqual((await bank.scenarios()).map(({ name }) => name));
    expect(all.find(({ name }) => name === 'bulk')).toMatchObject({
      value: 'whole',
      meaning: 'Of a bulk payment every entry is booked',
      values: [{ value: 'whole' }, { value: 'partial', meaning: 'the last entry is rejected: PART' }],
    });
    expect((await obk(`${line} -o name`)).stdout.split('\n')).toContain('lifeCycle');
  });

  it('sets a switch, and shows it', async () => {
    expect(await json('sandbox scenario set lifeCycle batch-accp')).toEqual({
      name: 'lifeCycle',
      value: 'batch-accp',
      before: 'by-person',
    });
    expect(await json('sandbox scenario get lifeCycle')).toMatchObject({ value: 'batch-accp' });
    expect((await obk('sandbox scenario lifeCycle')).stdout).toContain('ends in ACCP');
    expect((await bank.scenarios()).find(({ name }) => name === 'lifeCycle')?.value).toBe('batch-accp');
  });

  it('takes and explains a value with a number, an amount or a list in it', async () => {
    expect(await json('sandbox scenario set pages of-50')).toEqual({
      name: 'pages',
      value: 'of-50',
      before: 'of-1000',
    });
    const { stdout } = await obk('sandbox scenario set bookingStatuses booked,both');
    expect(stdout).toContain('booked, both; another one is PARAMETER_NOT_SUPPORTED');
    expect(await json('sandbox scenario get pages')).toMatchObject({
      value: 'of-50',
      open: { form: 'of-N' },
    });
    const shown = (await obk('sandbox scenario pages')).stdout;
    expect(shown.replace(/\s+/g, ' ')).toContain(
      'in pages of at most 50 booked entries; what is pending stands on the first',
    );
    expect(shown).toContain('takes of-N with N from 1 to 10000');
    await obk('sandbox scenario set pages of-1000');
    await obk('sandbox scenario set bookingStatuses every');
    expect((await bank.scenarios()).find(({ name }) => name === 'pages')?.value).toBe('of-1000');
  });

  it.each([
    ['set lifecycle batch-accp', 'no switch "lifecycle"', 'obk sandbox scenario set lifeCycle batch-accp'],
    ['set lifeCycle batch', 'not "batch"', 'obk sandbox scenario set lifeCycle batch-actc'],
    ['set pages of-0', 'of-N with N from 1 to 10000; not "of-0"', 'obk sandbox scenario get pages'],
    [
      'set bookingStatuses pending',
      'and with booked; not "pending"',
      'obk sandbox scenario get bookingStatuses',
    ],
    ['set bulk some', 'not "some"', 'obk sandbox scenario get bulk'],
    ['get statusformat', 'no switch "statusformat"', 'obk sandbox scenario get statusFormat'],
    ['lst', 'no switch "lst"', 'obk sandbox scenario list'],
  ])('%s names what is near', async (line, what, hint) => {
    const before = await bank.scenarios();
    const { code, stdout, stderr } = await obk(`sandbox scenario ${line}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(what);
    expect(stderr).toContain(hint);
    expect(await bank.scenarios()).toEqual(before);
  });
});

it.each(['off', '5-per-minute', 'per-minute'])(
  'sandbox scenario set rateLimit %s says that a door holds the switch',
  async (value) => {
    const open = await startBank({ doors: { rate: 3 } });
    try {
      const { code, stderr } = await program(`sandbox scenario set rateLimit ${value}`, {
        ports: { bank: open.bank },
      });
      expect(code).toBe(2);
      expect(stderr).toContain('The switch rateLimit is 3-per-minute for as long as this bank runs.');
      expect(stderr).not.toContain('takes');
    } finally {
      await open.close();
    }
  },
);

describe('sandbox fault', () => {
  it.each<[line: string, fault: Partial<BankFault>]>([
    [
      'getAccountList status 503 --raw',
      { operation: 'getAccountList', kind: 'status', status: 503, raw: true },
    ],
    ['getAccountList html', { operation: 'getAccountList', kind: 'html' }],
    ['getAccountList html 500', { operation: 'getAccountList', kind: 'html', status: 500 }],
    ['* drip 5ms', { operation: '*', kind: 'drip', delayMs: 5 }],
    ['* delay 2s --count 3', { operation: '*', kind: 'delay', delayMs: 2000, count: 3 }],
    ['createConsent edit /consentId=7', { operation: 'createConsent', kind: 'edit', edit: '/consentId=7' }],
    // The names that frameworks from 1.3.11 on have for them.
    ['getCardAccountList truncate', { operation: 'getCardAccount', kind: 'truncate' }],
    ['readCardAccountDetails escape', { operation: 'ReadCardAccount', kind: 'escape' }],
  ])('add %s', async (line, fault) => {
    await obk(`sandbox fault add ${line}`);
    expect(await bank.faults()).toEqual([{ count: 1, ...fault }]);
    await bank.clearFaults();
  });

  it.each([
    [
      'getAccountLst status 503',
      'no operation "getAccountLst"',
      'obk sandbox fault add getAccountList status 503',
    ],
    ['oauth status 503', 'no operation "oauth"', 'obk api --list'],
    ['getAccountList status', 'needs a status', 'status 500'],
    ['getAccountList html 199', 'from 200 to 599; not "199"', ''],
    ['getAccountList drip 11m', 'at most 10 minutes', 'drip 10m'],
    ['getAccountList truncate 1', '"truncate" takes no value', 'truncate'],
    ['getAccountList edit', 'needs an edit', 'edit /consentId=7'],
    [
      'getAccountList push-lost',
      'no notifications of getAccountList',
      'obk sandbox fault add initiatePayment push-lost',
    ],
  ])('add %s says what is near', async (line, what, hint) => {
    const { code, stdout, stderr } = await obk(`sandbox fault add ${line}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(what);
    expect(stderr).toContain(hint);
    expect(await bank.faults()).toEqual([]);
  });
});

describe('sandbox clock', () => {
  it('shows the time, moves it forward, and takes it back', async () => {
    expect(await json('sandbox clock')).toEqual({ now: '2026-11-21T10:00:00.000Z', movedMs: 0 });
    expect(await json('sandbox clock +90m')).toEqual({ now: '2026-11-21T11:30:00.000Z', movedMs: 5_400_000 });
    expect((await obk('sandbox clock +1d')).stdout).toContain('1d 1h 30m ahead');
    expect(await json('sandbox clock reset')).toEqual({ now: '2026-11-21T10:00:00.000Z', movedMs: 0 });
  });

  it.each(['1d', '-1d', '+1y', 'tomorrow'])('is not moved by %s', async (move) => {
    const { code, stdout, stderr } = await obk(`sandbox clock ${move}`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/forward only|no flag/);
    expect(await json('sandbox clock')).toMatchObject({ movedMs: 0 });
  });
});

describe('sandbox log', () => {
  const asked = async (method: string, path: string) => {
    const { baseUrl } = await bank.ensure();
    await (await fetch(baseUrl + path, { method })).text();
  };

  it('tells each request with the rule that refused it, the last ones only, and no query', async () => {
    expect(await json('sandbox log')).toEqual([]);
    await asked('GET', '/v1/accounts?token=geheim');
    await asked('GET', '/v1/nothing');
    const all = (await json('sandbox log')) as Record<string, unknown>[];
    expect(all).toMatchObject([
      { operation: 'getAccountList', path: '/v1/accounts', status: 400, verdict: 'refused' },
      { operation: null, path: '/v1/nothing', status: 404, code: 'RESOURCE_UNKNOWN' },
    ]);
    expect(all[0]).toMatchObject({ code: 'FORMAT_ERROR', rule: 'X-Request-ID is missing.' });
    expect(all[0]?.['signingString']).toMatch(/^digest: SHA-256=47DEQpj8HBSa\+/);
    expect(await json('sandbox log --limit 1')).toMatchObject([{ path: '/v1/nothing' }]);
    const { stdout } = await obk('sandbox log');
    expect(stdout).toContain('X-Request-ID is missing.');
    expect(stdout).not.toContain('geheim');
  });

  it('says what it leaves out where no limit is given', async () => {
    for (let count = 0; count < 23; count += 1) await asked('GET', '/v1/nothing');
    const { notices } = await obk('sandbox log --json');
    const said = notices.said.join(' ');
    expect(said).toMatch(/These are the last 20 of (\d+); --limit \1 shows them all\./);
    const [, kept = ''] = /--limit (\d+)/.exec(said) ?? [];
    const whole = await obk(`sandbox log --limit ${kept} --json`);
    expect({ rows: (JSON.parse(whole.stdout) as unknown[]).length, said: whole.notices.said }).toEqual({
      rows: Number(kept),
      said: [],
    });
  });

  it('tells every mistake, however many calls came later; a limit is one of calls', async () => {
    await asked('GET', '/v1/long-ago');
    for (let count = 0; count < 23; count += 1) await asked('GET', '/v1/nothing');
    const { stdout, notices } = await obk('sandbox log --findings --json');
    const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
    expect(paths).toContain('/v1/long-ago');
    expect(notices.said).toEqual([]);
    const last = (await json('sandbox log --findings --limit 20')) as { path: string }[];
    expect(last.map(({ path }) => path)).not.toContain('/v1/long-ago');
  });

  it('goes on with what comes, also after a reset, until Ctrl-C ends it quietly', async () => {
    const comes = [
      () => asked('GET', '/v1/later'),
      () => bank.reset(),
      () => asked('GET', '/v1/after-the-reset'),
      () => Promise.resolve(),
    ];
    const interrupt = new AbortController();
    const clock = {
      now: () => new Date(start),
      monotonic: () => 0,
      after: () => () => undefined,
      async sleep() {
        const next = comes.shift();
        if (next === undefined) {
          interrupt.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
          throw interrupt.signal.reason as Error;
        }
        await next();
      },
    };
    const { code, stdout, stderr } = await program('sandbox log --follow --limit 1 --json', {
      ports: { bank, clock },
      signal: interrupt.signal,
    });
    const paths = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { path: string }).path);
    expect(paths).toEqual(['/v1/nothing', '/v1/later', '/v1/after-the-reset']);
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  });
});
