import { columnsOf, needed, rowsAs } from '../../../base/fields.ts';
import { list, numberOrNull, orNull, text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { resourceBatches } from '../../../client/resources/resource-batches.ts';
import type { PrintedRow } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { integer } from '../flags/flag-values.ts';
import { ago, shortIds } from '../output/for-person.ts';
import { aboutEarlier, earlier, earlierNote, inProfile, ofEarlier } from '../output/of-earlier.ts';
import { starting } from '../run/starting.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command.option('--limit <N>', 'so many baskets', integer('--limit', 1, 1_000_000));

const fields = {
  basketId: needed(text, 'BASKET'),
  createdAt: needed(text, 'CREATED', { spare: 1 }),
  transactionStatus: needed(textOrNull, 'STATUS', { whole: true, forPerson: earlierNote }),
  members: needed(numberOrNull, 'MEMBERS', { align: 'right' }),
  paymentIds: needed(orNull(list(text))),
  consentIds: needed(orNull(list(text))),
  ...inProfile,
  earlier,
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the signing baskets that were created from here, newest first; no bank is asked',
      prints: rowsAs('baskets', fields, `Signing baskets created from here, newest first. ${aboutEarlier}`),
      examples: ['obk basket list', 'obk basket list -o name --limit 5'],
      exits: [3],
      more: ['obk help basket status', 'obk help pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { limit }) => {
  const { name, profile } = await chosenProfile(context);
  const ledgerOf = await ofEarlier(context.ports, name);
  let count = 0;
  async function* rows(): AsyncGenerator<readonly PrintedRow[]> {
    for await (const saved of resourceBatches(context.ports, name, 'basket', limit)) {
      count += saved.length;
      yield saved.map((one) => ({ ...rowOf(one, name), ...ledgerOf(one) }));
    }
  }
  return {
    kind: 'rows',
    columns: columnsOf(fields, {
      basketId: { forPerson: await shortIds(context, name) },
      createdAt: { forPerson: ago(context.ports) },
    }),
    rows: rows(),
    nameKey: 'basketId',
    empty: `No basket was created with the profile ${name} yet.`,
    get next() {
      return count === 0 ? starting(profile, 'basket') : [];
    },
  };
};

function rowOf({ id, createdAt, status, basket, environment }: SavedResource, profile: string): PrintedRow {
  return {
    basketId: id,
    createdAt,
    transactionStatus: status ?? null,
    members: basket === undefined ? null : basket.paymentIds.length + basket.consentIds.length,
    paymentIds: basket?.paymentIds ?? null,
    consentIds: basket?.consentIds ?? null,
    profile,
    environment,
  };
}
