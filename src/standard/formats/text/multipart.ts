/** multipart/form-data of standing orders as pain.001: an XML part and a JSON part (RFC 7578, RFC 2046). */
import { ObkError } from '../../../base/errors.ts';
import type { FaultCode } from './text-source.ts';

/** One part: its name in the form, its Content-Type and its bytes. */
export interface FormPart {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The names of the two parts as obk writes them (official files; the guidelines' example differs in the second). */
const periodicPartNames = { xml: 'xml_sct', json: 'json_standingorderType' } as const;
const otherJsonName = 'json_standingordermanagement';

const boundaryPattern = /^[0-9a-zA-Z'()+_,\-./:=?]{1,70}$/;
const namePattern = /^[0-9a-zA-Z_.-]{1,100}$/;
const mediaPattern = /^[a-zA-Z0-9!#$&^_.+-]+\/[a-zA-Z0-9!#$&^_.+-]+(; ?charset=[a-zA-Z0-9-]+)?$/;

/**
 * Builds the exact bytes of a form with CRLF line ends, ready to be hashed. Throws Error for a boundary, a name or a
 * type that does not fit, and for a boundary that stands in a part.
 */
export function buildMultipart(parts: readonly FormPart[], boundary: string): Uint8Array {
  if (!boundaryPattern.test(boundary)) throw new Error(`not a boundary: ${boundary}`);
  const delimiter = Buffer.from(`--${boundary}`);
  const chunks: Uint8Array[] = [];
  for (const { name, contentType, content } of parts) {
    if (!namePattern.test(name)) throw new Error(`not the name of a part: ${name}`);
    if (!mediaPattern.test(contentType)) throw new Error(`not a media type: ${contentType}`);
    if (Buffer.from(content).includes(delimiter)) throw new Error('the boundary stands in a part');
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${contentType}\r\n\r\n`;
    chunks.push(Buffer.from(head), content, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, delimiter, Buffer.from('--\r\n')]);
}

/** Returns the Content-Type of a form with this boundary, in quotes where RFC 2045 wants them. */
export function multipartType(boundary: string): string {
  const quoted = /[^0-9a-zA-Z'+_.-]/.test(boundary) ? `"${boundary}"` : boundary;
  return `multipart/form-data; boundary=${quoted}`;
}

/** Returns the boundary of a form by its first line, which is where a file has it; undefined where that is no boundary. */
export function boundaryOf(body: Uint8Array): string | undefined {
  const line = /^--([^\r\n]{1,70}?)[ \t]*\r?\n/.exec(Buffer.from(body.subarray(0, 100)).toString('latin1'));
  return boundaryPattern.test(line?.[1] ?? '') ? line?.[1] : undefined;
}

/** Returns the two parts of a standing order as pain.001, ready for `buildMultipart`. */
export function periodicParts(xml: Uint8Array, json: Uint8Array): readonly FormPart[] {
  return [
    { name: periodicPartNames.xml, contentType: 'application/xml', content: xml },
    { name: periodicPartNames.json, contentType: 'application/json', content: json },
  ];
}

const maxParts = 20;
const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads the parts of a form by its Content-Type; line ends may be CRLF or LF, header names in any case, and parts
 * without a type are text/plain. Throws ObkError with `code` for what is no such form or has more than 20 parts.
 */
export function readMultipart(
  contentType: string,
  body: Uint8Array,
  code: FaultCode = 'ANSWER_UNREADABLE',
): readonly FormPart[] {
  const fail = (why: string): never => {
    throw new ObkError({ code, title: 'The multipart body cannot be read.', detail: `${why}.` });
  };
  const named = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = named?.[1] ?? named?.[2];
  if (!/^\s*multipart\//i.test(contentType) || boundary === undefined)
    return fail('Its Content-Type names no boundary');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: FormPart[] = [];
  let begin: number | undefined;
  for (const line of delimiterLines(bytes, Buffer.from(`--${boundary}`))) {
    if (begin !== undefined) parts.push(readPart(bytes.subarray(begin, line.before), fail));
    if (parts.length > maxParts) return fail(`It has more than ${String(maxParts)} parts`);
    if (line.last) return parts;
    begin = line.after;
  }
  return fail(begin === undefined ? 'Its boundary does not occur' : 'It ends before its last boundary');
}

/** A line that is a boundary: where the content before it ends, where the part after it begins. */
interface DelimiterLine {
  readonly before: number;
  readonly after: number;
  readonly last: boolean;
}

function* delimiterLines(bytes: Buffer, delimiter: Buffer): Generator<DelimiterLine> {
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + 1)) {
    if (at > 0 && bytes[at - 1] !== newline) continue;
    const next = bytes.indexOf(newline, at);
    const end = next < 0 ? bytes.length : next;
    const rest = /^(--)?[ \t]*\r?$/.exec(bytes.toString('latin1', at + delimiter.length, end));
    if (rest === null) continue;
    // The line end before a boundary belongs to the boundary.
    const before = at - (at === 0 ? 0 : bytes[at - 2] === carriageReturn ? 2 : 1);
    yield { before, after: end + 1, last: rest[1] !== undefined };
  }
}

function readPart(bytes: Buffer, fail: (why: string) => never): FormPart {
  const gap = /\r?\n\r?\n/.exec(bytes.toString('latin1', 0, 4096));
  if (gap === null) return fail('A part has no headers');
  const head = bytes.toString('latin1', 0, gap.index);
  const disposition = /^content-disposition:[ \t]*form-data\b(.*)$/im.exec(head)?.[1] ?? '';
  const name = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition);
  const text = name?.[1] ?? name?.[2];
  if (text === undefined) return fail('A part has no name');
  const contentType = /^content-type:[ \t]*(.*?)[ \t]*$/im.exec(head)?.[1]?.trim() ?? 'text/plain';
  return { name: text, contentType, content: bytes.subarray(gap.index + gap[0].length) };
}

/** The two documents of a standing order as pain.001. */
export interface PeriodicDocuments {
  readonly xml: Uint8Array;
  readonly json: Uint8Array;
}

/** Finds the XML and the JSON of a standing order among parts, by either name, else by type; undefined where one lacks. */
export function periodicDocuments(parts: readonly FormPart[]): PeriodicDocuments | undefined {
  const find = (names: readonly string[], type: RegExp): FormPart | undefined =>
    parts.find(({ name }) => names.includes(name)) ?? parts.find(({ contentType }) => type.test(contentType));
  const xml = find([periodicPartNames.xml], /[/+]xml\b/i);
  const json = find([periodicPartNames.json, otherJsonName], /[/+]json\b/i);
  return xml === undefined || json === undefined ? undefined : { xml: xml.content, json: json.content };
}
