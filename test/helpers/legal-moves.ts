import { transactionMoves, transactionStatus } from '../../src/standard/xs2a/codes.ts';

export { scaMoves } from '../../src/standard/xs2a/codes.ts';

/** Tells whether a transactionStatus may become another one; staying is legal, unknown codes never are. */
export function isLegalMove(from: string, to: string): boolean {
  const known = transactionStatus(from);
  if (known === undefined) return false;
  return from === to || transactionMoves[known.code].some((code) => code === to);
}
