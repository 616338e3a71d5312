/** The runs of this process that have not ended: the steps of journeys are runs, several at once with --parallel. */
const underWay = new Set<string>();

/** Notes that a run of this process has begun; returns what notes that it has ended. */
export function beginRun(run: string): () => void {
  underWay.add(run);
  return () => {
    underWay.delete(run);
  };
}

export const isUnderWayHere = (run: string): boolean => underWay.has(run);
