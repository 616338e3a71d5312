/** Looks at the certificates of TLS servers; sends nothing but a handshake, and trusts nobody. */
export interface TlsPeers {
  /**
   * The certificates that the server offers, as DER: its own, then each issuer that it sent along. Throws NOT_SENT
   * where there is no server or no handshake.
   */
  chain(host: string, port: number, signal?: AbortSignal): Promise<readonly Uint8Array[]>;
}
