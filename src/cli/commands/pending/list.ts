import type { Register, Run } from '../../command.ts';
import { listPending } from '../../../client/payments/pending.ts';
import { ago, prefixesOf } from '../output/for-person.ts';
import { chosenProfile } from '../run/with-target.ts';
import { pendingRow } from './pending-row.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
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
    columns: [
      { key: 'id', title: 'ID', forPerson: prefixesOf(items.map(({ id }) => id)) },
      { key: 'kind', title: 'KIND' },
      { key: 'of', title: 'OF' },
      { key: 'at', title: 'SINCE', forPerson: ago(context.ports), spare: 2 },
      { key: 'payment', title: 'PAYMENT' },
      { key: 'what', title: 'WHAT', forPerson: (what) => what.replace(/^[A-Za-z]+: (?:[^ ]+:\d+: )?/, '') },
      { key: 'next', title: 'NEXT STEP', whole: true, spare: 1 },
      ...(isShared
        ? [
            { key: 'host', title: 'HOST', spare: 3 },
            { key: 'run', title: 'RUN', wide: true },
          ]
        : []),
    ],
    rows: items.map(pendingRow),
    nameKey: 'id',
    // A table that is too narrow for the steps leaves them out.
    next: items.slice(0, 3).map(({ next }) => next),
    empty: `Nothing is pending in the profile ${name}.`,
  };
};
