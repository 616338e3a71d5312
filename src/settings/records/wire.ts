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

/** Something beside the contract that was read all the same: where in the exchange, and in words. */
export interface Toleration {
  at: string;
  what: string;
}
