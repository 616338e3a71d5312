/** Lines of MT940 and MT942 without what stands around a message: SWIFT blocks, marks of its end, characters of the transport. */

/** A field: its tag, in letters of any case, and the rest of its line, whatever characters that has. */
export const tagPattern = /^:([0-9]{2}[A-Za-z]?|[Nn][Ss]):([^]*)$/;

/** A balance whose tag has lost its second colon. */
export const unclosedTag = /^:(6[0245][FM]?)([CD][0-9]{6}[A-Z]{3}[0-9][^]*)$/;

const knownTags: ReadonlySet<string> = new Set(
  '13 13D 20 21 25 25P 28 28C 28D 34F 61 86 90 90C 90D NS'.split(' '),
);

/** Whether it is a tag of both messages, or of the MultiCash variant, a balance with any letter; another one within a text is text. */
export const isKnownTag = (tag: string): boolean => knownTags.has(tag) || /^6[0245][A-Z]?$/.test(tag);

/** The content of a line: its text, the type that block 2 names, and whether a message ends before it or after it. */
export interface MtLine {
  readonly bare: string;
  readonly type?: string;
  /** The blocks of SWIFT in the line that hold no fields, as sent. */
  readonly blocks?: readonly string[];
  readonly ends: boolean;
  readonly endsAfter?: true;
}

// Characters of the transport (SOH, STX, ETX, a byte order mark, the $ between messages of a batch) and blanks, where a field, a block or an end comes next.
const before =
  /^[\0-\x20\x7f\ufeff$]+(?=:(?:[0-9]{2}[A-Za-z]?|NS):|\{[1-5]:|-?\}|-(?:XXX)?[\0-\x20]*$|[\0-\x20]*$)/;
// A block is whole, or the line ends within it; block 4 holds the fields, or the parts of an acknowledgement.
const block =
  /^\{(?:([1235S]):(?:[^{}]|\{[^{}]*\})*(?:\}|$)|4:(?:\{[0-9]{3}:[^{}]*\})+\}|4:?(?=[\0-\x20:]|$))/;
const end = /^(?:-?\}(?=[\0-\x20$]*(?:\{[1-5S]:|$))|-(?:XXX)?(?=\{[1-5]:|:[0-9]{2}[A-Z]?:|[\0-\x20]*$))/;
// The end of block 4 behind the last field, in its line.
const endBehind = /-\}(?:\{[5S]:[^]*)?[\0-\x20$]*$/;

/** Reads one line of a file without its line end. */
export function lineOf(text: string): MtLine {
  const found = text.includes('-}') ? endBehind.exec(text) : null;
  if (found !== null && found.index > 0 && text.slice(0, found.index).trim() !== '') {
    const { blocks } = withoutFrame(text.slice(found.index));
    return { ...withoutFrame(text.slice(0, found.index)), ...(blocks && { blocks }), endsAfter: true };
  }
  return withoutFrame(text);
}

// Sets of seven bits have letters of their country in the places of braces: Sweden and Germany, Denmark, France, Italy.
const nationalFrame = /^(?:[äæéà][1-5]:|-[åüè][\0-\x20]*$)/;

const withBraces = (text: string): string =>
  nationalFrame.test(text) ? text.replace(/[äæéà](?=[1-5]:)/g, '{').replace(/[åüè]/g, '}') : text;

function withoutFrame(text: string): MtLine {
  const first = text.charCodeAt(0);
  // Most lines are fields, or text that goes on.
  if (first === 0x3a || (first > 0x2d && first < 0x7b)) return { bare: text, ends: false };
  let bare = withBraces(text);
  let ends = false;
  let type: string | undefined;
  let blocks: string[] | undefined;
  for (let at = bare; at !== ''; at = bare) {
    bare = at.replace(before, '');
    const mark = end.exec(bare)?.[0];
    const found = mark === undefined ? block.exec(bare) : null;
    const taken = mark ?? found?.[0];
    if (taken === undefined && bare === at) break;
    if (taken === undefined) continue;
    ends = true;
    if (found?.[1] !== undefined || taken.startsWith('{4:{')) (blocks ??= []).push(taken);
    if (found !== null && found[1] === '2') type = /^\{2:[IO](94[0-9])/.exec(taken)?.[1] ?? type;
    bare = bare.slice(taken.length);
  }
  return { bare, ends, ...(type !== undefined && { type }), ...(blocks !== undefined && { blocks }) };
}
