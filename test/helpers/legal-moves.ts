import { transactionMoves, transactionStatus } from '../../src/xs2a/codes.ts';
import type { ScaStatus } from '../../src/xs2a/codes.ts';

/** The legal moves of a scaStatus. Source: protocol 2.2. */
export const scaMoves: Readonly<Record<ScaStatus, readonly ScaStatus[]>> = {
  received: [
    'psuIdentified',
    'psuAuthenticated',
    'scaMethodSelected',
    'started',
    'unconfirmed',
    'finalised',
    'exempted',
    'failed',
  ],
  psuIdentified: [
    'psuAuthenticated',
    'scaMethodSelected',
    'started',
    'unconfirmed',
    'finalised',
    'exempted',
    'failed',
  ],
  psuAuthenticated: ['scaMethodSelected', 'started', 'unconfirmed', 'finalised', 'exempted', 'failed'],
  scaMethodSelected: ['started', 'unconfirmed', 'finalised', 'failed'],
  started: ['unconfirmed', 'finalised', 'failed'],
  unconfirmed: ['finalised', 'failed'],
  finalised: [],
  failed: [],
  exempted: [],
};

/** Tells whether a transactionStatus may become another one; staying is legal, unknown codes never are. */
export function isLegalMove(from: string, to: string): boolean {
  const known = transactionStatus(from);
  if (known === undefined) return false;
  return from === to || transactionMoves[known.code].some((code) => code === to);
}
