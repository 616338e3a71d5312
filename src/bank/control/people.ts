import type { ValueOf } from '../../base/schema.ts';
import { formatMinor, parseAmount } from '../../standard/formats/money/amount.ts';
import type { Added } from '../config/added.ts';
import type { BankSeed } from '../statements/seed.ts';
import type { PersonToAdd } from '../config/plan.ts';
import type { Database } from '../books/database.ts';
import { ownIban } from '../books/iban.ts';
import { findPerson, forgetWrongSecrets, updatePerson } from '../books/people.ts';
import type { GivenSecrets, LedgerPerson } from '../books/people.ts';
import { removePerson } from '../steering/leave.ts';
import { duly } from './control-call.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { absent, badRequest, notThere, Problem } from './problem.ts';
import { shownPeople } from '../steering/shown-people.ts';
import type { BankPerson } from '../steering/shown-people.ts';
import { flag, integer, list, named, object, text, within, words } from '../openapi/schema.ts';
import { Amount, approaches, Currency, PsuId } from '../openapi/shared-schemas.ts';
import { exampleIds, inPath } from '../openapi/operation.ts';

/** The part of a seed that is written in one go: others call the bank in between. */
const part = 10_000;

const anna = {
  psuId: 'anna',
  description: 'redirect, started by the bank',
  approach: 'REDIRECT',
  start: 'implicit',
  methods: [{ id: 'sms', type: 'SMS_OTP', name: 'SMS to +49 151 *** 42' }],
  accounts: [{ iban: 'DE40100100103307118608', currency: 'EUR', balance: '250.00' }],
  cards: [],
  password: 'secret',
  otp: '123456',
};

/** An example of what ended. */
export const left = { consents: [exampleIds.consent], payments: [exampleIds.payment] };

const Method = named(
  'Method',
  object({
    id: text('authenticationMethodId'),
    type: words(['SMS_OTP', 'CHIP_OTP', 'PUSH_OTP', 'PHOTO_OTP', 'SMTP_OTP']),
    name: text(),
  }),
);

const AccountMoney = named(
  'AccountMoney',
  object(
    { iban: text('Empty where the account has none.'), currency: Currency, balance: Amount },
    { bban: text(), msisdn: text() },
  ),
);

const Person = named(
  'Person',
  object(
    {
      psuId: PsuId,
      description: text('What happens with this PSU.'),
      approach: words(approaches),
      start: words(['implicit', 'explicit'], 'Whether the bank or the TPP starts the authorisation.'),
      methods: list(Method),
      accounts: list(AccountMoney),
      cards: list(object({ pan: text(), maskedPan: text(), currency: Currency, balance: Amount })),
      password: text('Test data.'),
      otp: text('The one-time password, which stays the same.'),
    },
    {
      corporateId: text('The company that the PSU acts for: PSU-Corporate-ID must come with the PSU-ID.'),
      additionalPassword: text('The second password, where the bank asks for one.'),
      locked: flag(
        'True where the access is locked after too many wrong secrets; PATCH with false unlocks it.',
      ),
      encryptedPassword: text(
        'The password as this bank alone can decrypt it, ready for use where passwords come encrypted. Each answer encrypts it anew.',
      ),
      additionalEncryptedPassword: text('The same for the second password.'),
    },
    'A PSU with what a test needs to authorise.',
  ),
);

/** What ended with an account or its owner. */
export const Left = named(
  'Left',
  object(
    {
      consents: list(text(), 'Consents that were revoked, or rejected where they were not valid yet.'),
      payments: list(text(), 'Payments that were rejected (RJCT), since they had not ended.'),
    },
    {},
    'What ended with it.',
  ),
);

const Generated = named(
  'Generated',
  object({
    psuId: PsuId,
    iban: text(),
    balance: Amount,
    currency: Currency,
    entries: integer('How many entries the account has now.'),
  }),
);

const GenerateTransactions = named(
  'GenerateTransactions',
  object(
    { count: within(1, 1000000) },
    {
      from: integer('Only those from this number on.', { minimum: 0 }),
      to: integer('Only those before this number.', { minimum: 1 }),
    },
  ),
);

const byPsuId = inPath('psuId', 'The PSU-ID.', 'redirect');

