// Two machines with one PostgreSQL, of which one has another key: it sends nothing, shows nothing of the other one, and spoils nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVault } from '../../src/adapters/postgres/vault.ts';
import { Secret } from '../../src/base/secret.ts';
import { resource } from '../helpers/adapter-homes.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { wordsOf } from '../helpers/example-words.ts';
import { runInside } from '../helpers/inside.ts';
import { oneError } from '../helpers/one-error.ts';
import type { Ran } from '../helpers/obk.ts';
import {
  fleetIn,
  hasPostgres,
  stateEnvironment,
  testDatabase,
  testKey,
  testState,
} from '../helpers/postgres.ts';

const shared = testDatabase();
const wrongKey = '77'.repeat(32);
const keyId = (key: string) => createVault([new Secret(key)]).keyId;

interface Machine {
  home: string;
  key: string;
}
const right: Machine = { home: 'one', key: testKey };
const wrong: Machine = { home: 'two', key: wrongKey };
/** The first machine with the key of the second: what it has made itself is sealed with another one. */
const mistaken: Machine = { ...right, key: wrongKey };

const to = ['--creditor-account', 'DE75512108001245126199', '--creditor-name', 'Shop', '--amount', '1.00'];
const later = ['--authorise-later', '--no-input', '--yes', '--json'];

