// C0 but tab and newline, DEL, C1, soft hyphen, zero-width and bidi controls, line and paragraph separators, BOM.
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Makes foreign text (from a bank, a PSU or a file) safe for a terminal: control and bidi characters become visible escapes. */
export function clean(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(unsafe, visible);
}

/** As `clean`, on one line: newlines and tabs become a visible mark, and more than `width` characters are cut. */
export function cleanLine(text: string, width = 500): string {
  const line = clean(text).replace(/\n/g, '⏎').replace(/\t/g, ' ');
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line;
}

function visible(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point <= 0xff ? `\\x${point.toString(16).padStart(2, '0')}` : `\\u{${point.toString(16)}}`;
}
