/** One call that was made: when (milliseconds since 1970, UTC) and what it was. */
export interface Use {
  at: number;
  what: string;
}

/** The calls that were made and when, shared by all processes of this machine. Failures are ObkError, exit 3. */
export interface Usage {
  read(key: string): Promise<readonly Use[]>;
  /** Locks the key, keeps what `change` makes of what is there, and gives that; the same list writes nothing. */
  update(key: string, change: (uses: readonly Use[]) => readonly Use[]): Promise<readonly Use[]>;
}
