import type { Named } from '../../../base/fields.ts';
import { accounts } from './accounts.ts';
import { check } from './check.ts';
import { help } from './help.ts';
import { payments } from './payments.ts';
import { sandbox } from './sandbox.ts';
import type { Outputs } from './schema.ts';
import { setup } from './setup.ts';
import { support } from './support.ts';

/** The documents that `--json` prints and scripts may rely on, by name, less the rows that a command says itself. */
export const documents: Outputs = {
  ...payments,
  ...accounts,
  ...support,
  ...check,
  ...setup,
  ...sandbox,
  ...help,
};

/** What a command prints of them. */
export function documentOf(command: string): Named | undefined {
  const [name, printed] = Object.entries(documents).find(([, { by }]) => by.includes(command)) ?? [];
  return name === undefined || printed === undefined ? undefined : { name, schema: printed.schema };
}
