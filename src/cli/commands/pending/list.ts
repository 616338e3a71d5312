import { columnsOf, rowsAs } from '../../../base/fields.ts';
import type { Register, Run } from '../../command.ts';
import { listPending } from '../../../client/payments/pending.ts';
import { ago, prefixesOf } from '../output/for-person.ts';
import { chosenProfile } from '../run/with-target.ts';
import { pendingFields, pendingRow } from './pending-row.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
      prints: rowsAs('pending', pendingFields, 'What is unfinished or unknown, unknown first.'),
      about: 'List what is unknown (first) or waits for an authorisation; no bank is asked',
      examples: ['obk pending list', 'obk pending list --json'],
      exits: [3],
      more: ['obk help pending resume', 'obk help pending resolve'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const { name } = await chosenProfile(context);
  const items = await listPending(context.ports, name);
  const isShared = (await context.ports.journal.host()) !== undefined;
  return {
    kind: 'rows',
    columns: columnsOf(pendingFields, {
      id: { forPerson: prefixesOf(items.map(({ id }) => id)) },
      at: { forPerson: ago(context.ports) },
    }).filter(({ key }) => isShared || (key !== 'host' && key !== 'run')),
    rows: items.map(pendingRow),
    nameKey: 'id',
    // A table that is too narrow for the steps leaves them out.
    next: items.slice(0, 3).map(({ next }) => next),
    empty: `Nothing is pending in the profile ${name}.`,
  };
};
