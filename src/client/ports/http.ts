import type { Header, TlsFacts } from '../../settings/records/wire.ts';
import type { Secret } from '../../base/secret.ts';

/** The exact request: absolute URL, headers in wire order, body bytes (empty for none). */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: readonly (readonly [name: string, value: string | Secret])[];
  body: Uint8Array;
}

/** Limits of one call: times in milliseconds, size in bytes. */
export interface HttpLimits {
  connectMs: number;
  firstByteMs: number;
  deadlineMs: number;
  maxBytes: number;
}

/** How the connection of a profile is made. */
export interface HttpConnection {
  /** PEM certificates to trust besides the system's. */
  ca?: string;
  certificate?: string;
  key?: Secret;
  passphrase?: Secret;
  /** An OpenSSL list, in place of the default one (which refuses what is weak). */
  ciphers?: string;
  /** The lowest version of TLS; TLSv1.2 if not given. */
  minVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** SHA-256 of public keys (SPKI) in base64: the server must have one of them, besides a good certificate. */
  serverPins?: readonly string[];
  /** Takes any certificate of the server. */
  insecure?: boolean;
  /** Lets plain http leave this machine. */
  plain?: boolean;
}

/** A complete answer: status, headers in wire order, decoded body bytes, peer facts for the trace. */
export interface HttpAnswer {
  status: number;
  headers: readonly Header[];
  body: Uint8Array;
  /**
   * The bytes after `body` in an answer that streams, as they arrive; throws TransportFailure. The generator must be read to
   * its end or returned from: until then the connection is open.
   */
  rest?: AsyncGenerator<Uint8Array>;
  tls?: TlsFacts;
  /**
   * Hashes (base64) of all bytes of the body as they came, before a content coding was undone; there where a header names a
   * digest, and right once all bytes were read. Absent: those of `body`.
   */
  sums?: (algorithm: 'SHA-256' | 'SHA-512') => string;
  /** Neither a length nor chunks said where the body ends. */
  endedByClose?: boolean;
}

/** A proxy of the environment: host:port, and whether it is told a user and a password. */
export interface ProxyFacts {
  address: string;
  credentials: boolean;
}

/** The one way to the network. Never follows redirects, never repeats anything. */
export interface Http {
  /**
   * Sends one request. `onSending` is awaited after the connection (TLS included) is up and before the first byte;
   * if it rejects, nothing is sent. Throws TransportFailure when there is no complete answer.
   */
  send(
    request: HttpRequest,
    options: {
      limits: HttpLimits;
      connection: HttpConnection;
      /** A connection of its own; always true for POST, PUT and DELETE. */
      fresh: boolean;
      /** Lets a 2xx answer stream that is too long for memory, up to so many bytes; one that is not long is complete. */
      stream?: { maxBytes: number };
      onSending?: () => Promise<void>;
      signal?: AbortSignal;
    },
  ): Promise<HttpAnswer>;
  /** The proxy on the way to an address; throws TransportFailure where the environment names none that can be used. */
  proxy(url: string): Promise<ProxyFacts | undefined>;
  /** The TLS suites (IANA numbers) that a list of ciphers selects at the lowest level; undefined where it is none. */
  offeredCiphers(list: string): Promise<readonly number[] | undefined>;
  /** Closes idle connections, and those of streams that nobody reads any more. */
  close(): Promise<void>;
}