describe.skipIf(!hasPostgres())('a machine of a fleet with another key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-key-'));
  let bank: TestBank;

  async function run({ home, key }: Machine, words: readonly string[], more = {}): Promise<Ran> {
    const database = stateEnvironment((await shared.url()).reveal());
    const places = {
      OBK_CONFIG_DIR: join(folder, home, 'config'),
      OBK_STATE_DIR: join(folder, home, 'state'),
    };
    const env = { ...process.env, ...database, OBK_STATE_KEY: key, OBK_PROFILE: 'acme', ...places, ...more };
    return runInside(words, { cwd: folder, env, input: '' });
  }
  const done = async (machine: Machine, words: readonly string[], more = {}) => {
    const ran = await run(machine, words, more);
    expect(ran.code, ran.stderr).toBe(0);
    return ran;
  };
  const pay = (psuId: string) => [
    ...['payment', 'init', '--product', 'sepa-credit-transfers', '--psu-id', psuId, ...to, ...later],
    ...['--debtor', bank.person(psuId).accounts[0]?.iban ?? ''],
  ];
  const consent = [
    'consent',
    'create',
    '--all-psd2',
    '--psu-id',
    'embedded-one',
    ...later.slice(0, 2),
    '--json',
  ];
  const lists = [
    ['payment', 'list'],
    ['consent', 'list'],
    ['pending', 'list'],
    ['log', 'list'],
  ];
  const listed = (machine: Machine) =>
    Promise.all(lists.map(async (words) => (await done(machine, [...words, '--json'])).stdout));
  const idOf = ({ stdout }: Ran) => JSON.parse(stdout) as Record<'paymentId' | 'consentId', string>;
  /** The number of rows that a statement counts. */
  const rowsOf = async (...tables: readonly string[]) => {
    const administrator = await shared.administer();
    const sums = tables.map((table) => `(SELECT count(*) FROM obk.${table})`).join(' + ');
    return Number((await administrator.rows<{ sum: string }>(`SELECT ${sums} AS sum`))[0]?.sum);
  };
  const payments = "resource WHERE noun = 'payment'";
  const consents = "resource WHERE noun = 'consent'";
  /** A list: it is empty, or has what belongs to this run, and one warning says what cannot be read. */
  function expectLeftOut({ code, stdout, stderr }: Ran, rows: number, key = testKey, shown = '[]\n') {
    const what = rows === 1 ? '1 row' : `${String(rows)} rows`;
    const are = rows === 1 ? 'it is' : 'they are';
    expect({ code, stdout, stderr: stderr.split('\n') }).toEqual({
      ...{ code: 0, stdout: shown },
      stderr: [
        `{"warning":"${what} of the shared state cannot be read: ${are} sealed with key ${keyId(key)}, which this run does not have."}`,
        '',
      ],
    });
  }
  const ids: string[] = [];

  beforeAll(async () => {
    bank = await startBank({ doors: { rate: 'off' } });
    const at = ['--base-url', bank.baseUrl, '--certificate', bank.certificatePath, '--key', bank.keyPath];
    const profile = ['--variant', 'v1', '--environment', 'sandbox', '--psu-ip', '192.0.2.1', ...at];
    for (const [machine, name] of [
      [right, 'acme'],
      [wrong, 'acme'],
      [wrong, 'own'],
    ] as const)
      await done(machine, ['profile', 'create', name, ...profile, '--no-check', '--no-input']);
    for (const psuId of ['embedded-one', 'redirect']) ids.push(idOf(await done(right, pay(psuId))).paymentId);
    ids.push(idOf(await done(right, consent)).consentId);
    bank.fault({ operation: 'initiatePayment', kind: 'drop-before' });
    expect((await run(right, [...pay('redirect'), '--allow-duplicate'])).code).toBe(12);
    const state = testState({ ...shared });
    await state.credentials.update('acme', (before) => ({ ...before, consentId: ids[2] ?? '' }));
    await state.close();
  }, 60_000);
  afterAll(async () => {
    await bank.close();
    await shared.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('sends nothing, and explains why', async () => {
    const before = await listed(right);
    const arrived = bank.arrivals().length;
    const [paymentId = '', , consentId = ''] = ids;
    for (const words of [
      pay('embedded-one'),
      pay('redirect'),
      consent,
      ['accounts', 'list', '--json'],
      ['accounts', 'list', '--consent', 'another', '--json'],
      ['api', 'GET', '/v1/accounts', '--json'],
      ['payment', 'authorise', paymentId, '--no-input', '--json'],
      ['payment', 'status', paymentId.slice(0, 8), '--json'],
      ['consent', 'delete', consentId, '--yes', '--json'],
    ])
      for (const profile of ['acme', 'own']) {
        // Without anything of its own, the second profile has no consent and no payment to ask for.
        if (profile === 'own' && !/init|create|api/.test(words.join(' ')) && !words.includes('another'))
          continue;
        const ran = await run(wrong, [...words, '--profile', profile]);
        expect(oneError(ran), words.join(' ')).toMatchObject({
          ...{ code: 'STATE_UNREADABLE', exitCode: 3 },
          title: 'The shared state is sealed with another key than that of this run.',
          detail: `It has values of key ${keyId(testKey)}, and this run has key ${keyId(wrongKey)}. Nothing was sent.`,
        });
        expect(ran.stdout).toBe('');
      }
    expect(bank.arrivals().length).toBe(arrived);
    expect(await listed(right)).toEqual(before);
  });

  it('lists nothing of the others, and reports how many rows of which key it cannot read', async () => {
    const json = (words: string, machine = wrong) => run(machine, [...words.split(' '), '--json']);
    for (const words of ['payment list', 'payment list --limit 1000'])
      // Where none is shown, it is looked whether one is unknown.
      expectLeftOut(await json(words), await rowsOf('open_write', payments));
    expectLeftOut(await json('consent list'), await rowsOf('credential', consents));
    expectLeftOut(await json('pending list'), await rowsOf('resource', 'open_write'));
    const records = await rowsOf('record');
    for (const words of ['log list', 'log tail']) expectLeftOut(await json(words), records);
    // The runs that ended otherwise are not read.
    const paid = "record JOIN obk.run USING (run) WHERE ended::text LIKE '%initiatePayment%'";
    expectLeftOut(await json('log list --operation initiatePayment'), await rowsOf(paid));
    const { stdout, stderr, code } = await run(wrong, ['log', 'list']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`! ${String(records)} rows of the shared state cannot be read: `);
  });

  it('finds nothing under @last, and refuses what an id names', async () => {
    const told = (ran: Ran) => {
      expect(ran.stdout).toBe('');
      const { code, exitCode, detail } = oneError(ran);
      expect(detail ?? '').not.toMatch(/damaged/);
      return [code, exitCode, ran.stderr.includes(`sealed with key ${keyId(testKey)}, which`)];
    };
    const json = async (words: string, machine = mistaken) =>
      told(await run(machine, [...words.split(' '), '--json']));
    // These are runs and resources of the machine itself, from before it lost its key.
    for (const words of ['report --output r.html', 'log show @last', 'log show @failed'])
      expect(await json(words), words).toEqual(['RESOURCE_NOT_SAVED', 2, true]);
    // Another one's are none of its @last, with whichever key.
    expect(await json('log show @last', wrong)).toEqual(['RESOURCE_NOT_SAVED', 2, false]);
    expect(await json('report @last --output r.html')).toEqual(['RESOURCE_NOT_SAVED', 2, true]);
    const [pending] = JSON.parse((await done(right, ['pending', 'list', '--json'])).stdout) as {
      id: string;
      run: string;
    }[];
    expect(await json(`log show ${pending?.run ?? ''}`)).toEqual(['STATE_UNREADABLE', 3, true]);
    // The credentials are those of the profile, and an unknown payment may be meant by @last.
    expect(await json('consent status @last')).toEqual(['STATE_UNREADABLE', 3, true]);
    expect(await json('payment status @last')).toEqual(['STATE_UNREADABLE', 3, true]);
    for (const words of ['pending show', 'pending resolve --not-created --reason wrong'])
      expect(await json(`${words} ${pending?.id ?? ''}`), words).toEqual(['RESOURCE_NOT_SAVED', 2, true]);
    expect(await json('state import')).toEqual(['STATE_UNREADABLE', 3, false]);
    expect(await json('state rekey')).toEqual(['STATE_UNREADABLE', 3, false]);
  });

  it('gets commands that run as they are printed', async () => {
    const [doctor = [], config = [], ...others] = oneError(await run(wrong, pay('redirect'))).hint.map(
      (line) => wordsOf(line).args,
    );
    expect(others).toEqual([]);
    const examined = await run(wrong, [...doctor, '--json']);
    expect(examined.code).toBe(10);
    const { findings } = JSON.parse(examined.stdout) as {
      findings: { check: string; state: string; hint: string | null }[];
    };
    const key = findings.find(({ check }) => check === 'key');
    expect(key?.state).toBe('fail');
    for (const words of [config, wordsOf(key?.hint ?? '').args]) {
      await done(wrong, words);
      const both = await done(wrong, ['payment', 'list', '--json'], { OBK_STATE_OLD_KEY: testKey });
      expect(both).toMatchObject({
        stdout: (await done(right, ['payment', 'list', '--json'])).stdout,
        stderr: '',
      });
      const [, , ...set] = words;
      await done(wrong, ['config', 'unset', ...set.filter((word) => !word.startsWith('env:'))]);
    }
  });

  it('leaves what others have made out of what it has made itself, and reads no account with it', async () => {
    const made = resource({
      profile: 'own',
      noun: 'consent',
      id: 'c-own',
      status: 'valid',
      ...{ environment: 'sandbox', baseUrl: bank.baseUrl },
    });
    const vault = createVault([new Secret(wrongKey)]);
    // As a run of an older obk could.
    const own = fleetIn(shared.open(), { codec: vault, stateDir: 'two' }).resources;
    for (const profile of ['own', 'acme']) await own.save({ ...made, profile });
    const arrived = bank.arrivals().length;
    const accounts = await run(wrong, [
      'accounts',
      'list',
      '--consent',
      'c-own',
      '--profile',
      'own',
      '--json',
    ]);
    expect(oneError(accounts).code).toBe('STATE_UNREADABLE');
    expect(bank.arrivals().length).toBe(arrived);
    const [mine, theirs] = await Promise.all(
      [wrong, right].map((machine) => run(machine, ['consent', 'list', '--profile', 'acme', '--json'])),
    );
    const shown = ({ stdout }: Ran) =>
      (JSON.parse(stdout) as { consentId: string }[]).map((one) => one.consentId);
    expect(mine && shown(mine)).toEqual(['c-own']);
    expect(theirs && shown(theirs)).toEqual([ids[2]]);
    if (theirs !== undefined) expectLeftOut(theirs, 1, wrongKey, theirs.stdout);
    await (await shared.administer()).rows("DELETE FROM obk.resource WHERE id = 'c-own'");
    await shared.end();
  });

  it('does not spoil anything: the state is exported and sealed with another key', async () => {
    const before = await listed(right);
    // It refuses while somebody is connected.
    await shared.end();
    await done(right, ['state', 'export', '--to', join(folder, 'exported'), '--json']);
    const next: Machine = { ...right, key: '11'.repeat(32) };
    const old = { OBK_STATE_OLD_KEY_FROM: 'env:OLD', OLD: testKey };
    await done(next, ['state', 'rekey', '--json'], old);
    expect(await listed(next)).toEqual(before);
  });
});
