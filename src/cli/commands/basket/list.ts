import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { resourceBatches } from '../../../client/resources/resource-batches.ts';
import type { Row } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { integer } from '../flags/flag-values.ts';
import { ago, shortIds } from '../output/for-person.ts';
import { earlierNote, ofEarlier } from '../output/of-earlier.ts';
import { starting } from '../run/starting.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command.option('--limit <N>', 'so many baskets', integer('--limit', 1, 1_000_000));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the signing baskets that were created from here, newest first; no bank is asked',
      examples: ['obk basket list', 'obk basket list -o name --limit 5'],
      exits: [3],
      more: ['obk help basket status', 'obk help pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { limit }) => {
  const { name, profile } = await chosenProfile(context);
  const earlier = await ofEarlier(context.ports, name);
  let count = 0;
  async function* rows(): AsyncGenerator<readonly Row[]> {
    for await (const saved of resourceBatches(context.ports, name, 'basket', limit)) {
      count += saved.length;
      yield saved.map((one) => ({ ...rowOf(one, name), ...earlier(one) }));
    }
  }
  return {
    kind: 'rows',
    columns: [
      { key: 'basketId', title: 'BASKET', forPerson: await shortIds(context, name) },
      { key: 'createdAt', title: 'CREATED', forPerson: ago(context.ports), spare: 1 },
      { key: 'transactionStatus', title: 'STATUS', whole: true, forPerson: earlierNote },
      { key: 'members', title: 'MEMBERS', align: 'right' },
      { key: 'profile', title: 'PROFILE', wide: true },
    ],
    rows: rows(),
    nameKey: 'basketId',
    empty: `No basket was created with the profile ${name} yet.`,
    get next() {
      return count === 0 ? starting(profile, 'basket') : [];
    },
  };
};

function rowOf({ id, createdAt, status, basket, environment }: SavedResource, profile: string): Row {
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
