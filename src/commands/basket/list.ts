import type { Register, Run } from '../../command.ts';
import { allResources } from '../../flows/resources/unsaved.ts';
import { integer } from '../flags/flag-values.ts';
import { ago, shortIds } from '../output/for-person.ts';
import { earlierNote, ofEarlier } from '../output/of-earlier.ts';
import { chosenProfile } from '../run/with-target.ts';

interface Options {
  limit?: number;
}

export const register: Register = (parent, start) =>
  start(
    parent.command('list').option('--limit <N>', 'so many baskets', integer('--limit', 1, 1_000_000)),
    {
      about: 'List the signing baskets that were created from here, newest first; no bank is asked',
      examples: ['obk basket list', 'obk basket list -o name --limit 5'],
      exits: [3],
      more: ['obk help basket status', 'obk help pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { limit }) => {
  const { name } = await chosenProfile(context);
  const saved = await allResources(context.ports, name, 'basket', limit);
  const earlier = await ofEarlier(context.ports, name);
  return {
    kind: 'rows',
    columns: [
      { key: 'basketId', title: 'BASKET', forPerson: await shortIds(context.ports, name) },
      { key: 'createdAt', title: 'CREATED', forPerson: ago(context.ports), spare: 1 },
      { key: 'transactionStatus', title: 'STATUS', whole: true, forPerson: earlierNote },
      { key: 'members', title: 'MEMBERS', align: 'right' },
      { key: 'profile', title: 'PROFILE', wide: true },
    ],
    rows: saved.map((one) => {
      const { id, createdAt, status, basket, environment } = one;
      return {
        basketId: id,
        createdAt,
        transactionStatus: status ?? null,
        members: basket === undefined ? null : basket.paymentIds.length + basket.consentIds.length,
        paymentIds: basket?.paymentIds ?? null,
        consentIds: basket?.consentIds ?? null,
        profile: name,
        environment,
        ...earlier(one),
      };
    }),
    nameKey: 'basketId',
    empty: `No basket was created with the profile ${name} yet.`,
    next: saved.length === 0 ? ['obk basket create --payment ID --payment ID'] : [],
  };
};
