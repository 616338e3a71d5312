import { columnsOf, may, needed, rowsAs } from '../../../base/fields.ts';
import { list, number, text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { lastFailure } from '../../../client/evidence/log-filter.ts';
import { unknownWrites } from '../../../client/resources/unknown-writes.ts';
import { resourceBatches } from '../../../client/resources/resource-batches.ts';
import type { PrintedRow } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { integer } from '../flags/flag-values.ts';
import { ago, grouped, shortIds } from '../output/for-person.ts';
import { aboutEarlier, earlier, earlierNote, inProfile, ofEarlier } from '../output/of-earlier.ts';
import { money } from '../output/shapes.ts';
import { starting } from '../run/starting.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command.option('--limit <N>', 'so many payments', integer('--limit', 1, 1_000_000));

const fields = {
  paymentId: needed(text, 'PAYMENT'),
  createdAt: needed(text, 'STARTED', { spare: 1 }),
  transactionStatus: needed(textOrNull, 'STATUS', { whole: true, forPerson: earlierNote }),
  amount: may(text, 'AMOUNT', { align: 'right' }),
  currency: may(text, ''),
  creditorName: may(text, 'PAYEE'),
  creditorAccount: may(text, 'ACCOUNT', { forPerson: grouped, wide: true }),
  debtorAccount: may(text),
  count: may(number),
  sums: may(list(money)),
  service: needed(textOrNull),
  product: needed(textOrNull, 'PRODUCT', { wide: true }),
  ...inProfile,
  earlier,
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the payments that were started from here, newest first; no bank is asked',
      prints: rowsAs('payments', fields, `Payments started from here, newest first. ${aboutEarlier}`),
      examples: ['obk payment list', 'obk payment list -o name --limit 5'],
      exits: [3],
      more: ['obk help payment status', 'obk help pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { limit }) => {
  const { name, profile } = await chosenProfile(context);
  const { ports } = context;
  const ledgerOf = await ofEarlier(ports, name);
  if (ports.person.present) {
    // A refused payment has no id, so that no row tells of it.
    const failed = await lastFailure(ports.journal, name, /payment/i);
    if (failed !== undefined)
      ports.notices.warn(`Verdict on the last call about a payment: ${failed}; obk log show @failed.`);
  }
  let hasUnknown = false;
  let count = 0;
  async function* rows(): AsyncGenerator<readonly PrintedRow[]> {
    for await (const saved of resourceBatches(ports, name, 'payment', limit)) {
      count += saved.length;
      yield saved.map((one) => ({ ...rowOf(one, name), ...ledgerOf(one) }));
    }
    if (count === 0) hasUnknown = (await unknownWrites(ports, name)).length > 0;
  }
  return {
    kind: 'rows',
    columns: columnsOf(fields, {
      paymentId: { forPerson: await shortIds(context, name) },
      createdAt: { forPerson: ago(ports) },
    }),
    rows: rows(),
    nameKey: 'paymentId',
    // What became of one may be unknown, and one that the bank refused has no id.
    empty: `No payment of the profile ${name} is known by an id yet.`,
    get next() {
      if (count > 0) return [];
      return hasUnknown ? ['obk pending list'] : starting(profile, 'payment');
    },
  };
};

function rowOf(
  { id, createdAt, status, service, product, summary, environment }: SavedResource,
  profile: string,
): PrintedRow {
  return {
    paymentId: id,
    createdAt,
    transactionStatus: status ?? null,
    ...summary,
    service: service ?? null,
    product: product ?? null,
    profile,
    environment,
  };
}
