// C0 but tab and newline, DEL, C1, soft hyphen, zero-width and bidi controls, line and paragraph separators, BOM; and halves of
// characters and what is none, which neither UTF-8 nor XML can hold.
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]|[\u{e0000}-\u{e007f}]/gu;

/** Makes foreign text (from a bank, a PSU or a file) safe for a terminal: control and bidi characters become visible escapes. */
export function clean(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, visible);
}

// Colours and the line that is drawn again: what obk itself writes, and nothing that hides text or moves elsewhere.
// eslint-disable-next-line no-control-regex
const own = /\u001b\[(?:[0-79]|[1-7]\d|9\d|10\d|[34]8;[25];\d{1,3}|;)*m|\r\u001b\[K/g;

/** Makes text of obk itself safe for a terminal: as `clean`, but its colours stay. */
export function cleanStyled(text: string): string {
  let at = 0;
  let safe = '';
  for (const match of text.matchAll(own)) {
    safe += clean(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return safe + clean(text.slice(at));
}

/** JSON in which nothing can act on a terminal; it says the same. */
export function cleanJson(json: string): string {
  return json.replace(unsafe, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** As `clean`, on one line: newlines and tabs become a visible mark, and more than `width` characters are cut. */
export function cleanLine(text: string, width = 500): string {
  const line = clean(text).replace(/\n/g, '⏎').replace(/\t/g, ' ');
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

function visible(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 2 ? `\\u{${hex}}` : `\\x${hex.padStart(2, '0')}`;
}
