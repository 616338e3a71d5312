import type { Environment } from './profile.ts';

/** The administrator's limits for obk on a machine; an absent member sets no limit. */
export interface Policy {
  /** The file that holds the policy. */
  path: string;
  /** Where requests may go: scheme, host and port. */
  origins?: readonly string[];
  environments?: readonly Environment[];
  /** The maximum amount of one payment or a whole bulk, by currency; payments in other currencies are refused. */
  maxAmount?: Readonly<Record<string, string>>;
  /** Whether --insecure may be given. */
  insecure?: boolean;
  /** Whether references and signers may be programs. */
  commandReferences?: boolean;
  /** Whether tokens may stand in a file. */
  plainTokens?: boolean;
  /** Whether calls are shown and written out with account numbers. */
  unmasked?: boolean;
}
