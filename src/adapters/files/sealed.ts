import { crc32c } from './crc32c.ts';
import { jsonObjectIn } from './json-in.ts';

const start = '{"crc":"';
const middle = '","record":';
const textAt = start.length + 8 + middle.length;

/** One line: JSON that any tool can read, whose CRC covers the text of `record`. */
export function seal(record: object): Uint8Array {
  const text = Buffer.from(JSON.stringify(record));
  // The body of a bulk may be long: it is not made a string once more.
  return Buffer.concat([Buffer.from(`${start}${crc32c(text)}${middle}`), text, Buffer.from('}\n')]);
}

/** The record of such a line (without its newline); undefined where one bit of it is not as it was written. */
export function unseal(line: string): object | undefined {
  const crc = line.slice(start.length, start.length + 8);
  const text = line.slice(textAt, -1);
  if (line !== `${start}${crc}${middle}${text}}` || crc !== crc32c(Buffer.from(text))) return undefined;
  return jsonObjectIn(text);
}

/** Whether a file was written by `seal`, damaged or not; an older obk wrote plain JSON. */
export function isSealed(text: string): boolean {
  return text.startsWith(start);
}

/** The record of a file that is one sealed line; undefined where it is damaged. */
export function unsealFile(text: string): object | undefined {
  return text.endsWith('\n') ? unseal(text.slice(0, -1)) : undefined;
}
