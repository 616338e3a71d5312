import type { CheckedExchange } from './exchanges.ts';

/** What stands above a verdict because it takes away from it, a sentence each. */
export function warningsOf(exchanges: readonly Pick<CheckedExchange, 'status' | 'operation'>[]): string[] {
  const own = exchanges.filter(({ operation }) => operation !== null);
  const answered = own.flatMap(({ status }) => (status === null ? [] : [status]));
  const warnings: string[] = [];
  if (own.length === 0) warnings.push('No call is one of the interface: nothing was judged.');
  else if (answered.length === 0) warnings.push('No call has an answer: only the requests were judged.');
  const all = (status: number) => answered.length > 0 && answered.every((one) => one === status);
  if (all(401))
    warnings.push('Every answer is 401: what lies behind the certificate or the token was not judged.');
  if (all(403)) warnings.push('Every answer is 403: what lies behind the rights of this TPP was not judged.');
  if (all(404)) warnings.push('Every answer is 404: the base address or the prefix may be wrong.');
  if (all(429)) warnings.push('Every answer is 429: only the limit of calls was judged.');
  if (answered.length > 0 && answered.every((status) => status >= 500))
    warnings.push('Every answer is an error of the bank or of a gateway: no result was judged.');
  return warnings;
}

/** Counts findings that nothing waives, by how binding their rules are. */
export function countsOf(exchanges: readonly Pick<CheckedExchange, 'findings'>[]): {
  must: number;
  should: number;
  may: number;
} {
  const all = exchanges.flatMap(({ findings }) => findings).filter(({ waived }) => waived === undefined);
  const count = (level: string) => all.filter((one) => one.level === level).length;
  return { must: count('must'), should: count('should'), may: count('may') };
}
