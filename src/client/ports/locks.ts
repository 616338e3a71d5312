/** Exclusion between processes, by name. Failures are ObkError, exit 3. */
export interface Locks {
  /** Runs an action while no other process runs one of this name. Throws LOCK_BUSY after `patienceMs` of waiting. */
  exclusively<T>(name: string, patienceMs: number, action: () => Promise<T>): Promise<T>;
}
