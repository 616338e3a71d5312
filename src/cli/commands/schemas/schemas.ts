import { accounts } from './accounts.ts';
import { check } from './check.ts';
import { help } from './help.ts';
import { payments } from './payments.ts';
import { sandbox } from './sandbox.ts';
import type { Schema } from './schema.ts';
import { setup } from './setup.ts';
import { support } from './support.ts';

/** The documents that `--json` prints and scripts may rely on, by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  ...payments.schemas,
  ...accounts.schemas,
  ...support.schemas,
  ...check.schemas,
  ...setup.schemas,
  ...sandbox.schemas,
  ...help.schemas,
};

/** The name of the schema of what a command prints with `--json`. */
export const outputs: Readonly<Record<string, string>> = {
  ...payments.outputs,
  ...accounts.outputs,
  ...support.outputs,
  ...check.outputs,
  ...setup.outputs,
  ...sandbox.outputs,
  ...help.outputs,
};
