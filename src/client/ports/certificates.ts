/** A program of the user that signs in place of a key file, such as one that speaks to an HSM. */
export interface ExternalSigner {
  /**
   * Runs `command` (`cmd:` with an absolute path and arguments), gives it JSON on stdin and reads the signature in
   * base64 from its stdout. Throws SIGNING_FAILED, and PROFILE_INVALID for a command that is none.
   */
  sign(command: string, request: SignerRequest): Promise<Uint8Array>;
}

/** The bytes that the program is to sign, and how: rsa-sha256 and the like; `encoding` is the form of an ECDSA signature. */
export interface SignerRequest {
  algorithm: string;
  encoding?: string;
  bytes: Uint8Array;
}

/** Looks at the certificates of TLS servers; sends nothing but a handshake, and trusts nobody. */
export interface TlsPeers {
  /**
   * The certificates that the server offers, as DER: its own, then each issuer that it sent along. Throws NOT_SENT
   * where there is no server or no handshake.
   */
  chain(host: string, port: number, signal?: AbortSignal): Promise<readonly Uint8Array[]>;
}
