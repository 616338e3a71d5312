/** Which process a row is of, and whether that may still do what it began. */
export interface Owners {
  /** This process, as a row names it. */
  own: string;
  /** Whether the run of a process may still go on; `began` is in milliseconds since 1970, UTC. */
  mayLive(run: string, owner: string, began: number): boolean;
  /** The host of a process, in a state of several machines. */
  hostOf?(owner: string): string | undefined;
}
