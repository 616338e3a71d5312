/** How long a call of a bank may take, and a run may wait for its state, unless a profile or `--timeout` says otherwise. */
export const usualCallMs = 60_000;

/** How long a run waits for its state: for others that write it, or for its server. */
export interface StateWaits {
  patienceMs: number;
  /** Ends each wait before that, with its reason. */
  signal?: AbortSignal | undefined;
}
