/** Bytes of a message as they come, and their text: UTF-8 only, in small pieces. */
import { ObkError } from '../../../base/errors.ts';

/** The bytes of a message: whole, or in pieces of any size. */
export type ByteSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Which error a fault is: a person's input, or a bank's answer. */
export type FaultCode = 'INPUT_INVALID' | 'ANSWER_UNREADABLE';

// Small pieces keep what a reader makes of one of them small, whatever the size of the source's own.
const pieceBytes = 64 * 1024;

/**
 * Returns the text of UTF-8 bytes in pieces of at most 64 KiB, without a leading byte order mark. Throws ObkError with
 * `code` where the bytes are not UTF-8 (RFC 3629) or more than `maxBytes`; `what` names the message in its text.
 */
export async function* textOf(
  source: ByteSource,
  { code, maxBytes, what }: { code: FaultCode; maxBytes: number; what: string },
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      const detail = `${what} must be UTF-8, and these bytes are not.`;
      throw new ObkError({ code, title: `${what} cannot be read.`, detail, cause });
    }
  };
  let size = 0;
  for await (const piece of piecesOf(source)) {
    size += piece.length;
    if (size > maxBytes) {
      const detail = `It is longer than ${String(maxBytes)} bytes.`;
      throw new ObkError({ code, title: `${what} cannot be read.`, detail });
    }
    const text = decode(piece);
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

/** Returns bytes in pieces of at most 64 KiB. */
export async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for await (const chunk of source instanceof Uint8Array ? [source] : source)
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
}
