import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { consentBody } from '../consent-scene.ts';
import { href } from '../scene.ts';
import type { Links } from '../scene.ts';
import { judgedTpp, testJudge } from '../tpp.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-card-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const config = join(folder, 'bank.yaml');
const card = '411111******1111';
const write = (policy: string) => {
  writeFileSync(
    config,
    `
clock: { at: 2026-03-02T09:00:00Z, stands: true }
policy: { psuId: ${policy} }
scenario: { rateLimit: off, surface: framework }
people:
  - { psuId: ann, approach: DECOUPLED, accounts: [{ maskedPan: ${card}, balance: -20.00 }] }
  - { psuId: bob, approach: DECOUPLED, accounts: [{ maskedPan: ${card}, balance: -7.00 }, { iban: DE89370400440532013000 }] }
  - { psuId: cai, approach: DECOUPLED, accounts: [{ iban: FR7630006000011234567890189 }] }
`,
  );
};
const clock = { now: () => new Date('2026-06-01T12:00:00Z') };
let bank: TestBank;
let call: ReturnType<typeof judgedTpp>;
const start = async (policy: string) => {
  write(policy);
  bank = await startBank({ clock, config, database: join(mkdtempSync(join(folder, 'db-')), 'ledger.db') });
  call = judgedTpp(bank);
};
afterEach(() => bank.close());
describe('each call', () => {
  beforeEach(() => start('optional'));
  testJudge(() => bank);
});

const ask = (psuId?: string, accounts: object[] = [{ maskedPan: card }]) =>
  call('POST', '/v1/consents', {
    body: consentBody({ accounts, balances: accounts }),
    headers: { ...(psuId !== undefined && { 'PSU-ID': psuId }), 'TPP-Redirect-URI': 'https://tpp.test/' },
  });

describe.each(['optional', 'from-account'])(
  'a card number that several customers share, PSU-ID %s',
  (one) => {
    beforeEach(() => start(one));
    it.each([
      ['ann', '-20.00'],
      ['bob', '-7.00'],
    ])('belongs to the PSU whom the call names: %s', async (psuId, balance) => {
      const made = await ask(psuId);
      expect(made.status, made.text).toBe(201);
      const links = made.json._links as Links;
      const start = Object.keys(links).find((name) => name.startsWith('startAuthorisation'));
      if (start !== undefined) await call('POST', href(links, start), { headers: { 'PSU-ID': psuId } });
      bank.decide('approve', made.json.consentId as string, psuId);
      const headers = { 'Consent-ID': made.json.consentId as string };
      const list = await call('GET', '/v1/card-accounts', { headers });
      expect(list.json.cardAccounts).toHaveLength(1);
      const id = list.json.cardAccounts[0].resourceId as string;
      const balances = await call('GET', `/v1/card-accounts/${id}/balances`, { headers });
      expect(balances.status, balances.text).toBe(200);
      expect(balances.json.balances[0].balanceAmount).toEqual({ currency: 'EUR', amount: balance });
    });

    it.each([
      ['no PSU is named', undefined, [{ maskedPan: card }], 'different PSUs'],
      ['the PSU named has none', 'cai', [{ maskedPan: card }], 'different PSUs'],
      [
        'another account is not theirs',
        'ann',
        [{ maskedPan: card }, { iban: 'DE89370400440532013000' }],
        'different PSUs',
      ],
    ])('is refused where %s', async (_, psuId, accounts, told) => {
      const refused = await ask(psuId, accounts);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(told);
    });

    it('works with an account of the same PSU', async () => {
      const made = await ask('bob', [{ maskedPan: card }, { iban: 'DE89370400440532013000' }]);
      expect(made.status, made.text).toBe(201);
    });
  },
);
