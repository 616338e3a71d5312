import type { FaultKind } from './fault-kinds.ts';

// ---- the sandbox ------------------------------------------------------------------------------------------------

/**
 * One switch of the sandbox: its present value, and the possible ones (the first is the standard). A switch that takes
 * numbers or lists tells their form, and its present value is among the values.
 */
export interface BankScenario {
  name: string;
  about: string;
  value: string;
  values: readonly { value: string; meaning: string }[];
  /** A form such as of-N, and what values it has in words. */
  open?: { form: string; takes: string };
}

/** A notification that the bank inside pushed to a TPP, or a wish for them that it declined; without any secret. */
export interface BankPush {
  /** Counts up with every push. */
  number: number;
  /** ISO 8601, UTC. */
  at: string;
  /** The payment, consent or basket. */
  resourceId: string;
  uri: string;
  /** The X-Request-ID of the push; of a declined wish that of the request. */
  requestId: string;
  /** The body as sent; null where the wish was declined. */
  body: object | null;
  /** The status of the TPP's answer; null where there was none. */
  status: number | null;
  /** Why there was no answer, or what is wrong with it. */
  failure: string | null;
  /** The fault that struck. */
  fault: string | null;
  /** The number of the push that this one says again. */
  resendOf: number | null;
}

/** The fields of `obk sandbox fault add`. */
export interface BankFault {
  operation: string;
  kind: FaultKind;
  status?: number;
  delayMs?: number;
  /** Of a status: without the body and the X-Request-ID that the interface wants. */
  raw?: boolean;
  /** Of an edit: what is written otherwise, such as `/paymentId=7`. */
  edit?: string;
  /** The number of requests it applies to; 1 by default. */
  count: number;
}
