import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountsOf } from '../../../../src/bank/books/accounts.ts';
import { findPerson } from '../../../../src/bank/books/people.ts';
import { openLedger, resetLedger } from '../../../../src/bank/books/ledger.ts';
import { readyPeople } from '../../../../src/bank/books/ready-people.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';
import { authorisationsOf } from '../../../../src/bank/sca/authorisation-store.ts';
import { allConsents } from '../../../../src/bank/stores/consent-store.ts';
import { allPayments } from '../../../../src/bank/stores/payment-store.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = join(mkdtempSync(join(tmpdir(), 'obk-config-')), 'bank.yaml');
const now = new Date('2026-06-01T12:00:00Z');
const psuId = 'private-redirect-several';
const iban = readyPeople().find((one) => one.psuId === psuId)?.accounts[0]?.iban ?? '';
const options = { people: { from: '--people', values: ['options'] } };
const people = 'people: [{ psuId: anna, accounts: [{}] }]\n';
const named = `consents:
  - { consentId: c1, psuId: ${psuId}, access: { accounts: [{ iban: ${iban}, currency: EUR }] } }
payments:
  - psuId: ${psuId}
    body:
      debtorAccount: { iban: ${iban} }
      instructedAmount: { currency: EUR, amount: 12.00 }
      creditorAccount: { iban: DE89370400440532013000 }
      creditorName: Shop
`;

const bankOf = (text: string, ...given: Parameters<typeof readBank>[1][]) => {
  writeFileSync(path, text);
  return readBank(path, given[0]);
};

describe('the consents and payments of ready people', () => {
  it.each([
    ['by a flag', people + named, [options]],
    ['by the file', `doors: { people: options }\n${people}${named}`, []],
    ['by a flag alone', named, [options]],
    ['by the file alone', `doors: { people: options }\npeople: []\n${named}`, []],
  ] as const)('exist %s, also after a reset', async (_how, text, given) => {
    const { filling } = await bankOf(text, given);
    const ledger = openLedger(':memory:', now, filling);
    for (let round = 0; round < 2; round += 1) {
      expect(accountsOf(ledger.main, psuId).map((one) => one.iban)).toContain(iban);
      expect(allConsents(ledger.main)).toMatchObject([{ consentId: 'c1', psuId, status: 'valid' }]);
      expect(authorisationsOf(ledger.main, 'consent', 'c1')).toMatchObject([
        { psuId, scaStatus: 'finalised' },
      ]);
      expect(allPayments(ledger.main)).toMatchObject([{ psuId, content: { debtor: { iban } } }]);
      resetLedger(ledger, now);
    }
    ledger.close();
  });

  it.each(['doors: { open: yes }\n', 'people: []\n'])(
    'are named where a bank has no people: %j',
    async (text) => {
      const { detail } = await failedWith(bankOf(text));
      expect(detail).toContain('people: nobody is in it');
      expect(detail).toContain('--people options');
    },
  );

  it('may authorise with a customer of the file', async () => {
    const text = `people: [{ psuId: anna, authorisers: [anna, ${psuId}], accounts: [{ iban: SE45 5000 0000 0583 9825 7466 }] }]\n`;
    const { filling } = await bankOf(text, [options]);
    const ledger = openLedger(':memory:', now, filling);
    expect(findPerson(ledger.main, 'anna')).toMatchObject({ authorisers: ['anna', psuId] });
    ledger.close();
    const error = await failedWith(bankOf(text.replace(psuId, 'nobody'), [options]));
    expect(error.detail).toContain('1:38: people[0].authorisers: no customer has the PSU-ID "nobody"');
    const unasked = await failedWith(bankOf(text));
    expect(unasked.detail).toContain('who comes with --people options');
  });

  it('are refused by line and path where nobody asks for them, with what would bring them', async () => {
    const error = await failedWith(bankOf(people + named));
    const why = '; a ready customer has it, who comes with --people options (doors: { people: options })';
    expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', exit: 3 });
    expect(error.detail?.replaceAll(`${path}:`, '').split('\n')).toEqual([
      `3:29: consents[0].psuId: no customer has the PSU-ID "${psuId}"${why}`,
      expect.stringMatching(
        /^3:\d+: consents\[0\]\.access\.accounts\[0\]: no account of this file has that number; a ready/,
      ),
      `5:12: payments[0].psuId: no customer has the PSU-ID "${psuId}"${why}`,
      expect.stringMatching(
        /^7:7: payments\[0\]\.body: no account of this file is the debtor account; a ready/,
      ),
    ]);
  });

  it('have the accounts that the preset opens, by every number and currency', async () => {
    const { filling } = await bankOf(people, [options]);
    const ledger = openLedger(':memory:', now, filling);
    for (const ready of readyPeople()) {
      const opened = accountsOf(ledger.main, ready.psuId).map((one) => [
        one.iban ?? one.bban ?? one.msisdn,
        one.currency,
      ]);
      const promised = ready.accounts
        .filter(({ pan }) => pan === undefined)
        .map((one) => [one.iban ?? one.bban ?? one.msisdn, one.currency]);
      expect(promised).toEqual(opened);
    }
    ledger.close();
  });

  it('yield to a customer of the file with the same PSU-ID', async () => {
    const own = people.replace('anna', psuId);
    const error = await failedWith(bankOf(own + named, [options]));
    expect(error.detail).toMatch(
      /3:\d+: consents\[0\]\.access\.accounts\[0\]: no account of this file has that number$/m,
    );
    expect(error.detail).not.toContain('no customer');
  });
});
