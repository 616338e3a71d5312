import type { Register, Run } from '../../command.ts';
import { integer, usageError } from '../flags/flag-values.ts';

interface Options {
  transactions?: number;
  as?: string;
}

const most = 1_000_000;

export const register: Register = (parent, start) =>
  start(
    parent
      .command('seed')
      .option(
        '--transactions <N>',
        'how many, spread over the last three years',
        integer('--transactions', 1, most),
      )
      .option('--as <PSU-ID>', 'the customer whose first account it is (else redirect)'),
    {
      about: 'Write many transactions into an account of the bank inside, to try long reports',
      examples: ['obk sandbox seed --transactions 1000'],
      more: ['obk sandbox people', 'obk help sandbox scenario get'],
    },
    run,
  );

const run: Run<Options> = async (context, { transactions, as }) => {
  const { bank, notices } = context.ports;
  if (transactions === undefined)
    throw usageError('--transactions says how many.', 'obk sandbox seed --transactions 1000');
  const progress = notices.progress('Writing transactions');
  try {
    const seeded = await bank.seed({ transactions, ...(as !== undefined && { psuId: as }) }, (done) => {
      progress.update(`Writing transactions: ${String(done)} of ${String(transactions)}`);
    });
    return {
      kind: 'data',
      data: { transactions, ...seeded },
      text: () =>
        `Wrote ${String(transactions)} transactions into ${seeded.iban} of ${seeded.psuId}: it has ${String(seeded.entries)} now.`,
      name: seeded.iban,
    };
  } finally {
    progress.stop();
  }
};
