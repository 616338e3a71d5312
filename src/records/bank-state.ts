// ---- the bank inside --------------------------------------------------------------------------------------------

/** One switch of the bank inside: its value now, and the values that it takes (the first is the standard). */
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
  /** How many requests it strikes; 1 by default. */
  count: number;
}
