import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { mostSnapshots, restoreSnapshot, saveSnapshot } from '../../../../src/bank/books/snapshots.ts';
import { startBank } from '../../../helpers/bank.ts';
import { isWhole, ranTable } from '../../../helpers/trials.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { consentBody } from '../consent-scene.ts';
import { payment, tppOf } from '../tpp.ts';

const clock = { now: () => new Date('2026-06-01T12:00:00Z') };
const open: TestBank[] = [];
async function started(options: Parameters<typeof startBank>[0] = {}): Promise<TestBank> {
  const bank = await startBank({ clock, ...options });
  open.push(bank);
  return bank;
}
afterAll(async () => {
  for (const bank of open) await bank.close();
});

/** A payment that is approved, a consent, and whatever else a tester changes. */
async function change({ bank, baseUrl, ...keys }: TestBank, amount: string): Promise<void> {
  const call = tppOf({ baseUrl, ...keys });
  const people = await bank.people();
  const { iban } = people.find(({ psuId }) => psuId === 'redirect')!.accounts[0]!;
  const headers = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
  const paid = await call('POST', '/v1/payments/sepa-credit-transfers', {
    body: payment(iban, amount),
    headers,
  });
  expect(paid.status, paid.text).toBe(201);
  await bank.decide('approve', paid.json.paymentId as string);
  const body = consentBody({ allPsd2: 'allAccounts' });
  const agreed = await call('POST', '/v1/consents', { body, headers });
  await bank.decide('approve', agreed.json.consentId as string);
}

async function changeAll(bank: TestBank): Promise<void> {
  await change(bank, '77.00');
  await bank.bank.setScenario('bulk', 'partial');
  await bank.bank.clock('+3d');
  await bank.bank.addFault({ operation: 'getPaymentInformation', kind: 'status', status: 500, count: 9 });
  await bank.bank.addClient({ clientId: 'PSDDE-BAFIN-999999', redirectUris: ['https://other.example/cb'] });
}

/** All that a tester sees of a bank. */
const seen = async ({ bank }: TestBank) => ({
  file: await bank.exportConfig(),
  calls: await bank.log(0),
  scenario: (await bank.scenarios()).map(({ name, value }) => `${name} ${value}`),
  faults: await bank.faults(),
  clients: await bank.clients(),
  clock: await bank.clock(),
});

