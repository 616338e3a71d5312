/** The characters of reports: which sets obk reads, and how it tells them apart where nobody says. */
import { ObkError } from '../../../base/errors.ts';
import type { FaultCode } from './text-source.ts';

// The upper halves of three sets of DOS, which the platform does not know. Source: Unicode, VENDORS/MICSFT/PC.
const upperHalves: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

/** The seven bits of old German systems, which have no brackets and braces. Source: DIN 66003, ISO/IEC 646-DE. */
export const german7 = 'din-66003';
// Its @ is §, but nobody who had letters to write gave up the @ of addresses.
const germanLetters: Readonly<Record<string, string>> = {
  ...{ '[': 'Ä', '\\': 'Ö', ']': 'Ü', '{': 'ä', '|': 'ö', '}': 'ü', '~': 'ß' },
};
const germanSigns = /[[\\\]{|}~]/g;

/** Returns a text whose brackets and braces are the letters that DIN 66003 has in their place. */
export const inGerman = (text: string): string =>
  text.replace(germanSigns, (sign) => germanLetters[sign] ?? sign);

const aliases = new Map<string, string>([
  ...['utf-8', 'windows-1250', 'windows-1252', 'iso-8859-2', 'iso-8859-15', 'cp437', 'cp850', 'cp852'].map(
    (name) => [name, name] as const,
  ),
  [german7, german7],
  ...['din66003', 'iso646-de', 'iso-646-de', 'cp20106'].map((name) => [name, german7] as const),
  ['utf8', 'utf-8'],
  ['us-ascii', 'windows-1252'],
  ['ascii', 'windows-1252'],
  // What is different of them has no sign in the first one.
  ['iso-8859-1', 'windows-1252'],
  ['latin1', 'windows-1252'],
  ['cp1252', 'windows-1252'],
  ['ansi', 'windows-1252'],
  ['cp1250', 'windows-1250'],
  ['iso8859-1', 'windows-1252'],
  ['iso8859-2', 'iso-8859-2'],
  ['iso8859-15', 'iso-8859-15'],
  ['latin2', 'iso-8859-2'],
  ['latin9', 'iso-8859-15'],
  ...['437', '850', '852'].map((number) => [`ibm${number}`, `cp${number}`] as const),
]);

/** The names of the sets for a person. */
const charsetNames = [
  ...(['utf-8', 'utf-16', 'utf-16le', 'utf-16be', 'iso-8859-1', 'iso-8859-2', 'iso-8859-15'] as const),
  ...(['windows-1250', 'windows-1252', 'cp437', 'cp850', 'cp852', german7] as const),
];

/**
 * Returns the set that a name means, in letters of any case: one of those that obk names, or any other that the platform
 * knows (WHATWG Encoding); undefined where nobody does.
 */
