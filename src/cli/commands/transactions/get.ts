import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { accountId } from '../../../client/accounts/accounts.ts';
import { readTransaction } from '../../../client/accounts/transaction.ts';
import { objectText } from '../accounts/account-commands.ts';
import { readOptions, withReading } from '../accounts/read-options.ts';

const flags = (command: Flags) =>
  readOptions(
    command
      .argument('<id>', 'transactionId, or what the report gave in its place')
      .option('--account <ID>', 'IBAN, IBAN:EUR or id of the account; the only one if not given')
      .option('--raw', 'the exact bytes of the bank'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Read one transaction of a report in JSON, with its details',
      usage: '--account IBAN',
      examples: ['obk transactions get ID --account DE65990010000000002443'],
      exits: [4, 5, 7, 11],
      more: ['obk help transactions list'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withReading(context, options, async (reading) => {
    const account = await accountId(reading, 'account', options.account);
    const { answer, transaction } = await readTransaction(reading, account, options.id);
    return {
      kind: 'data',
      data: transaction,
      text: (style) => objectText(transaction, style.width),
      name: options.id,
      ...(options.raw === true && { raw: answer.body }),
    };
  });
