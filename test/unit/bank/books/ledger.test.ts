import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/bank/books/database.ts';
import { ownIban } from '../../../../src/bank/books/iban.ts';
import { accountsOf, findAccount } from '../../../../src/bank/books/accounts.ts';
import { book, clearingIban } from '../../../../src/bank/books/double-entry.ts';
import { openLedger, resetLedger } from '../../../../src/bank/books/ledger.ts';
import type { Ledger } from '../../../../src/bank/books/ledger.ts';
import { allPeople } from '../../../../src/bank/books/people.ts';
import { checkIban } from '../../../../src/standard/xs2a/check.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const newPath = () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-ledger-'));
  folders.push(folder);
  return join(folder, 'ledger.db');
};
const now = new Date('2026-06-01T12:00:00Z');

/** Every booking sums to zero, and every balance is the sum of its entries. */
function balanced({ main }: Ledger): void {
  expect(main.all('SELECT bookingId FROM entries GROUP BY bookingId HAVING sum(minor) <> 0')).toEqual([]);
  expect(
    main.all(
      'SELECT iban FROM accounts a WHERE balance <> (SELECT coalesce(sum(minor), 0) FROM entries e WHERE e.accountId = a.accountId)',
    ),
  ).toEqual([]);
}

describe('a new ledger', () => {
  it('has people with valid accounts and secrets of their own', async () => {
    const one = openLedger(':memory:', now);
    const two = openLedger(':memory:', now);
    balanced(one);
    const people = allPeople(one.main);
    expect(people.map(({ psuId }) => psuId)).toEqual(
      expect.arrayContaining(['redirect', 'embedded-choice', 'decoupled', 'locked', 'no-funds']),
    );
    for (const person of people) {
      expect(person.otp).toMatch(/^[0-9]{6}$/);
      for (const { iban } of accountsOf(one.main, person.psuId))
        expect(checkIban(iban!)).toEqual({ ok: true, value: iban });
    }
    expect(accountsOf(one.main, 'redirect').map(({ iban }) => iban?.slice(0, 2))).toEqual(['DE', 'NL']);
    const secrets = (ledger: Ledger) => allPeople(ledger.main).map(({ password }) => password);
    expect(new Set([...secrets(one), ...secrets(two)]).size).toBe(2 * people.length);
    expect(one.id).not.toBe(two.id);
    one.close();
    two.close();
  });

  it('is for its owner only', async () => {
    const path = newPath();
    const ledger = openLedger(path, now);
    for (const name of readdirSync(join(path, '..')))
      expect(statSync(join(path, '..', name)).mode & 0o077).toBe(0);
    ledger.close();
  });
});

describe('a booking', () => {
  it('moves both sides, exactly, also beyond 2^53', async () => {
    const ledger = openLedger(':memory:', now);
    const [account] = accountsOf(ledger.main, 'redirect');
    const huge = 90_071_992_547_409_931n;
    ledger.main.atomically(() => {
      book(ledger.main, { bookedAt: now.toISOString() }, [
        { iban: account!.iban!, minor: huge },
        { iban: clearingIban, minor: -huge },
      ]);
    });
    expect(findAccount(ledger.main, account!.iban!)?.balance).toBe(account!.balance + huge);
    balanced(ledger);
    ledger.close();
  });

  it('is refused where it does not sum to zero, and undone completely', async () => {
    const ledger = openLedger(':memory:', now);
    const { iban: number, balance } = accountsOf(ledger.main, 'redirect')[0]!;
    const iban = number!;
    expect(() => {
      book(ledger.main, { bookedAt: '' }, [{ iban, minor: 1n }]);
    }).toThrow('sum to zero');
    const broken = () =>
      ledger.main.atomically(() => {
        book(ledger.main, { bookedAt: '' }, [
          { iban, minor: 5n },
          { iban: clearingIban, minor: -5n },
        ]);
        throw new Error('later');
      });
    expect(broken).toThrow('later');
    expect(findAccount(ledger.main, iban)?.balance).toBe(balance);
    ledger.close();
  });
});

describe('a ledger', () => {
  it('keeps its people when it is opened again, and its id when it is reset', async () => {
    const path = newPath();
    const first = openLedger(path, now);
    const people = allPeople(first.main);
    first.close();
    const second = openLedger(path, now);
    expect(allPeople(second.main)).toEqual(people);
    resetLedger(second, now);
    expect(allPeople(second.main)).not.toEqual(people);
    second.close();
    const third = openLedger(path, now);
    expect(third.id).toBe(first.id);
    third.close();
  });

  it('is refused where it is of a newer version', async () => {
    const path = newPath();
    openLedger(path, now).close();
    const database = openDatabase(path, { durable: true });
    database.run("UPDATE meta SET value = '99' WHERE key = 'schemaVersion'");
    database.close();
    expect(() => openLedger(path, now)).toThrow(expect.objectContaining({ code: 'STATE_NEWER' }));
  });
});

it('a ledger makes IBANs of its own bank code with right check digits', () => {
  for (let n = 0; n < 200; n++) {
    for (const country of ['DE', 'NL'] as const) {
      const iban = ownIban(country, n * 37);
      expect(checkIban(iban)).toEqual({ ok: true, value: iban });
    }
  }
});
