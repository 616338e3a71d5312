declare module 'har-validator' {
  /** Resolves with the document, or rejects with what is wrong in it. */
  export function har(document: unknown): Promise<object>;
}
