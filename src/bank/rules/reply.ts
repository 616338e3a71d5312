/** The bank's answer. */
export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** A body as JSON, or the bytes of another one, whole or while they are made. */
  body?: object;
  content?: { type: string } & ({ bytes: Uint8Array } | { chunks: Iterable<Uint8Array> });
}
