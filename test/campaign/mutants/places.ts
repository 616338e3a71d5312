import ts from 'typescript';

/** What is changed in a function; each kind can be done to an expression or statement as it stands. */
export type Kind = 'condition' | 'logic' | 'comparison' | 'sum' | 'flag' | 'number' | 'statement' | 'result';

/** A mutant by what it does, not by where it stands: it is found again after its file was moved or formatted. */
export interface Mutant {
  /** The file's own name, without its folder. */
  file: string;
  /** The named function around it; methods as `Class.method`. */
  function: string;
  kind: Kind;
  /** Which of this kind in this function, from 0. */
  nth: number;
}

/** A place in a file where a mutant can be planted. */
export interface Place extends Mutant {
  node: ts.Node;
  /** The text of the mutant, given the texts of the parts of the node, in which others may be planted. */
  changed: (part: (node: ts.Node) => string) => string;
}

/** `resources/intent.ts: settle condition 0`, without the folder. */
export const nameOf = ({ file, function: within, kind, nth }: Mutant): string =>
  `${file}: ${within} ${kind} ${String(nth)}`;

const opposites = new Map<ts.SyntaxKind, readonly [Kind, string]>([
  [ts.SyntaxKind.AmpersandAmpersandToken, ['logic', '||']],
  [ts.SyntaxKind.BarBarToken, ['logic', '&&']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['comparison', '!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['comparison', '===']],
  [ts.SyntaxKind.LessThanToken, ['comparison', '<=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['comparison', '<']],
  [ts.SyntaxKind.GreaterThanToken, ['comparison', '>=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['comparison', '>']],
  [ts.SyntaxKind.MinusToken, ['sum', '+']],
  [ts.SyntaxKind.AsteriskToken, ['sum', '/']],
]);

/** Every place of a file, in the order in which they stand. */
export function placesOf(file: string, source: ts.SourceFile): Place[] {
  const counts = new Map<string, number>();
  const places: Place[] = [];
  eachNode(source, (node, within) => {
    const change = within === undefined ? undefined : changeOf(node);
    if (within === undefined || change === undefined) return;
    const { kind, changed } = change;
    places.push({ file, function: within, kind, nth: next(counts, `${within} ${kind}`), node, changed });
  });
  return places;
}

/** Gives each node that is no type with the name of the function around it, in the order in which they stand. */
export function eachNode(
  source: ts.SourceFile,
  see: (node: ts.Node, within: string | undefined) => void,
): void {
  const visit = (node: ts.Node, around: string | undefined): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    const within = nameOfFunction(node, around) ?? around;
    see(node, within);
    ts.forEachChild(node, (child) => {
      visit(child, within);
    });
  };
  ts.forEachChild(source, (child) => {
    visit(child, undefined);
  });
}

/** Counts from 0 what has the same name. */
export function next(counts: Map<string, number>, name: string): number {
  const nth = counts.get(name) ?? 0;
  counts.set(name, nth + 1);
  return nth;
}

/** The name of a function that begins at this node; one within another has both names. */
function nameOfFunction(node: ts.Node, within: string | undefined): string | undefined {
  const name = ownName(node);
  return name === undefined || within === undefined ? name : `${within}.${name}`;
}

function ownName(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text ?? 'default';
  if (ts.isConstructorDeclaration(node)) return `${classOf(node)}.constructor`;
  if (ts.isMethodDeclaration(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node))
    return `${classOf(node)}.${node.name.getText()}`;
  const holds =
    ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) ? node.initializer : undefined;
  const isFunction = holds !== undefined && (ts.isArrowFunction(holds) || ts.isFunctionExpression(holds));
  return isFunction ? (node as ts.VariableDeclaration | ts.PropertyAssignment).name.getText() : undefined;
}

const classOf = ({ parent }: ts.Node): string =>
  ts.isClassLike(parent) ? (parent.name?.text ?? 'class') : 'object';

function changeOf(node: ts.Node): Pick<Place, 'kind' | 'changed'> | undefined {
  const { parent } = node;
  const decides =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node);
  // What binds two operands is told by its operator, also where it decides.
  if (ts.isBinaryExpression(node)) {
    const opposite = opposites.get(node.operatorToken.kind);
    if (opposite === undefined) return undefined;
    const [kind, operator] = opposite;
    return { kind, changed: (part) => `${part(node.left)} ${operator} ${part(node.right)}` };
  }
  if (decides) return { kind: 'condition', changed: (part) => `!(${part(node)})` };
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    return { kind: 'flag', changed: () => (node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true') };
  if (ts.isNumericLiteral(node) && !(ts.isPropertyAssignment(parent) && parent.name === node))
    return { kind: 'number', changed: () => `${node.getText()} + 1` };
  if (ts.isExpressionStatement(node) && !calls(node, ts.SyntaxKind.SuperKeyword))
    return { kind: 'statement', changed: () => '' };
  if (ts.isReturnStatement(node) && node.expression !== undefined)
    return { kind: 'result', changed: () => 'return undefined;' };
  return undefined;
}

function calls({ expression }: ts.ExpressionStatement, kind: ts.SyntaxKind): boolean {
  return ts.isCallExpression(expression) && expression.expression.kind === kind;
}
