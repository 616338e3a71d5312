// What takes no column: colours, and marks that stand above a letter.
// eslint-disable-next-line no-control-regex
const unseen = /\u001b\[[0-9;]*m|\p{Mn}/gu;
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/g;
const ascii = /^[ -~]*$/;

/** The columns that a text takes, near enough to fold it by; an astral character has two code units and takes two columns. */
export function span(text: string): number {
  if (ascii.test(text)) return text.length;
  const seen = text.replace(unseen, '');
  return seen.length + (seen.match(wide)?.length ?? 0);
}

// What is copied is one word: an IBAN in groups of four, a command in brackets, or at the end of a clause, or as far as it is certain.
const words = new RegExp(
  [
    /\S?[A-Z]{2}\d{2}(?: [0-9A-Z]{4})+(?: [0-9A-Z]{1,3}\b)?\S*/,
    /\(obk [^),]*\)\S*/,
    /(?<=: | {2})obk(?:(?<![.,;)]) (?!\()\S+)+/,
    /\(?obk [a-z][a-z-]*(?: [a-z][a-z-]*\b)?(?: --?[a-z][\w-]*(?: [^\s-]\S*)?)*\S*/,
    /\S+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Breaks text at spaces so that no line is longer than `width`; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(words) ?? []) {
    if (line !== '' && span(line) + 1 + span(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Terms with their explanations in two columns; a term that is too long has its explanation below. */
export function definitions(
  entries: readonly (readonly [term: string, text: string])[],
  options: { indent: number; width: number; column?: number },
): string[] {
  const { indent, width } = options;
  const short = entries.map(([term]) => term.length).filter((length) => length <= 26);
  const column = options.column ?? indent + Math.max(0, ...short) + 3;
  return entries.flatMap(([term, text]) => {
    const explained = wrap(text, width - column);
    const lead = ' '.repeat(indent) + term;
    const first = lead.length + 2 <= column ? lead.padEnd(column) + (explained.shift() ?? '') : lead;
    return [first.trimEnd(), ...explained.map((line) => ' '.repeat(column) + line)];
  });
}

/**
 * Breaks a command line into lines of at most `width` columns that a shell accepts: between words, never within quotes.
 */
export function wrapCommand(command: string, lead: string, width: number): string[] {
  const [, text = '', comment = ''] = /^(.*?)(\s+#.*)?$/.exec(command) ?? [];
  const words = text.match(/(?:-\S+ (?!-|\[))?(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const lines: string[] = [];
  let line = lead;
  for (const word of words) {
    const joined = line === lead ? lead + word : `${line} ${word}`;
    if (joined.length > width - 2 && line !== lead) {
      lines.push(`${line} \\`);
      line = `${' '.repeat(lead.length + 2)}${word}`;
    } else {
      line = joined;
    }
  }
  return [...lines, line + comment];
}

/** Whether a hint is a sentence; any other is a command, a flag or a variable, which is pasted. */
export const isProse = (hint: string): boolean => /^[A-Z][a-z]*,? /.test(hint);

const pasted = /^(?:[A-Z][A-Z0-9_]*=\S+ )*(?:(?:obk|cat|openssl|npm|export|unset|mkdir) |--?[a-z])/;

/** Folds one line at its words: prose goes on below its beginning. Nothing is cut, and what is pasted stays on one line. */
export function fold(line: string, width: number): string[] {
  if (span(line) <= width) return [line];
  const [, lead = '', text = ''] = /^(\s*(?:Try:\s+|Next:\s+|[!✗] )?)(.*)$/s.exec(line) ?? [];
  const plain = text.replace(unseen, '');
  if (pasted.test(plain) || (/:\s+$/.test(lead) && !isProse(plain))) return [line];
  const below = ' '.repeat(lead.length);
  return wrap(text, width - lead.length).map((one, at) => (at === 0 ? lead : below) + one);
}

/** Folds prose for a terminal; elsewhere each line stays whole. */
export const foldFor = (
  { tty, width }: { tty: boolean; width: number },
  lines: readonly string[],
): string[] => (tty ? lines.flatMap((line) => fold(line, Math.max(40, width))) : [...lines]);
