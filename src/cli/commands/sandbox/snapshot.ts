import { columnsOf, needed, rowSchema, rowsAs } from '../../../base/fields.ts';
import { text } from '../../../base/schema.ts';
import type { Register, Registers } from '../../command.ts';
import { needSnapshotName } from '../../../base/profile-name.ts';

const fields = {
  name: needed(text, 'NAME'),
  savedAt: needed(text, 'SAVED'),
};

/** The commands that act on one snapshot, each by an operation of the bank. */
function ofOne(
  operation: 'saveSnapshot' | 'restoreSnapshot' | 'deleteSnapshot',
  { about, example, done }: { about: string; example: string; done: string },
): Register {
  return (command, start) =>
    start(
      command.argument('<name>', 'letters, digits, - and _'),
      {
        prints: { name: 'snapshot', schema: rowSchema(fields) },
        about,
        examples: [example],
        more: ['obk help sandbox snapshot list', 'obk help sandbox reset'],
      },
      async (context, { name }) => {
        needSnapshotName(name);
        const snapshot = await context.ports.bank.control(operation, { path: { name } });
        return {
          kind: 'data',
          data: snapshot,
          text: () => `${done}: ${snapshot.name}`,
          name: snapshot.name,
        };
      },
    );
}

export const register: Registers = {
  save: ofOne('saveSnapshot', {
    about: 'Save the bank inside as it stands, under a name; an earlier snapshot of that name is replaced',
    example: 'obk sandbox snapshot save before-the-test',
    done: 'Saved',
  }),
  list: (command, start) =>
    start(
      command,
      { prints: rowsAs('snapshots', fields), examples: ['obk sandbox snapshot list'] },
      async ({ ports: { bank } }) => ({
        kind: 'rows',
        columns: columnsOf(fields),
        rows: (await bank.control('listSnapshots')).snapshots.map((snapshot) => ({ ...snapshot })),
        nameKey: 'name',
        empty: 'There is no snapshot.',
      }),
    ),
  restore: ofOne('restoreSnapshot', {
    about:
      'Put the bank inside back as it was: people, payments, consents, scenario, clock, faults and calls',
    example: 'obk sandbox snapshot restore before-the-test',
    done: 'Restored',
  }),
  delete: ofOne('deleteSnapshot', {
    about: 'Delete a snapshot of the bank inside',
    example: 'obk sandbox snapshot delete before-the-test',
    done: 'Deleted',
  }),
};
