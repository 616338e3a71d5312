import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Page, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { accountId, listAccounts, readAccount, readBalances } from '../../../client/accounts/accounts.ts';
import type { AccountKind } from '../../../client/accounts/accounts.ts';
import type { AccountRead } from '../../../client/accounts/counted-read.ts';
import type { Outcome } from '../../outcome.ts';
import { flatten } from '../../render/fields.ts';
import { cellText } from '../../render/table.ts';
import { definitions } from '../../render/wrap.ts';
import type { JsonObject } from '../../../standard/xs2a/json.ts';
import type { OperationId } from '../../../standard/xs2a/operations.ts';
import { accountRows, balanceRows } from './account-rows.ts';
import { flagsIf } from '../flags/flag-values.ts';
import { readOptions, withReading } from './read-options.ts';

type Verb = 'list' | 'get' | 'balances';

/** The words in which accounts and card accounts differ, besides their paths. */
const words = {
  account: { noun: 'accounts', one: 'account', what: 'IBAN or id of the account; the only one if not given' },
  card: { noun: 'cards', one: 'card account', what: 'masked-pan:NUMBER or id of the card account' },
} as const satisfies Record<AccountKind, object>;

const cardReads = {
  list: 'getCardAccount',
  get: 'ReadCardAccount',
  balances: 'getCardAccountBalances',
} as const satisfies Record<Verb, OperationId>;

/** The verbs that accounts and card accounts share. */
export function accountCommand(
  kind: AccountKind,
  verb: Verb,
  page: Page,
): { register: Register; run: Run<Options> } {
  const run: Run<Options> = (context, options) =>
    withReading(
      context,
      options,
      async (reading) => {
        const { outcome, body } = await read(reading, kind, verb, options);
        if (options.raw !== true) return outcome;
        return { kind: 'data', data: null, text: () => '', raw: body };
      },
      kind === 'card' ? { read: cardReads[verb] } : {},
    );
  const register: Register = (command, start) => start(flags(command, kind, verb), page, run);
  return { register, run };
}

function flags(command: Flags, kind: AccountKind, verb: Verb) {
  const { one, what } = words[kind];
  const named = flagsIf(verb !== 'list', command, (all) => all.argument('[id]', what));
  const form = flagsIf(verb !== 'balances', named, (all) =>
    all.option('--with-balance', `with the balances of the ${one}`),
  );
  return readOptions(form.option('--raw', 'the exact bytes of the bank'));
}

type Options = OptionsOf<typeof flags>;

async function read(
  reading: AccountRead,
  kind: AccountKind,
  verb: Verb,
  options: Options,
): Promise<{ outcome: Outcome; body: Uint8Array }> {
  const withBalance = options.withBalance === true;
  const { noun } = words[kind];
  if (verb === 'list') {
    const { answer, accounts } = await listAccounts(reading, kind, withBalance);
    const first = kind === 'card' ? undefined : accounts.map(({ iban, resourceId }) => iban ?? resourceId)[0];
    const next = typeof first === 'string' ? [line`obk transactions list --account ${first}`] : [];
    return { outcome: accountRows(accounts, { withBalance, next }), body: answer.body };
  }
  const id = await accountId(reading, kind, options.id, (one) => line`obk ${noun} ${verb} ${one}`);
  if (verb === 'balances') {
    const { answer, balances } = await readBalances(reading, kind, id);
    return { outcome: balanceRows(balances), body: answer.body };
  }
  const { answer, account } = await readAccount(reading, kind, id, withBalance);
  return {
    body: answer.body,
    outcome: {
      kind: 'data',
      data: account,
      text: (style) => objectText(account, style.width),
      name: id,
      next: [line`obk ${noun} balances ${id}`],
    },
  };
}

/** An object of the bank for a person, member by member; its links say nothing to them. */
export function objectText(object: JsonObject, width: number): string {
  return definitions(
    flatten(object)
      .filter(([name]) => !name.includes('_links.'))
      .map(([name, value]) => [cleanLine(name), cleanLine(cellText(value))] as const),
    { indent: 0, width: Math.max(width, 40) },
  ).join('\n');
}
