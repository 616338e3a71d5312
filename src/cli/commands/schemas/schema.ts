import { each, list, number, object, oneOf, text } from '../../../base/schema.ts';
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

/** Members that every document about a bank has. */
export const where = { profile: text, environment: oneOf('sandbox', 'test', 'production') };
export const environmentOrNull: Schema = { enum: ['sandbox', 'test', 'production', null] };
export const money = object({ currency: text, amount: text });
/** The facts by which a payment is recognised. */
export const summary = {
  ...each(text, 'amount currency creditorName creditorAccount debtorAccount'),
  count: number,
  sums: list(money),
};
export const bankMessage = object({ category: text }, each(text, 'code path text'));
/** One thing that is wrong with either side of a call. */
export const sideFinding = {
  ...each(text, 'rule place pointer what why source'),
  side: oneOf('request', 'answer'),
  level: oneOf('must', 'should', 'may'),
};
/** One mistake in a request, as the referee tells it. */
export const requestFinding = {
  ...each(text, 'rule pointer what why source code'),
  severity: oneOf('error', 'warning', 'note'),
  place: oneOf('path', 'header', 'query', 'body', 'connection', 'call'),
  status: number,
};
