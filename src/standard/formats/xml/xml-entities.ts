/** References in XML texts: the five named entities and numeric ones, nothing else. */

// XML 1.0, section 4.6.
const named = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** Decodes the references in a text; calls `fail` for one that is unknown, malformed or no character of XML 1.0. */
export function decodeText(text: string, fail: (why: string) => never): string {
  let start = text.indexOf('&');
  if (start < 0) return text;
  let decoded = '';
  let done = 0;
  for (; start >= 0; start = text.indexOf('&', done)) {
    const end = text.indexOf(';', start);
    const character = end < 0 ? undefined : characterOf(text.slice(start + 1, end));
    if (character === undefined) return fail(`${startOf(text, start)} is not an XML reference`);
    decoded += text.slice(done, start) + character;
    done = end + 1;
  }
  return decoded + text.slice(done);
}

function characterOf(name: string): string | undefined {
  const known = named.get(name);
  if (known !== undefined) return known;
  const numeric = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (numeric === null) return undefined;
  const code = Number.parseInt(numeric[1] ?? numeric[2] ?? '', numeric[1] ? 16 : 10);
  return isCharacter(code) ? String.fromCodePoint(code) : undefined;
}

/** What stands in the place of a reference, as far as it is shown. */
const startOf = (text: string, start: number): string =>
  (/^&[^;&]*;?/.exec(text.slice(start, start + 40)) ?? ['&'])[0];

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