export function charsetOf(name: string): string | undefined {
  const label = name.trim().toLowerCase().replaceAll('_', '-');
  const known = aliases.get(label);
  if (known !== undefined) return known;
  try {
    const { encoding } = new TextDecoder(label);
    // The platform has this one only to refuse it.
    return encoding === 'replacement' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/**
 * Returns the set that the first bytes of a file tell: by a byte order mark, or by a nought beside each of its first two signs,
 * of which the first is ASCII in XML, MT940 and CSV; undefined where they do not.
 */
export function markedCharset(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  const [a = 0, b = 0, c = 0, d = 0] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (isAscii(a) && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && isAscii(b) && c === 0 && d !== 0 ? 'utf-16be' : undefined;
}

const isAscii = (byte: number): boolean => byte > 0 && byte < 0x80;

/** Returns the encoding that an XML declaration at the beginning of a text names. */
export const declaredEncoding = (begin: string): string | undefined =>
  /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(begin)?.[1];

/**
 * Returns the text of a small XML document: by its byte order mark, else by its declaration, else as UTF-8, and where
 * it is none of these by a guess. Throws where the encoding is not known or the bytes are not of it.
 */
export function xmlText(bytes: Uint8Array, code: FaultCode): string {
  const marked = markedCharset(bytes);
  const begin = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const told = marked === undefined ? declaredEncoding(begin) : undefined;
  // UTF-16 that is told by a text of single bytes is none.
  const named = told === undefined ? undefined : needCharset(told, code);
  const charset = marked ?? (named?.startsWith('utf-16') === true ? 'utf-8' : (named ?? 'utf-8'));
  const decode = (of: string): string => {
    const decoder = decoderOf(of);
    const text = decoder(bytes) + decoder(undefined);
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  };
  try {
    return decode(charset);
  } catch (cause) {
    if (charset === 'utf-8' && marked === undefined) return decode(guessCharset(bytes));
    const detail = `Its bytes are not ${charset.toUpperCase()}.`;
    throw new ObkError({ code, title: 'The XML cannot be read.', detail, cause });
  }
}

/** Decodes pieces of bytes that follow each other; throws where they are not of the set. */
export type Decode = (bytes: Uint8Array | undefined) => string;

/** Returns the decoder of a set that `charsetOf` returned, or of UTF-16. */
export function decoderOf(charset: string): Decode {
  if (charset === german7) {
    const decode = decoderOf('windows-1252');
    return (bytes) => inGerman(decode(bytes));
  }
  const upper = upperHalves[charset];
  if (upper === undefined) {
    const decoder = new TextDecoder(charset, { fatal: true });
    return (bytes) => decoder.decode(bytes, { stream: bytes !== undefined });
  }
  return (bytes) => {
    if (bytes === undefined) return '';
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    return text.replace(/[\u0080-\u00ff]/g, (sign) => upper[sign.charCodeAt(0) - 0x80] ?? sign);
  };
}

// Letters of the languages that are written in a set; the first of two sets with the same marks is taken.
const western = 'äöüßÄÖÜéèêëàâçîïôûùÿœÉÈÀÇñáíóúÑÁÍÓÚ¿¡ãõÃÕåæøÅÆØìòðþýÐÞÝ';
const central = 'äöüßÄÖÜéáíóúýÉÁÍÓÚÝąćęłńóśźżĄĆĘŁŃŚŹŻčďěňřšťůžČĎĚŇŘŠŤŮŽőűŐŰľĺŕôĽăâîșțşţđĐçë';
const candidates: readonly (readonly [charset: string, letters: string])[] = [
  ['windows-1252', western],
  ['windows-1250', central],
  ['iso-8859-2', central],
  ['cp850', western],
  ['cp852', central],
  ['cp437', western],
];

const usedCentrally =
  /PLN|CZK|HUF|RON|:25:\/?(?:PL|CZ|SK|HU|RO|HR|SI)[0-9]{2}|<IBAN>\s*(?:PL|CZ|SK|HU|RO|HR|SI)[0-9]{2}/;

/** Guesses the set of bytes that are not UTF-8: the one in which most of what is not ASCII is a letter of its languages. */
export function guessCharset(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const hint = usedCentrally.test(text) ? central : western;
  const found = [...text.matchAll(/([A-Za-z]?)([\u0080-\u00ff]+)([A-Za-z]?)/g)].slice(0, 5000);
  let best = 'windows-1252';
  let most = -Infinity;
  for (const [charset, letters] of candidates) {
    const decode = decoderOf(charset);
    const lookup = upperTable(decode);
    let score = letters === hint ? found.length * 0.75 : 0;
    for (const [, before = '', signs = '', after = ''] of found)
      score += scoreOf(signs, { before, after, lookup, letters });
    if (score > most) [best, most] = [charset, score];
  }
  return best;
}

function upperTable(decode: Decode): string {
  let table = '';
  for (let code = 0x80; code < 0x100; code += 1) {
    try {
      table += decode(Uint8Array.of(code));
    } catch {
      table += '\ufffd';
    }
  }
  return table;
}

interface Around {
  readonly before: string;
  readonly after: string;
  readonly lookup: string;
  readonly letters: string;
}

function scoreOf(signs: string, { before, after, lookup, letters }: Around): number {
  let score = 0;
  for (const sign of signs) {
    const letter = lookup[sign.charCodeAt(0) - 0x80] ?? '\ufffd';
    if (letters.includes(letter)) score += 2;
    else if (/\p{L}/u.test(letter)) score += 0.25;
    else if (/[€§°£²³«»–—’“”„\u00a0]/.test(letter) && before === '' && after === '') score += 1;
    else score -= 2;
    // Small letters stand within small ones, capitals within capitals.
    if (/[a-z]/.test(before) && /\p{Lu}/u.test(letter)) score -= 1.5;
    if (/[A-Z]/.test(before) && /[A-Z]/.test(after) && /\p{Ll}/u.test(letter)) score -= 1.5;
  }
  return score;
}

/** Throws where a name is no set that obk reads. */
export function needCharset(name: string, code: FaultCode): string {
  const found = charsetOf(name);
  if (found !== undefined) return found;
  const detail = `Its encoding is ${JSON.stringify(name.slice(0, 40))}; obk reads ${charsetNames.join(', ')}.`;
  throw new ObkError({ code, title: 'The report cannot be read.', detail });
}

// Its letters within a word, small beside small ones and capital beside capitals.
const withinWord = /(?<=[A-Za-z|])[{|}~](?=[a-z~])|(?<=[A-Z])[[\\\]](?=[A-Z])/g;

/** Whether text of seven bits, without frames of SWIFT, is DIN 66003: a German bank's, whose brackets and braces stand within words. */
export function isGerman7(text: string): boolean {
  const signs = text.match(germanSigns) ?? [];
  if (signs.length < 2 || /[\u0080-\u00ff]/.test(text) || !/^:25:(?:DE[0-9]{2}|[0-9]{8}\/)/m.test(text))
    return false;
  const found = text.match(withinWord) ?? [];
  // Bars and backslashes alone divide words in other sets, too.
  return found.length >= 2 && found.length >= signs.length * 0.7 && found.some((sign) => /[^|\\]/.test(sign));
}
