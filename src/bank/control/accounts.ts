import { accountById, accountsOf, cardsOf, updateAccount } from '../books/accounts.ts';
import type { Account as KeptAccount } from '../books/accounts.ts';
import { allPeople, findPerson } from '../books/people.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { removeAccount } from '../steering/leave.ts';
import { freeIban, Left, left, taken, textOf, unlessTaken } from './people.ts';
import { notThere } from './problem.ts';
import { list, named, object, orNull, text, textUpTo } from '../openapi/schema.ts';
import { Amount, Currency, PsuId } from '../openapi/shared-schemas.ts';
import { inPath, inQuery } from '../openapi/operation.ts';
import { duly } from './control-call.ts';

const currentAccount = {
  accountId: '5',
  iban: 'DE40100100103307118608',
  bban: null,
  msisdn: null,
  pan: null,
  currency: 'EUR',
  name: 'Current account',
  psuId: 'redirect',
  balance: '10000.00',
};

const Account = named(
  'Account',
  object({
    accountId: text('The number of the account in the ledger.'),
    iban: orNull(text()),
    bban: orNull(text()),
    msisdn: orNull(text()),
    pan: orNull(text('Of a card account.')),
    currency: Currency,
    name: text(),
    psuId: PsuId,
    balance: Amount,
  }),
);

/** The parameter of the path that names an account. */
export const byAccount = inPath(
  'account',
  'An IBAN, or the accountId; an IBAN of several currencies means the account in EUR.',
  'DE89370400440532013000',
);

/** The accounts of the customers. */
export const accounts = {
  listAccounts: {
    at: 'GET /accounts',
    summary: 'The accounts of the PSUs',
    about: 'Card accounts too.',
    parameters: [inQuery('psuId', 'Those of this PSU only.', 'redirect', textUpTo(140))],
    gives: {
      status: 200,
      about: 'The accounts, those of a PSU one after another.',
      schema: object({ accounts: list(Account) }),
      example: { accounts: [currentAccount] },
    },
    run(call) {
      const main = duly(call);
      const { psuId } = call.given;
      const owners = psuId === undefined ? allPeople(main).map((one) => one.psuId) : [String(psuId)];
      const found = owners.flatMap((owner) => [...accountsOf(main, owner), ...cardsOf(main, owner)]);
      return { status: 200, body: { accounts: found.map(shown) } };
    },
  },
  addAccount: {
    at: 'POST /accounts',
    summary: 'Open an account',
    about:
      "As the account of a bank's file. It has no past but the transactions that are given, and the balance that is given (0.00 if none is); without any number it gets an IBAN.",
    takes: {
      schema: async () => (await import('../openapi/of-file.ts')).NewAccount,
      example: { psuId: 'redirect', iban: 'DE89370400440532013000', name: 'Savings', balance: '12.50' },
    },
    gives: {
      status: 201,
      about: 'The account as the bank has it.',
      schema: Account,
      example: {
        ...currentAccount,
        accountId: '200',
        iban: 'DE89370400440532013000',
        name: 'Savings',
        balance: '12.50',
      },
    },
    also: [404, 409],
    async run(call: ControlCall<{ psuId: string } & Readonly<Record<string, unknown>>>) {
      const { main } = call.books.ledger;
      const { psuId, ...wish } = call.body;
      const { readAccount } = await import('../config/added.ts');
      const { addAccounts } = await import('../config/fill.ts');
      if (findPerson(main, psuId) === undefined) throw notThere('PSU', psuId, 'people');
      const isNamed = ['iban', 'bban', 'msisdn', 'pan', 'maskedPan'].some((name) => wish[name] !== undefined);
      const given = isNamed ? wish : { iban: freeIban(main), ...wish };
      const account = taken(await readAccount(main, given, { psuId, place: psuId }));
      let added: bigint | undefined;
      main.atomically(() => {
        unlessTaken(() => {
          [added] = addAccounts(main, psuId, [account], call.books.clock.now());
        });
      });
      return { status: 201, body: shown(accountById(main, added ?? 0n) as KeptAccount) };
    },
  },
  changeAccount: {
    at: 'PATCH /accounts/{account}',
    summary: 'Change an account',
    about: 'Name, owner, product, limit, status and the like. It is there until the next reset.',
    parameters: [byAccount],
    takes: {
      schema: async () => (await import('../openapi/of-file.ts')).ChangedAccount,
      example: { name: 'Holidays', creditLimit: '500.00', status: 'blocked' },
    },
    gives: {
      status: 200,
      about: 'The account as the bank has it now.',
      schema: Account,
      example: currentAccount,
    },
    also: [404],
    async run(call: ControlCall<object>) {
      const { main } = call.books.ledger;
      const account = accountOf(call);
      const { accountId, psuId } = account;
      const { changedAccount, readAccount } = await import('../config/added.ts');
      const whole = changedAccount(main, account, call.body);
      const { name, facts, creditLimit } = taken(
        await readAccount(main, whole, { psuId: psuId ?? '', place: psuId ?? '' }),
      );
      updateAccount(main, accountId, { name, facts, creditLimit });
      return { status: 200, body: shown(accountById(main, accountId) as KeptAccount) };
    },
  },
  removeAccount: {
    at: 'DELETE /accounts/{account}',
    summary: 'Remove an account',
    about:
      'Its entries stay in the books, its numbers are free. Payments from it that have not ended are rejected (RJCT), and consents that name it are revoked, or rejected where they were not valid yet. A reset brings it back.',
    parameters: [byAccount],
    gives: { status: 200, about: 'What ended with it.', schema: Left, example: left },
    also: [404],
    run(call) {
      const { main } = call.books.ledger;
      const account = accountOf(call);
      const now = call.books.clock.now();
      return { status: 200, body: main.atomically(() => removeAccount(main, account, now)) };
    },
  },
  getAccount: {
    at: 'GET /accounts/{account}',
    summary: 'One account',
    about: 'With its booked balance.',
    parameters: [byAccount],
    gives: { status: 200, about: 'The account.', schema: Account, example: currentAccount },
    also: [404],
    run: (call) => ({ status: 200, body: shown(accountOf(call)) }),
  },
} as const satisfies Operations;

/** The account that the path names, with all done that is due; throws a problem (404). */
export function accountOf(call: ControlCall): KeptAccount {
  const main = duly(call);
  const name = call.path['account'] ?? '';
  const byNumber = /^[0-9]{1,15}$/.test(name) ? accountById(main, BigInt(name)) : undefined;
  const byIban = main.one<{ accountId: bigint }>(
    "SELECT accountId FROM accounts WHERE iban = ? ORDER BY currency = 'EUR' DESC, position LIMIT 1",
    name,
  );
  const found = byNumber ?? (byIban && accountById(main, byIban.accountId));
  if (found === undefined || found.psuId === null) throw notThere('account', name, 'accounts');
  return found;
}

const shown = ({ accountId, iban, bban, msisdn, pan, currency, name, psuId, balance }: KeptAccount) => ({
  accountId: String(accountId),
  iban,
  bban,
  msisdn,
  pan,
  currency,
  name,
  psuId,
  balance: textOf(balance, currency),
});
