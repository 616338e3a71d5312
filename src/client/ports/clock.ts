/** The time; tests move it by hand. */
export interface Clock {
  /** The wall clock. */
  now(): Date;
  /** Milliseconds of a clock that never jumps, for deadlines and durations. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Acts after `ms` milliseconds, unless the returned function is called before; cheaper than a sleep that is interrupted. */
  after(ms: number, act: () => void): () => void;
}

/** Randomness. */
export interface Ids {
  /** A version-4 UUID in lower case. */
  uuid(): string;
  /** `bytes` random bytes in base64url. */
  token(bytes: number): string;
}
