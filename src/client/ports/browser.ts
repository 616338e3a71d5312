/** Opens links; never throws for a browser that does not start. */
export interface Browser {
  /** Whether a desktop browser is likely to appear. */
  likely(): Promise<boolean>;
  /** Opens an https (or loopback http) URL; false when no browser could be started. */
  open(url: string): Promise<boolean>;
}

/** How a PSU came back from the bank. */
export interface Return {
  outcome: 'ok' | 'nok';
  /** The redirected URL whole, with its query. */
  url: string;
}

export interface ListenOptions {
  port: number;
  path: string;
  state: string;
  returnState?: string;
  /**
   * How long the end of the run waits, in milliseconds, for a browser that had not returned when the wait was closed: a bank
   * may say that a transaction is decided before it sends the PSU back.
   */
  lateMs?: number;
}

/** A loopback listener for the redirect of the PSU's browser. */
export interface Listener {
  /** A port of 127.0.0.1 that nobody has at this moment. */
  freePort(): Promise<number>;
  /**
   * Takes a port of 127.0.0.1 (and ::1) for the rest of the run, so that no other program gets it before `listen`; whoever
   * calls it meanwhile finds nothing. Throws LISTENER_FAILED where it is taken. Port 0 picks one, which is given.
   */
  hold(port: number): Promise<number>;
  /**
   * Binds 127.0.0.1 (and ::1), or uses the port that is held. Throws LISTENER_FAILED where another program has it. Port 0
   * picks one. An empty `state` is not compared (the redirect URI has none); `returnState` is what the bank must add to it.
   */
  listen(options: ListenOptions): Promise<{
    port: number;
    returned: Promise<Return>;
    /** A port that is held goes on being held, and whoever returns to it is shown the page. */
    close(): Promise<void>;
  }>;
  /** Lets go of every port, after the browsers that are late (`lateMs`). */
  close(): Promise<void>;
}
