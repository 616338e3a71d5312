import type { Schema } from '../../../base/schema.ts';

/** What `--json` prints: its schema, and the commands that print it. */
export interface Printed {
  readonly by: readonly string[];
  readonly schema: Schema;
}

/** Documents by their names. */
export type Outputs = Readonly<Record<string, Printed>>;

export const printedBy = (commands: string | readonly string[], schema: Schema): Printed => ({
  by: typeof commands === 'string' ? [commands] : commands,
  schema,
});
