import { cleanLine } from '../../../base/clean.ts';
import { needed, rowSchema } from '../../../base/fields.ts';
import { text, textOrNull } from '../../../base/schema.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { findPending } from '../../../client/payments/pending.ts';
import { cellText } from '../../render/table.ts';
import { definitions } from '../../render/wrap.ts';
import { chosenProfile } from '../run/with-target.ts';
import { pendingFields, pendingRow } from './pending-row.ts';

const flags = (command: Flags) => command.argument('<id>', 'as obk pending list shows it, or its beginning');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      prints: {
        name: 'pendingEntry',
        schema: rowSchema(
          { ...pendingFields, profile: needed(text), run: needed(textOrNull) },
          'One pending entry whole; `run` is its run in the journal.',
        ),
      },
      about: 'Show one pending entry whole',
      examples: ['obk pending show ID'],
      exits: [3],
      more: ['obk pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { id }) => {
  const { name } = await chosenProfile(context);
  const item = await findPending(context.ports, name, id);
  const row = pendingRow(item);
  return {
    kind: 'data',
    data: { ...row, profile: name, run: item.kind === 'unknown' ? item.run : null },
    text: () =>
      definitions(
        Object.entries(row)
          .filter(([, value]) => value !== null && value !== '')
          .map(([key, value]) => [key, cleanLine(cellText(value))] as const),
        { indent: 0, width: 400 },
      ).join('\n'),
    name: item.id,
    next: [item.next, ...(item.kind === 'unknown' ? [line`obk log show ${item.run} -vvv`] : [])],
  };
};
