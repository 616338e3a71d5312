/** A header as sent or received: name and value, in wire order. */
export type Header = readonly [name: string, value: string];

/** The known facts of the TLS peer, for traces. */
export interface TlsFacts {
  protocol: string;
  cipher: string;
  peer: string;
  /** The proxy on the way, host:port. */
  proxy?: string;
}
