/** Nobody indents further; each level of a block takes a column at least. */
const furthest = 400;
/** Stand before a text, and before a plain scalar, as the lexer has them. */
const documentMark = '\x02';
const scalarMark = '\x1f';

/**
 * Where a YAML text begins to be nested too deeply, as an offset; undefined where it does not. Its reader calls itself for each
 * level, and at the end of the stack Node may end as a whole, so this is asked first. `lex` takes the text apart.
 */
export function tooDeepAt(
  source: string,
  deepest: number,
  lex: (text: string) => Iterable<string>,
): number | undefined {
  if (!mayBeDeep(source, deepest)) return undefined;
  let [offset, column, flows, before] = [0, 0, 0, ''];
  let isFirst = true;
  for (const lexeme of lex(source)) {
    if (before !== scalarMark && flows === 0) {
      const isBlank = lexeme === documentMark || lexeme === scalarMark || lexeme.trim() === '';
      const nests = lexeme === '-' || lexeme === '?' || (isFirst && !isBlank);
      if (nests && column > furthest) return offset;
      isFirst &&= isBlank;
    }
    if (before !== scalarMark) {
      if (lexeme === '[' || lexeme === '{') flows += 1;
      else if (lexeme === ']' || lexeme === '}') flows -= 1;
      if (flows > deepest) return offset;
    }
    before = lexeme;
    // The marks of the lexer are not in the text.
    if (!source.startsWith(lexeme, offset)) continue;
    offset += lexeme.length;
    const line = lexeme.lastIndexOf('\n');
    if (line < 0) column += lexeme.length;
    else {
      column = lexeme.length - line - 1;
      isFirst = true;
    }
  }
  return undefined;
}

/** Whether it holds enough for that at all: most files are not looked through. */
function mayBeDeep(source: string, deepest: number): boolean {
  const opened = source.match(/[[{]/g)?.length ?? 0;
  return opened > deepest || new RegExp(`^.{${String(furthest)}}`, 'm').test(source);
}
