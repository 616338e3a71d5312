/** XML that obk writes: the tags stand in the code, and whatever is put between them is escaped. */
import { ObkError } from '../../../base/errors.ts';

/** A piece of well-formed XML; only `xml` makes one. */
export class XmlPiece {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: a text (is escaped), pieces, nothing, or a list of these. */
export type XmlValue = string | XmlPiece | undefined | readonly XmlValue[];

// Control characters of any kind, halves of surrogate pairs, and the two code points that XML never has.
// eslint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/u;
// The signs that are written as references, by their codes.
const references: readonly (string | undefined)[] = Object.assign(Array<string | undefined>(0x3f), {
  0x22: '&quot;',
  0x26: '&amp;',
  0x3c: '&lt;',
  0x3e: '&gt;',
});

/** Escapes a text for element content or an attribute in double quotes. Throws ObkError INPUT_INVALID for control characters. */
export function escapeXml(text: string): string {
  let out = '';
  let from = 0;
  let isChecked = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Most signs are letters and digits.
    if (code > 0x3e && code < 0x7f) continue;
    if (!isChecked && (code < 0x20 || (code > 0x7e && code < 0xa0) || code > 0xd7ff)) {
      refuseUnwritable(text);
      isChecked = true;
    }
    const reference = references[code];
    if (reference === undefined) continue;
    out += text.slice(from, at) + reference;
    from = at + 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

function refuseUnwritable(text: string): void {
  const bad = unwritable.exec(text);
  if (bad === null) return;
  const point = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'A text cannot be written as XML.',
    detail: `Its character ${String([...text.slice(0, bad.index)].length + 1)} is the control character U+${point}.`,
  });
}

/** Makes a piece of XML from a template: texts are escaped, pieces taken over, undefined leaves nothing. Throws as `escapeXml`. */
export function xml(tags: TemplateStringsArray, ...values: readonly XmlValue[]): XmlPiece {
  let text = tags[0] ?? '';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    text += (typeof value === 'string' ? escapeXml(value) : written(value)) + (tags[at + 1] ?? '');
  }
  return new XmlPiece(text);
}

function written(value: XmlValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeXml(value);
  if (value instanceof XmlPiece) return value.text;
  let text = '';
  for (const part of value) text += written(part);
  return text;
}

/** Returns the UTF-8 bytes of pieces, in chunks of about 64 KiB. */
export async function* xmlBytes(
  pieces: AsyncIterable<XmlPiece> | Iterable<XmlPiece>,
): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const piece of pieces) {
    text += piece.text;
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