/** The PSUs of the bank. */
export const people = {
  listPeople: {
    at: 'GET /people',
    summary: 'The PSUs',
    about: 'With their test passwords, one-time passwords and accounts.',
    gives: {
      status: 200,
      about: 'All PSUs.',
      schema: object({ people: list(Person) }),
      example: { people: [anna] },
    },
    run: (call) => ({ status: 200, body: { people: all(call) } }),
  },
  addPerson: {
    at: 'POST /people',
    summary: 'Add a PSU',
    about:
      "All that a bank's file takes of a customer: several approaches, methods, limits, accounts with any number and currency, their balances and entries. Without accounts the PSU has one in EUR with the balance that is given (1000.00 if none is). The PSU is there until the next reset.",
    takes: {
      schema: async () => (await import('../openapi/of-file.ts')).NewPerson,
      example: { psuId: 'anna', approach: 'REDIRECT', password: 'secret', otp: '123456', balance: '250.00' },
    },
    gives: { status: 201, about: 'The PSU as the bank has it.', schema: Person, example: anna },
    also: [409],
    async run(call: ControlCall<Wish>) {
      const { balance, ...wish } = call.body;
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
      return { status: 201, body: one(call, psuId) };
    },
  },
  changePerson: {
    at: 'PATCH /people/{psuId}',
    summary: 'Change a PSU',
    about:
      "Whatever a bank's file says of a customer, but for the accounts, which have paths of their own. It is there until the next reset.",
    parameters: [byPsuId],
    takes: {
      schema: async () => (await import('../openapi/of-file.ts')).ChangedPerson,
      example: { approach: 'DECOUPLED', phone: { decision: 'approve', afterMs: 0 }, limits: { attempts: 3 } },
    },
    gives: {
      status: 200,
      about: 'The PSU as the bank has them now.',
      schema: Person,
      example: { ...anna, psuId: 'redirect' },
    },
    also: [404],
    async run(call: ControlCall<object & GivenSecrets>) {
      const { main } = call.books.ledger;
      const { changedCustomer } = await import('../config/added.ts');
      const known = knownPerson(call);
      const person = await read(call, changedCustomer(main, known, call.body));
      // Known passwords of an open bank are not those of the ledger.
      const { password, otp, additionalPassword } = call.body;
      if (known.locked && !person.locked) forgetWrongSecrets(main, known.psuId);
      updatePerson(main, person.definition, {
        locked: person.locked,
        password,
        otp,
        additionalPassword,
      });
      return { status: 200, body: one(call, known.psuId) };
    },
  },
  removePerson: {
    at: 'DELETE /people/{psuId}',
    summary: 'Remove a PSU',
    about:
      'The accounts are closed: their entries stay in the books, their numbers are free. Payments that have not ended are rejected (RJCT), consents are revoked (revokedByPsu), or rejected where they were not valid yet; so are the consents of others that name these accounts. Open authorisations fail, logins and tokens end. A reset brings the PSU back.',
    parameters: [inPath('psuId', 'The PSU-ID.', 'anna')],
    gives: { status: 200, about: 'What ended with it.', schema: Left, example: left },
    also: [404],
    run(call) {
      const { main } = call.books.ledger;
      const { psuId } = knownPerson(call);
      const now = call.books.clock.now();
      return { status: 200, body: main.atomically(() => removePerson(main, psuId, now)) };
    },
  },
  getPerson: {
    at: 'GET /people/{psuId}',
    summary: 'One PSU',
    about: 'With the test password, the one-time password and the accounts.',
    parameters: [byPsuId],
    gives: { status: 200, about: 'The PSU.', schema: Person, example: { ...anna, psuId: 'redirect' } },
    also: [404],
    run: (call) => ({ status: 200, body: one(call, call.path['psuId'] ?? '') }),
  },
  generateTransactions: {
    at: 'POST /people/{psuId}/generated-transactions',
    summary: 'Write many transactions',
    about:
      'Spread over the last three years, into the first account of the PSU, to try long reports. A million takes a while; from and to make a part of them.',
    parameters: [byPsuId],
    takes: { schema: GenerateTransactions, example: { count: 1000 } },
    gives: {
      status: 201,
      about: 'They are in the books.',
      schema: Generated,
      example: {
        psuId: 'redirect',
        iban: 'DE40100100103307118608',
        balance: '10000.00',
        currency: 'EUR',
        entries: 1003,
      },
    },
    also: [404],
    async run(call: ControlCall<ValueOf<typeof GenerateTransactions>>) {
      const psuId = call.path['psuId'] ?? '';
      const main = duly(call);
      if (findPerson(main, psuId) === undefined)
        throw absent(
          `The bank knows no PSU ${psuId}.`,
          'people',
          'It is unknown, or was forgotten by a reset.',
        );
      const { count, from = 0, to = count } = call.body;
      if (from >= to || to > count)
        throw badRequest('/to is not after /from, or is above /count.', 'They name a part of them.', '/to');
      const { seedTransactions } = await import('../statements/seed.ts');
      let seeded: BankSeed | undefined;
      for (let done = from; done < to; done += part) {
        const seed = { from: done, to: Math.min(done + part, to), of: count, psuId };
        seeded = seedTransactions(main, seed, call.books.clock.now());
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { status: 201, body: seeded as BankSeed };
    },
  },
} as const satisfies Operations;

function all(call: ControlCall): BankPerson[] {
  duly(call);
  return shownPeople(call.books.ledger);
}

function one(call: ControlCall, psuId: string): BankPerson {
  const found = all(call).find((person) => person.psuId === psuId);
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
