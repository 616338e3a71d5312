import { ObkError } from '../base/errors.ts';

/** Universal DER tags that certificates use (ITU-T X.690 8.1.2); constructed types carry the bit 0x20. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One DER element: its tag byte, its content and the whole encoding, as views into the bytes read. */
export interface DerElement {
  tag: number;
  content: Uint8Array;
  whole: Uint8Array;
}

/** The error for bytes that are not what RFC 5280 says. */
export function damaged(detail: string): ObkError {
  return new ObkError({ code: 'CERTIFICATE_FILE', title: 'The certificate is damaged.', detail });
}

/**
 * Reads the element at `offset`; definite lengths and one-byte tags only; throws CERTIFICATE_FILE (X.690
 * 8.1).
 */
export function readElement(bytes: Uint8Array, offset = 0): DerElement {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw damaged('An element is cut off.');
  if ((tag & 0x1f) === 0x1f || first === 0x80 || first > 0x84) throw damaged('An element is not DER.');
  let length = first;
  let start = offset + 2;
  if (first > 0x80) {
    length = 0;
    for (const end = start + first - 0x80; start < end; start += 1)
      length = length * 256 + (bytes[start] ?? 0);
  }
  if (start + length > bytes.length) throw damaged('An element is longer than the certificate.');
  return {
    tag,
    content: bytes.subarray(start, start + length),
    whole: bytes.subarray(offset, start + length),
  };
}

/** Reads the elements that `content` is made of, in order; throws CERTIFICATE_FILE. */
export function readElements(content: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < content.length;) {
    const element = readElement(content, offset);
    elements.push(element);
    offset += element.whole.length;
  }
  return elements;
}

/** Returns the element at `index`, which must have the tag; throws CERTIFICATE_FILE. */
export function expectElement(elements: readonly DerElement[], index: number, tag: number): DerElement {
  const element = elements[index];
  if (element?.tag !== tag) throw damaged(`An element with tag 0x${tag.toString(16)} is missing.`);
  return element;
}

/** Returns an object identifier's content as dotted text such as `2.5.4.97` (X.690 8.19). */
export function oidText(content: Uint8Array): string {
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    arc = arc * 128n + BigInt(byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [head = 0n, ...rest] = arcs;
  const root = head < 80n ? head / 40n : 2n;
  return [root, head - root * 40n, ...rest].join('.');
}

/** Encodes one element from its tag and the parts of its content (X.690 10.1, shortest length). */
export function encodeElement(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Uint8Array.of(tag, content.length), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return Buffer.concat([Uint8Array.of(tag, 0x80 + length.length), length, content]);
}

/** Encodes dotted text such as `0.4.0.19495.2` as an OBJECT IDENTIFIER element (X.690 8.19). */
export function encodeOid(text: string): Uint8Array {
  const [root = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [root * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 + (left % 128));
    return groups;
  });
  return encodeElement(tags.oid, Uint8Array.from(bytes));
}

/** Encodes text as a UTF8String element. */
export function encodeUtf8(text: string): Uint8Array {
  return encodeElement(tags.utf8String, Buffer.from(text, 'utf8'));
}
