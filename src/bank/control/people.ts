import { formatMinor, parseAmount } from '../../standard/formats/money/amount.ts';
import type { Added } from '../config/added.ts';
import type { PersonToAdd } from '../config/plan.ts';
import type { Database } from '../books/database.ts';
import { ownIban } from '../books/iban.ts';
import { findPerson, forgetWrongSecrets, updatePerson } from '../books/people.ts';
import type { GivenSecrets, LedgerPerson } from '../books/people.ts';
import { removePerson } from '../steering/leave.ts';
import type { SteeredPerson } from '../steering/steering.ts';
import { act } from './control-call.ts';
import type { ControlCall, ControlHandler } from './control-call.ts';
import { badRequest, notThere, Problem } from './problem.ts';

/** The part of a seed that is written in one go: others call the bank in between. */
const part = 10_000;

/** The PSUs of the bank. */
export const people = {
  listPeople: async (call) => ({ status: 200, body: { people: await all(call) } }),
  async addPerson(call) {
    const { balance, ...wish } = call.body as Wish;
    const { main } = call.books.ledger;
    const { addPeople } = await import('../config/fill.ts');
    const person = await read(call, withAccount(main, wish, balance));
    const { psuId } = person.definition;
    main.atomically(() => {
      if (findPerson(main, psuId) !== undefined)
        throw new Problem(409, {
          title: `There is a PSU ${psuId} already.`,
          detail: 'A PSU-ID is of one PSU.',
          next: [
            `PATCH /sandbox/api/people/${encodeURIComponent(psuId)}`,
            `DELETE /sandbox/api/people/${encodeURIComponent(psuId)}`,
          ],
        });
      unlessTaken(() => {
        addPeople(main, [person], call.books.clock.now());
      });
    });
    return { status: 201, body: await one(call, psuId) };
  },
  async changePerson(call) {
    const { main } = call.books.ledger;
    const { changedCustomer } = await import('../config/added.ts');
    const known = knownPerson(call);
    const person = await read(call, changedCustomer(main, known, call.body as object));
    // Known passwords of an open bank are not those of the ledger.
    const { password, otp, additionalPassword } = call.body as GivenSecrets;
    if (known.locked && !person.locked) forgetWrongSecrets(main, known.psuId);
    updatePerson(main, person.definition, {
      locked: person.locked,
      password,
      otp,
      additionalPassword,
    });
    return { status: 200, body: await one(call, known.psuId) };
  },
  removePerson(call) {
    const { main } = call.books.ledger;
    const { psuId } = knownPerson(call);
    const now = call.books.clock.now();
    return { status: 200, body: main.atomically(() => removePerson(main, psuId, now)) };
  },
  getPerson: async (call) => ({ status: 200, body: await one(call, call.path['psuId'] ?? '') }),
  async generateTransactions(call) {
    const psuId = call.path['psuId'] ?? '';
    await one(call, psuId);
    const { count, from = 0, to = count } = call.body as { count: number; from?: number; to?: number };
    if (from >= to || to > count)
      throw badRequest('/to is not after /from, or is above /count.', 'They name a part of them.', '/to');
    let result: unknown;
    for (let done = from; done < to; done += part) {
      const seed = { from: done, to: Math.min(done + part, to), of: count, psuId };
      result = await act(call, { do: 'seed', seed });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { status: 201, body: result as object };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

const all = async (call: ControlCall): Promise<SteeredPerson[]> =>
  (await act(call, { do: 'people' })) as SteeredPerson[];

async function one(call: ControlCall, psuId: string): Promise<SteeredPerson> {
  const found = (await all(call)).find((person) => person.psuId === psuId);
  if (found === undefined) throw notThere('PSU', psuId, 'people');
  return found;
}

/** What a tester says of a new customer: all that a bank's file takes, or the balance of one account in EUR. */
type Wish = Readonly<Record<string, unknown>> & { balance?: string };

function withAccount(main: Database, wish: Wish, balance: string | undefined): object {
  const { accounts } = wish;
  if (accounts !== undefined && balance !== undefined)
    throw badRequest(
      '/balance stands beside /accounts.',
      'It is that of the account without them.',
      '/balance',
    );
  const opening = balance ?? '1000.00';
  minorOf(opening, 'EUR', '/balance');
  const usual = { iban: freeIban(main), name: 'Current account', balance: opening };
  return { ...wish, accounts: accounts ?? [usual] };
}

function knownPerson(call: ControlCall): LedgerPerson {
  const psuId = call.path['psuId'] ?? '';
  const found = findPerson(call.books.ledger.main, psuId);
  if (found === undefined) throw notThere('PSU', psuId, 'people');
  return found;
}

/** Reads a customer as a bank's file has them; throws a problem (400). */
async function read(call: ControlCall, given: object): Promise<PersonToAdd> {
  const { readCustomer } = await import('../config/added.ts');
  return taken(await readCustomer(call.books.ledger.main, given));
}

/** Returns what was read; throws a problem (400) with the pointer of what is wrong. */
export function taken<Value>(added: Added<Value>): Value {
  if ('value' in added) return added.value;
  const { path, why } = added.fault;
  const pointer = path === '' ? '' : `/${path.replace(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`;
  const sentence = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  throw badRequest(`${pointer === '' ? 'The body' : pointer} is not right.`, sentence, pointer, [
    'obk sandbox schema   # every key',
  ]);
}

/** Writes to the books; throws a problem (409) where another account has a number of these. */
export function unlessTaken(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof Error) || !/UNIQUE/.test(error.message)) throw error;
    const what = /entries|transactionId/.test(error.message) ? 'transaction' : 'account';
    throw new Problem(409, {
      title: `There is such a${what === 'account' ? 'n' : ''} ${what} already.`,
      detail:
        what === 'account'
          ? 'An IBAN may have several currencies, each once.'
          : 'A transactionId is that of one entry.',
      next: ['GET /sandbox/api/accounts'],
    });
  }
}

/** An IBAN of this bank that no account has. */
export function freeIban(main: Database): string {
  for (let number = 500_000; ; number += 1) {
    const iban = ownIban('DE', number);
    if (main.one('SELECT 1 FROM accounts WHERE iban = ?', iban) === undefined) return iban;
  }
}

/** Reads an amount in minor units; throws a problem (400) where it is none of the currency. */
export function minorOf(amount: string, currency: string, pointer: string): bigint {
  const read = parseAmount(amount, currency);
  if (read.ok) return read.value.minor;
  throw badRequest(
    `${pointer} does not take ${amount}.`,
    `Of an amount in ${currency}: ${read.why}.`,
    pointer,
  );
}

/** An amount as a decimal text. */
export const textOf = (minor: bigint, currency: string): string => formatMinor(minor, currency);
