import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A text that a person reads: printed by obk, written beside its code, or in its papers. */
export interface Text {
  /** Path below the root of the project, with slashes. */
  file: string;
  /** The line where it begins, from 1. */
  line: number;
  kind: 'printed' | 'comment' | 'paper';
  /** In one line; a value that is put in is `…`. */
  text: string;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function filesBelow(folder: string, isWanted: (name: string) => boolean): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Every text of the program and of its papers, file by file. */
export function allTexts(root: string): Text[] {
  const named = (path: string) => relative(root, path).split(sep).join('/');
  const code = [
    ...filesBelow(join(root, 'src'), (name) => /\.m?[jt]s$/.test(name)),
    ...filesBelow(join(root, 'bin'), (name) => name.endsWith('.js')),
  ];
  const papers = [
    ...readdirSync(root).flatMap((name) => (name.endsWith('.md') ? [join(root, name)] : [])),
    // The reference pages repeat texts of the code.
    ...['docs', 'src', 'test']
      .flatMap((name) => filesBelow(join(root, name), (file) => file.endsWith('.md')))
      .filter((path) => !named(path).startsWith('docs/reference/')),
  ];
  return [
    ...code.flatMap((path) => textsOfCode(named(path), readFileSync(path, 'utf8'))),
    ...papers.flatMap((path) => textsOfPaper(named(path), readFileSync(path, 'utf8'))),
  ];
}

/** The texts of one file of code: its literals that a person may read, and its comments. */
export function textsOfCode(file: string, source: string): Text[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const comments = new Map<number, ts.CommentRange>();
  const texts: Text[] = [];

  function visit(node: ts.Node): void {
    const text = literalText(node);
    if (text !== undefined) {
      if (isRead(text))
        texts.push({ file, line: lineAt(node.getStart()), kind: 'printed', text: oneLine(text) });
      for (const inner of insertions(node)) visit(inner);
      return;
    }
    if (node.getChildCount() === 0) {
      for (const range of [
        ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
        ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
      ])
        comments.set(range.pos, range);
      return;
    }
    node.getChildren().forEach(visit);
  }
  visit(tree);
  return [...texts, ...commentTexts(file, source, [...comments.values()], lineAt)].sort(
    (one, other) => one.line - other.line,
  );
}

/** The text of a literal, or of literals put together by `+`; undefined for another node. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [literalText(node.left), literalText(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
}

/** What is put into a text, which may hold texts of its own. */
function insertions(node: ts.Node): ts.Node[] {
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!ts.isBinaryExpression(node)) return [];
  return [node.left, node.right].flatMap((side) =>
    literalText(side) === undefined ? [side] : insertions(side),
  );
}

/** Two words or more; a pattern, a path and a member's name are not read as English. */
const isRead = (text: string): boolean => /[A-Za-z]{2,}.*\s+\S*[A-Za-z]{2,}/s.test(text);

/** Comments without their signs; lines of `//` that follow each other are one. */
function commentTexts(
  file: string,
  source: string,
  ranges: readonly ts.CommentRange[],
  lineAt: (position: number) => number,
): Text[] {
  const texts: Text[] = [];
  let end = -1;
  for (const { pos, end: to, kind } of [...ranges].sort((one, other) => one.pos - other.pos)) {
    const raw = source.slice(pos, to);
    const last = texts.at(-1);
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      const text = raw.slice(2).trim();
      if (
        last !== undefined &&
        end >= 0 &&
        /^\s*$/.test(source.slice(end, pos)) &&
        lineAt(end) + 1 === lineAt(pos)
      )
        last.text = `${last.text} ${text}`;
      else texts.push({ file, line: lineAt(pos), kind: 'comment', text });
      end = to;
      continue;
    }
    end = -1;
    const text = oneLine(raw.replace(/^\/\*+|\*+\/$/g, '').replace(/^\s*\* ?/gm, ''));
    texts.push({ file, line: lineAt(pos), kind: 'comment', text });
  }
  return texts.filter(({ text }) => !/^(eslint|@ts-|prettier)/.test(text));
}

/** The title of a column with examples of what not to write. */
const insteadOf = 'instead of';

/** The prose of a paper, a paragraph, a cell of a table or an item of a list each; blocks of code are left out. */
export function textsOfPaper(file: string, source: string): Text[] {
  const texts: Text[] = [];
  let isCode = false;
  let isOpen = false;
  let titles: readonly string[] = [];
  source.split('\n').forEach((raw, index) => {
    if (/^\s*```/.test(raw)) {
      isCode = !isCode;
      isOpen = false;
      return;
    }
    const text = raw.trim();
    if (isCode || text === '' || /^[|\s:-]+$/.test(text) || text.startsWith('<!--')) {
      isOpen = false;
      return;
    }
    const line = index + 1;
    if (text.startsWith('|')) {
      isOpen = false;
      const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
      if (titles.length === 0) titles = cells;
      cells.forEach((cell, column) => {
        if (cell !== '' && titles[column] !== insteadOf)
          texts.push({ file, line, kind: 'paper', text: cell });
      });
      return;
    }
    titles = [];
    const last = texts.at(-1);
    const begins = /^([-*+]|\d+\.|#+)\s/.test(text);
    if (isOpen && !begins && last !== undefined) last.text = `${last.text} ${text}`;
    else texts.push({ file, line, kind: 'paper', text: text.replace(/^([-*+]|\d+\.|#+)\s+/, '') });
    isOpen = !text.startsWith('#');
  });
  return texts;
}
