import { each, list, number, object, oneOf, text } from '../../../base/schema.ts';
import { environments } from '../flags/global-options.ts';

/** Members that every document about a bank has. */
export const where = { profile: text, environment: oneOf(...environments) };
export const environmentOrNull = oneOf(...environments, null);
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
