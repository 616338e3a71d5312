import type { Register, Run } from '../../command.ts';
import { allResources } from '../../flows/resources/unsaved.ts';
import { integer } from '../flags/flag-values.ts';
import { chosenProfile } from '../run/with-target.ts';

interface Options {
  limit?: number;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('list').option('--limit <N>', 'so many payments', integer('--limit', 1, 1_000_000)),
    {
      about: 'List the payments that were started from here, newest first; no bank is asked',
      examples: ['obk payment list', 'obk payment list -o name --limit 5'],
      exits: [3],
      more: ['obk help payment status', 'obk help pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { limit }) => {
  const { name } = await chosenProfile(context);
  const saved = await allResources(context.ports, name, 'payment', limit);
  return {
    kind: 'rows',
    columns: [
      { key: 'paymentId', title: 'PAYMENT' },
      { key: 'createdAt', title: 'STARTED' },
      { key: 'transactionStatus', title: 'STATUS' },
      { key: 'amount', title: 'AMOUNT', align: 'right' },
      { key: 'currency', title: '' },
      { key: 'creditorName', title: 'PAYEE' },
      { key: 'creditorAccount', title: 'ACCOUNT', wide: true },
      { key: 'product', title: 'PRODUCT', wide: true },
      { key: 'profile', title: 'PROFILE', wide: true },
    ],
    rows: saved.map(({ id, createdAt, status, service, product, summary, environment }) => ({
      paymentId: id,
      createdAt,
      transactionStatus: status ?? null,
      ...summary,
      service: service ?? null,
      product: product ?? null,
      profile: name,
      environment,
    })),
    nameKey: 'paymentId',
    empty: `No payment was started with the profile ${name} yet.`,
    next: saved.length === 0 ? ['obk payment init --product sepa-credit-transfers'] : [],
  };
};
