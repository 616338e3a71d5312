import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { ControlResults } from '../../../bank/door.ts';
import { integer, usageError } from '../flags/flag-values.ts';

const most = 1_000_000;
/** How many transactions are made in one go: others may call the bank in between. */
const part = 10_000;

const flags = (command: Flags) =>
  command
    .option(
      '--transactions <N>',
      'how many, spread over the last three years',
      integer('--transactions', 1, most),
    )
    .option('--as <PSU-ID>', 'the customer whose first account it is (else redirect)');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Write many transactions into an account of the bank inside, to try long reports',
      examples: ['obk sandbox seed --transactions 1000'],
      more: ['obk sandbox people', 'obk help sandbox scenario get'],
    },
    run,
  );

const run: Run<Options> = async (context, { transactions, as = 'redirect' }) => {
  const { bank, notices } = context.ports;
  if (transactions === undefined)
    throw usageError('--transactions says how many.', 'obk sandbox seed --transactions 1000');
  const progress = notices.progress('Writing transactions');
  try {
    let seeded: ControlResults['generateTransactions'] | undefined;
    for (let from = 0; from < transactions; from += part) {
      const to = Math.min(from + part, transactions);
      seeded = await bank.control('generateTransactions', {
        path: { psuId: as },
        body: { count: transactions, from, to },
      });
      progress.update(`Writing transactions: ${String(to)} of ${String(transactions)}`);
    }
    if (seeded === undefined) throw new Error('nothing to seed');
    const { iban, psuId, entries } = seeded;
    return {
      kind: 'data',
      data: { transactions, ...seeded },
      text: () =>
        `Wrote ${String(transactions)} transactions into ${iban} of ${psuId}: it has ${String(entries)} now.`,
      name: iban,
    };
  } finally {
    progress.stop();
  }
};
