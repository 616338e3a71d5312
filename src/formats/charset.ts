/** The characters of reports: which sets obk reads, and how it tells them apart where nobody says. */
import { ObkError } from '../errors.ts';
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

const aliases = new Map<string, string>([
  ...['utf-8', 'windows-1250', 'windows-1252', 'iso-8859-2', 'iso-8859-15', 'cp437', 'cp850', 'cp852'].map(
    (name) => [name, name] as const,
  ),
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
const charsetNames: readonly string[] =
  'utf-8 iso-8859-1 iso-8859-2 iso-8859-15 windows-1250 windows-1252 cp437 cp850 cp852'.split(' ');

/** Returns the set that a name means, in letters of any case; undefined where obk does not read it. */
export function charsetOf(name: string): string | undefined {
  return aliases.get(name.trim().toLowerCase().replaceAll('_', '-'));
}

/** Decodes pieces of bytes that follow each other; throws where they are not of the set. */
export type Decode = (bytes: Uint8Array | undefined) => string;

/** Returns the decoder of a set that `charsetOf` returned, or of UTF-16. */
export function decoderOf(charset: string): Decode {
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
  const detail = `Its encoding is ${JSON.stringify(name.slice(0, 40))}; obk reads ${charsetNames.join(', ')}, and UTF-16 with a byte order mark.`;
  throw new ObkError({ code, title: 'The report cannot be read.', detail });
}
