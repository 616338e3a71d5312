// ---- the sandbox ------------------------------------------------------------------------------------------------

/** One switch of the sandbox: its present value, and the possible ones (the first is the standard). */
export interface BankScenario {
  name: string;
  about: string;
  value: string;
  values: readonly { value: string; meaning: string }[];
}

/** The fields of `obk sandbox fault add`. */
export interface BankFault {
  operation: string;
  kind:
    | 'drop-before'
    | 'drop-after-commit'
    | 'status'
    | 'delay'
    | 'html'
    | 'truncate'
    | 'drip'
    | 'escape'
    | 'redirect';
  status?: number;
  delayMs?: number;
  /** The number of requests it applies to; 1 by default. */
  count: number;
}
