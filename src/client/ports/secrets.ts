import type { Secret } from '../../base/secret.ts';

/** Reads secret references (`prompt | stdin | env:NAME | file:PATH | cmd:COMMAND | keyring:ID`). */
export interface Secrets {
  /**
   * Reads a reference other than `prompt`; each reference is read once per run, unless a program is to be asked anew. A program
   * has ten seconds where nothing else is said. Throws SECRET_REFERENCE.
   */
  read(reference: string, purpose: string, how?: { anew: boolean; withinMs?: number }): Promise<Secret>;
  /** Throws SECRET_REFERENCE where a variable is not set or a file cannot be read; reads nothing and runs nothing. */
  check(reference: string, purpose: string): Promise<void>;
}
