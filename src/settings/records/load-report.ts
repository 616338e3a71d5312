/** Latencies in milliseconds, from a histogram with three significant digits. */
export interface Latencies {
  mean: number;
  min: number;
  max: number;
  p50: number;
  p75: number;
  p90: number;
  p95: number;
  p99: number;
  p999: number;
}

/** One journey or operation under load. */
export interface LoadRow {
  name: string;
  /** So many have ended. */
  ended: number;
  failed: number;
  /** Null where none has ended. */
  latencyMs: Latencies | null;
  /** How many ended so, by code. */
  errors: Readonly<Record<string, number>>;
}

/** A slice of the time of a load. */
export interface LoadMoment {
  /** Its end, in seconds from the beginning. */
  atS: number;
  /** Journeys that were due, that ended and that failed in it. */
  due: number;
  ended: number;
  failed: number;
  /** Journeys that were running at its end. */
  running: number;
  /** Latency of the journeys that ended in it; null where none did. */
  p50Ms: number | null;
  p99Ms: number | null;
}

/** What a load came to. */
export interface LoadReport {
  run: string;
  /** ISO 8601, UTC. */
  at: string;
  profiles: readonly string[];
  arrivals: { perSecond: number; forS: number; users: number; maxErrors: string };
  /** Until the last journey had ended. */
  tookS: number;
  /** Journeys that were due; `notBegun` of them had to wait for a free user until the time was over. */
  due: number;
  begun: number;
  notBegun: number;
  passed: number;
  failed: number;
  /** Journeys with a write whose outcome is not known. */
  unknown: number;
  interrupted: number;
  /** Why it ended before its time. */
  stopped: 'errors' | 'interrupted' | null;
  /** What ended in each second, over the time in which journeys began. */
  perSecond: { journeys: number; calls: number };
  journeys: readonly LoadRow[];
  operations: readonly LoadRow[];
  moments: readonly LoadMoment[];
}
