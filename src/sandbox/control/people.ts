import { formatMinor, parseAmount } from '../../formats/amount.ts';
import { addAccount } from '../books/accounts.ts';
import type { Database } from '../books/database.ts';
import { ownIban } from '../books/iban.ts';
import { allPeople, findPerson, insertPerson } from '../books/people.ts';
import type { Approach, Method } from '../books/people.ts';
import { addOpening } from '../books/seed-people.ts';
import type { SteeredPerson } from '../steering/steering.ts';
import { act } from './control-call.ts';
import type { ControlCall, ControlHandler } from './control-call.ts';
import { badRequest, notThere, Problem } from './problem.ts';

interface NewPerson {
  psuId: string;
  name?: string;
  description?: string;
  approach?: Approach;
  start?: 'implicit' | 'explicit';
  methods?: readonly Method[];
  password?: string;
  otp?: string;
  balance?: string;
}

const sms: Method = { id: 'sms', type: 'SMS_OTP', name: 'SMS' };
/** The part of a seed that is written in one go: others call the bank in between. */
const part = 10_000;

/** The PSUs of the bank. */
export const people = {
  listPeople: async (call) => ({ status: 200, body: { people: await all(call) } }),
  async addPerson(call) {
    const wish = call.body as NewPerson;
    const { main } = call.books.ledger;
    if (findPerson(main, wish.psuId) !== undefined)
      throw new Problem(409, {
        title: `There is a PSU ${wish.psuId} already.`,
        detail: 'A PSU-ID is of one PSU.',
        next: [`GET /sandbox/api/people/${encodeURIComponent(wish.psuId)}`, 'POST /sandbox/api/reset'],
      });
    const opening = minorOf(wish.balance ?? '1000.00', 'EUR', '/balance');
    main.atomically(() => {
      add(main, wish, opening, call.books.clock.now());
    });
    return { status: 201, body: await one(call, wish.psuId) };
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

function add(main: Database, wish: NewPerson, opening: bigint, now: Date): void {
  const { psuId, name = psuId, approach = 'REDIRECT', methods = [sms] } = wish;
  const start = wish.start ?? (approach === 'EMBEDDED' || approach === 'DECOUPLED' ? 'explicit' : 'implicit');
  const definition = {
    psuId,
    name,
    description:
      wish.description ??
      `${approach.toLowerCase()}, started by the ${start === 'implicit' ? 'bank' : 'TPP'}`,
    approaches: [approach],
    start,
    methods: approach === 'DECOUPLED' ? [] : methods,
    booking: 'at-once',
    accounts: [],
  } as const;
  insertPerson(main, definition, nextPosition(main), {
    ...(wish.password !== undefined && { password: wish.password }),
    ...(wish.otp !== undefined && { otp: wish.otp }),
  });
  const iban = freeIban(main);
  const account = { iban, currency: 'EUR', psuId, name: 'Current account' };
  const accountId = addAccount(main, account, 0);
  withoutPast(main, accountId);
  addOpening(main, { accountId, iban, currency: 'EUR' }, opening, now);
}

const nextPosition = (main: Database): number => allPeople(main).length;

/** An IBAN of this bank that no account has. */
export function freeIban(main: Database): string {
  for (let number = 500_000; ; number += 1) {
    const iban = ownIban('DE', number);
    if (main.one('SELECT 1 FROM accounts WHERE iban = ?', iban) === undefined) return iban;
  }
}

/** What a tester opens has the entries that the tester adds, and no past that the bank makes up. */
export function withoutPast(main: Database, accountId: bigint): void {
  main.run('UPDATE accounts SET hasHistory = 1 WHERE accountId = ?', accountId);
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
