import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { eachNode, next } from './places.ts';

/** A part of a function that a mistake stands in place of. */
export interface Part {
  /** Of the file, from the root. */
  path: string;
  source: ts.SourceFile;
  node: ts.Node;
}

/** The words for parts, each with what it is in the syntax tree. */
const words: readonly (readonly [word: string, is: (node: ts.Node) => boolean])[] = [
  [
    'condition',
    (node) =>
      (ts.isIfStatement(node.parent) || ts.isWhileStatement(node.parent)) && node.parent.expression === node,
  ],
  ['if', ts.isIfStatement],
  ['loop', (node) => ts.isForOfStatement(node) || ts.isForStatement(node) || ts.isWhileStatement(node)],
  ['return', ts.isReturnStatement],
  ['statement', ts.isExpressionStatement],
  ['variable', ts.isVariableStatement],
  ['call', ts.isCallExpression],
  ['operation', ts.isBinaryExpression],
  ['choice', ts.isConditionalExpression],
  ['member', ts.isPropertyAssignment],
  ['spread', (node) => ts.isSpreadElement(node) || ts.isSpreadAssignment(node)],
  ['list', ts.isArrayLiteralExpression],
  ['text', (node) => ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)],
  ['pattern', ts.isRegularExpressionLiteral],
];

export const wordFor = (node: ts.Node): string | undefined => words.find(([, is]) => is(node))?.[0];

/** The parts of a file by their names: `intent-state.ts: stateOf if 1`; outside of functions by the name of what is declared. */
export function partsOf(path: string, text: string): Map<string, ts.Node> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const counts = new Map<string, number>();
  const parts = new Map<string, ts.Node>();
  eachNode(source, (node, within) => {
    const word = wordFor(node);
    if (word === undefined) return;
    const name = `${basename(path)}: ${within ?? declared(node)} ${word}`;
    parts.set(`${name} ${String(next(counts, name))}`, node);
  });
  return parts;
}

/** The name of the declaration at the top of its file in which a node stands. */
function declared(node: ts.Node): string {
  for (let at = node; !ts.isSourceFile(at); at = at.parent)
    if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)) return at.name.getText();
  return 'file';
}

/** Finds a part by its name, wherever its file stands in src; undefined where it is gone, or a second file has its name. */
export function findPart(name: string, root = ''): Part | undefined {
  const [file = ''] = name.split(': ');
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path) === file)
    .map((path) => join('src', path));
  const found = paths.flatMap((path) => {
    const node = partsOf(path, readFileSync(join(root, path), 'utf8')).get(name);
    return node === undefined ? [] : [{ path, node, source: node.getSourceFile() }];
  });
  return found.length === 1 ? found[0] : undefined;
}
