import type { Secret } from '../../base/secret.ts';

/** The statuses with which a TPP may answer a notification. Source: lean push 1.0.0. */
export type NotificationAnswer = 200 | 400 | 401 | 403 | 404 | 405 | 408 | 415 | 500 | 503;

/** A notification as it arrived: a POST of JSON with an X-Request-ID. Nobody has judged its content or its sender. */
export interface ReceivedNotification {
  requestId: string;
  body: Uint8Array;
  /** The client certificate as DER; null where the sender showed none, undefined where the connection is not by TLS. */
  certificate: Uint8Array | null | undefined;
  /** Answers with a status and the X-Request-ID; without it the sender gets no answer until the listener ends. */
  answer(status: NotificationAnswer): void;
}

/** How it is listened: by TLS where there is a certificate, else by http. */
export interface NotificationPlace {
  /** An IP address of this machine. */
  address: string;
  /** 0 takes a free one. */
  port: number;
  /** Any other path is 404; without one every path is taken. */
  path?: string;
  /** PEM. */
  tls?: { certificate: string; key: Secret; passphrase?: Secret };
}

/** A listener that has reached itself. */
export interface NotificationListener {
  port: number;
  /** The next notification; undefined once the listener has ended. What nobody takes in time is answered 503. */
  next(): Promise<ReceivedNotification | undefined>;
  close(): Promise<void>;
}

/** Receives notifications of banks (Resource Status Notification Service). */
export interface Notifications {
  /**
   * Listens, and resolves once a connection to itself has come through. Bodies, times, connections and what waits are
   * bounded. Throws LISTENER_FAILED where the port is taken, and CERTIFICATE_FILE where certificate and key do not serve.
   */
  listen(place: NotificationPlace): Promise<NotificationListener>;
}