describe.each(['file', 'memory'])('a snapshot of a ledger in %s', (where) => {
  it('restores everything, also after a reset, and shows who listens', async () => {
    const bank = await started(where === 'memory' ? { database: ':memory:', name: `memory-${where}` } : {});
    await change(bank, '12.50');
    await bank.bank.setScenario('deltas', 'reject');
    await bank.bank.addFault({ operation: '*', kind: 'delay', delayMs: 1, count: 3 });
    await bank.bank.clock('+1d');
    const before = await seen(bank);
    const { name, savedAt } = await bank.bank.snapshot('save', 'before');
    expect([name, savedAt]).toEqual(['before', '2026-06-01T12:00:00.000Z']);
    await changeAll(bank);
    const changed = await seen(bank);
    for (const part of ['file', 'calls', 'scenario', 'faults', 'clients', 'clock'] as const)
      expect(changed[part], part).not.toEqual(before[part]);
    await bank.bank.snapshot('restore', 'before');
    expect(await seen(bank)).toEqual(before);
    await changeAll(bank);
    await bank.bank.reset();
    expect((await bank.bank.snapshots()).map((one) => one.name)).toEqual(['before']);
    await bank.bank.snapshot('restore', 'before');
    expect(await seen(bank)).toEqual(before);
    // The bank goes on from there.
    await change(bank, '1.00');
    await bank.bank.snapshot('delete', 'before');
    expect(await bank.bank.snapshots()).toEqual([]);
    await expect(bank.bank.snapshot('restore', 'before')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('can be restored again and again without growing', () => {
    const ledger = ledgerOf(where);
    saveSnapshot(ledger, 'one', clock.now());
    const [warm, more] = isWhole ? [10, 190] : [5, 35];
    const pages = () => Number(ledger.main.one<{ page_count: bigint }>('PRAGMA page_count')?.page_count);
    const rows = () => ledger.main.all('SELECT * FROM sqlite_master UNION ALL SELECT * FROM sqlite_master');
    for (let time = 0; time < warm; time += 1) restoreSnapshot(ledger, 'one');
    const [most, schema] = [pages(), rows()];
    ranTable('200 restores of a snapshot');
    for (let time = 0; time < more; time += 1) restoreSnapshot(ledger, 'one');
    expect(pages()).toBeLessThanOrEqual(most);
    expect(rows()).toEqual(schema);
    ledger.close();
  });

  it('is refused with a hostile name or beyond the limit; one of the same name is replaced', () => {
    const ledger = ledgerOf(where);
    for (const name of ['', '.', '../x', 'a/b', "a'b", 'a"b', '-x', 'a b', 'x'.repeat(65), 'ä', 'a\0'])
      expect(() => saveSnapshot(ledger, name, clock.now()), name).toThrow('cannot be the name of a snapshot');
    for (let count = 0; count < mostSnapshots; count += 1)
      saveSnapshot(ledger, `s${String(count)}`, clock.now());
    saveSnapshot(ledger, 's0', clock.now());
    expect(() => saveSnapshot(ledger, 'more', clock.now())).toThrow('20 snapshots');
    for (const name of ["x' OR '1'='1", '../x'])
      expect(() => restoreSnapshot(ledger, name)).toThrow('has no snapshot');
    ledger.close();
  });
});

function ledgerOf(where: string) {
  const path =
    where === 'memory' ? ':memory:' : join(mkdtempSync(join(tmpdir(), 'obk-snapshots-')), 'ledger.db');
  return openLedger(path, clock.now());
}

it('a restore of a snapshot is all or nothing: a failure leaves the ledger as it was', () => {
  const ledger = ledgerOf('memory');
  saveSnapshot(ledger, 'one', clock.now());
  ledger.main.run("INSERT INTO scenario (key, value) VALUES ('bulk', 'partial')");
  ledger.main.exec('DROP TABLE snapshots."1 people"');
  expect(() => restoreSnapshot(ledger, 'one')).toThrow();
  expect(ledger.main.all('SELECT key FROM scenario')).toEqual([{ key: 'bulk' }]);
  ledger.close();
});

it('a snapshot is restored while calls arrive: each is answered, and sees one bank or the other', async () => {
  const bank = await started();
  const call = tppOf(bank);
  await bank.bank.setScenario('rateLimit', 'off');
  await bank.bank.snapshot('save', 'one');
  const path = '/v1/payments/sepa-credit-transfers';
  const body = payment(bank.person('redirect').accounts[0]!.iban);
  const headers = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
  const answers: Promise<number>[] = [];
  for (let time = 0; time < 10; time += 1) {
    for (let at = 0; at < 4; at += 1)
      answers.push(call('POST', path, { body, headers }).then(({ status }) => status));
    await bank.bank.snapshot('restore', 'one');
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([201]));
  await bank.bank.snapshot('restore', 'one');
  expect(bank.payments()).toEqual([]);
});

it('a snapshot stays in the file when the bank starts again, for its user only', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'obk-snapshots-'));
  const first = await startBank({ clock, stateDir });
  await first.bank.snapshot('save', 'kept');
  const path = join(stateDir, 'sandbox', 'ledger.db.snapshots');
  expect(existsSync(path)).toBe(true);
  expect(statSync(path).mode & 0o077).toBe(0);
  await first.close();
  const second = await started({ stateDir });
  expect((await second.bank.snapshots()).map(({ name }) => name)).toEqual(['kept']);
});
