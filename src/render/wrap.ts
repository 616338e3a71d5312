/** Breaks text at spaces so that no line is longer than `width`; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
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

/**
 * Folds one line at its words: prose goes on below its beginning, a command line as a shell takes it. Nothing is cut, and what has
 * no blank stays whole.
 */
export function fold(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const [, lead = '', text = ''] = /^(\s*(?:Try:\s+|Next:\s+|[!✗] )?)(.*)$/s.exec(line) ?? [];
  const below = ' '.repeat(lead.length);
  if (/^(obk|cat|openssl) /.test(text))
    return wrapCommand(text, below, width).map((one, at) => (at === 0 ? lead + one.slice(lead.length) : one));
  return wrap(text, width - lead.length).map((one, at) => (at === 0 ? lead : below) + one);
}
