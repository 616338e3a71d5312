import type { BankMessage } from '../../base/errors.ts';
import type { WriteOutcome } from './journal.ts';
import type { TlsFacts, Toleration } from './wire.ts';

/** A header as JSON shows it. */
export interface NamedValue {
  name: string;
  value: string;
}

/** One exchange, or its request alone, as shown: plain data without secrets. */
export interface ExchangeView {
  /** ISO 8601, UTC; absent before the request is sent. */
  at?: string;
  operation: string;
  method: string;
  url: string;
  requestId: string;
  request: {
    headers: readonly NamedValue[];
    body: string;
    bodySha256: string;
    digest: string | null;
    signingString: string | null;
    signature: string | null;
  };
  /** Absent before the end; FAILED is a read without a usable answer. */
  outcome?: WriteOutcome | 'FAILED';
  durationMs?: number;
  answer?:
    | {
        status: number;
        headers: readonly NamedValue[];
        body: string;
        /** The bank's messages in a refusal. */
        messages: readonly BankMessage[];
        tls?: TlsFacts;
      }
    | undefined;
  /** What is beside the contract and was read all the same; there once an answer is. */
  tolerated?: readonly Toleration[];
  /** The reason for a missing or incomplete answer; `left` tells whether a byte of the request was sent. */
  failure?: { left: boolean; why: string; status?: number; headers?: readonly NamedValue[] };
  /** How an unknown outcome was settled later, and by whom. */
  resolution?: string;
}
