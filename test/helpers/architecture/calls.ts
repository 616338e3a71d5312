import ts from 'typescript';
import { outside } from './rooms.ts';
import { inSource, parse, visit, within } from './source.ts';
import type { Source } from './source.ts';

const bannedMembers: Record<string, string[] | 'all'> = {
  console: 'all',
  Date: ['now'],
  performance: ['now'],
  Math: ['random'],
  process: ['env', 'exit', 'abort', 'stdout', 'stderr', 'stdin'],
};
const bannedCalls = new Set(['fetch', 'randomUUID', 'setTimeout', 'setInterval', 'Date']);

/** The name a call or access ends in: `fetch`, `globalThis.fetch` and `crypto.randomUUID` by their last word. */
function globalName(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  return ['globalThis', 'crypto'].includes(node.expression.text) ? node.name.text : undefined;
}

/** Clock, chance, environment, network and output outside the rooms that own them. */
export function callViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined || outside.some((room) => within(place, room))) return [];
  const found: string[] = [];
  const file = parse(source);
  const add = (node: ts.Node, what: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${source.path}:${line + 1}: ${what}`);
  };
  visit(file, (node) => {
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      const owner = globalName(node.expression) ?? '';
      const members = Object.hasOwn(bannedMembers, owner) ? bannedMembers[owner] : undefined;
      const member = ts.isPropertyAccessExpression(node)
        ? node.name.text
        : ts.isStringLiteralLike(node.argumentExpression)
          ? node.argumentExpression.text
          : '(computed)';
      if (members === 'all' || members?.includes(member) === true) add(node, `${owner}.${member}`);
    } else if (ts.isCallExpression(node)) {
      const name = globalName(node.expression);
      if (name !== undefined && bannedCalls.has(name)) add(node, `${name}()`);
    } else if (ts.isNewExpression(node)) {
      const now = globalName(node.expression) === 'Date' && (node.arguments ?? []).length === 0;
      if (now) add(node, 'new Date()');
    } else if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
      const owner = node.initializer === undefined ? '' : (globalName(node.initializer) ?? '');
      const members = Object.hasOwn(bannedMembers, owner) ? bannedMembers[owner] : undefined;
      for (const element of members === undefined ? [] : node.name.elements) {
        const member = (element.propertyName ?? element.name).getText();
        if (members === 'all' || members?.includes(member) === true) add(element, `${owner}.${member}`);
      }
    }
  });
  return found;
}

/** Templates that begin with these words are titles, not commands to run. */
const prose = /^obk (sca \S* is|\S* takes|\S* has|does|help)\b/;

/** A command line of obk with a value in it that `line` did not write: the value may hold anything. */
export function lineViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (
    place === undefined ||
    ['cli/program', 'bank', 'standard/xs2a', 'base/command-line'].some((room) => within(place, room))
  )
    return [];
  const found: string[] = [];
  const file = parse(source);
  visit(file, (node) => {
    const { parent } = node as { parent?: ts.Node };
    const text = ts.isTemplateExpression(node)
      ? node.head.text
      : parent !== undefined && ts.isBinaryExpression(parent) && ts.isStringLiteralLike(node)
        ? node.text
        : '';
    const tag = parent !== undefined && ts.isTaggedTemplateExpression(parent) ? parent.tag.getText() : '';
    if (!/^\s*obk [a-z$]?/.test(text) || tag === 'line') return;
    if (ts.isTemplateExpression(node) && prose.test(node.getText().slice(1))) return;
    if (
      parent !== undefined &&
      ts.isBinaryExpression(parent) &&
      parent.operatorToken.kind !== ts.SyntaxKind.PlusToken
    )
      return;
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${source.path}:${line + 1}: a command line that \`line\` does not write`);
  });
  return found;
}
