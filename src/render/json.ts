// Control, bidi and other invisible characters: written as \uXXXX, so that JSON is harmless on a terminal and lossless.
const unsafe =
  // eslint-disable-next-line no-control-regex
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** JSON as printed: two spaces for a person, one line for a pipe. Numbers of a bank keep their digits. */
export function toJson(value: unknown, options: { pretty: boolean }): string {
  const text = JSON.stringify(value, undefined, options.pretty ? 2 : undefined);
  return text.replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
