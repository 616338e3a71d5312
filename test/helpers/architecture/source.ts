import ts from 'typescript';

/** A source file: its path from the root of the repository, with forward slashes, and its text. */
export interface Source {
  path: string;
  text: string;
}

/** One module that a file names. */
export interface Reference {
  specifier: string;
  typesOnly: boolean;
  /** `import()`: loaded when it is reached, not at start. */
  lazy: boolean;
}

/** `src/standard/xs2a/check.ts` as `xs2a/check`; undefined outside `src`. */
export function inSource(path: string): string | undefined {
  return path.startsWith('src/') ? path.slice('src/'.length).replace(/(\.d)?\.ts$/, '') : undefined;
}

/** The house of a file by its path below `src`: its first folder. */
export const houseOf = (place: string): string => place.split('/')[0] ?? place;

/** Whether a file or room stands in a house or room. */
export const within = (place: string, room: string): boolean =>
  place === room || place.startsWith(`${room}/`);

let latest: { source: Source; file: ts.SourceFile } | undefined;

/** Parses a file, with the parents of each node. The latest is kept, since several rules look at a file one after the other. */
export function parse(source: Source): ts.SourceFile {
  if (latest?.source !== source) {
    const { path, text } = source;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
    latest = { source, file };
  }
  return latest.file;
}

/** Shows every node, each before those within it. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => {
    visit(child, see);
  });
}

function importsTypesOnly(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

function exportsTypesOnly(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const clause = node.exportClause;
  if (clause === undefined || !ts.isNamedExports(clause)) return false;
  return clause.elements.length > 0 && clause.elements.every((element) => element.isTypeOnly);
}

const known = new WeakMap<Source, readonly Reference[]>();

/** Every module that a file names: static, re-exported, dynamic, `require`d, or in a type. */
export function references(source: Source): readonly Reference[] {
  const found = known.get(source) ?? referencesIn(source);
  known.set(source, found);
  return found;
}

function referencesIn(source: Source): Reference[] {
  const found: Reference[] = [];
  const add = (from: ts.Node | undefined, typesOnly: boolean, lazy = false) => {
    const specifier = from !== undefined && ts.isStringLiteralLike(from) ? from.text : '(computed)';
    found.push({ specifier, typesOnly, lazy });
  };
  visit(parse(source), (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypesOnly(node));
    else if (ts.isExportDeclaration(node)) {
      if (node.moduleSpecifier !== undefined) add(node.moduleSpecifier, exportsTypesOnly(node));
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node.argument, true);
    } else if (ts.isExternalModuleReference(node)) add(node.expression, false);
    else if (ts.isCallExpression(node)) {
      const { expression } = node;
      if (expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false, true);
      else if (ts.isIdentifier(expression) && expression.text === 'require') add(node.arguments[0], false);
    }
  });
  return found;
}
