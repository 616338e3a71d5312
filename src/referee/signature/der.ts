/** One element of a DER encoding; `whole` includes tag and length. */
export interface Der {
  tag: number;
  content: Uint8Array;
  whole: Uint8Array;
}

export const tag = { integer: 2, octets: 4, oid: 6, sequence: 0x30, set: 0x31 } as const;

/** The elements that follow each other in `bytes`. Throws RangeError where the encoding is not DER. */
export function elements(bytes: Uint8Array): Der[] {
  const found: Der[] = [];
  let at = 0;
  while (at < bytes.length) {
    const { head, length } = header(bytes, at);
    const end = at + head + length;
    if (end > bytes.length) throw new RangeError('DER: element is longer than its parent');
    found.push({
      tag: bytes[at] ?? 0,
      content: bytes.subarray(at + head, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return found;
}

function header(bytes: Uint8Array, at: number): { head: number; length: number } {
  const first = bytes[at + 1];
  if (first === undefined) throw new RangeError('DER: no length');
  if (first < 0x80) return { head: 2, length: first };
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 2 + count > bytes.length) throw new RangeError('DER: bad length');
  let length = 0;
  for (let index = 0; index < count; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0);
  return { head: 2 + count, length };
}

/** The dotted form of an object identifier's content. */
export function dotted(content: Uint8Array): string {
  const arcs: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(value);
      value = 0;
    }
  }
  const first = arcs[0] ?? 0;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...arcs.slice(1)].join('.');
}

/** The text of a string element: BMPString and UniversalString as they are, all others as UTF-8. */
export function text(element: Der): string {
  const buffer = Buffer.from(element.content);
  if (element.tag === 0x1e && buffer.length % 2 === 0) return buffer.swap16().toString('utf16le');
  if (element.tag === 0x14) return buffer.toString('latin1');
  return buffer.toString('utf8');
}
