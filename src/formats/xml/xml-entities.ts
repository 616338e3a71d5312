/** References in XML texts: the five named entities and numeric ones, nothing else. */

// XML 1.0, section 4.6.
const named = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Decodes the references in a text; calls `fail` for one that is unknown, malformed or no character of XML 1.0. */
export function decodeText(text: string, fail: (why: string) => never): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*)(;?)/g, (written, name: string, end: string) => {
    const known = named.get(name);
    if (known !== undefined && end !== '') return known;
    const numeric = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
    const code =
      numeric === null ? undefined : Number.parseInt(numeric[1] ?? numeric[2] ?? '', numeric[1] ? 16 : 10);
    const character = code !== undefined && isCharacter(code) ? String.fromCodePoint(code) : undefined;
    return end === '' || character === undefined
      ? fail(`${written.slice(0, 40)} is not an XML reference`)
      : character;
  });
}

/** Tells whether a code point is a character of XML 1.0 (section 2.2). */
function isCharacter(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}
