import { dirname, join, normalize } from 'node:path/posix';
import ts from 'typescript';
import { inSource, parse, visit } from './source.ts';
import type { Source } from './source.ts';

/** What is called by name from outside the sources: the entries that the build bundles, and the commands that the tree loads. */
const entries = new Set(['main', 'cli/program/pages', 'cli/completion/complete']);
/** The types of the wire say what `explain` has to know; a test reads their members from the text. */
const wire = new Set(['standard/xs2a/wire', 'standard/xs2a/wire-accounts']);

const isEntry = (place: string, name: string) =>
  entries.has(place) || (place.startsWith('cli/commands/') && name === 'register');

interface Exported {
  name: string;
  isType: boolean;
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function exportedNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? exportedNames(one.name) : []));
}

/** The names that a file exports; those of `export * from` are of the file that has them. */
function exportsOf(file: ts.SourceFile): Exported[] {
  return file.statements.flatMap((node): Exported[] => {
    if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause;
      if (clause === undefined || !ts.isNamedExports(clause)) return [];
      // Passed on from elsewhere: nobody in this file uses it.
      return clause.elements.map(({ name }) => ({ name: name.text, isType: false }));
    }
    if (!isExported(node)) return [];
    if (ts.isVariableStatement(node))
      return node.declarationList.declarations
        .flatMap(({ name }) => exportedNames(name))
        .map((name) => ({ name, isType: false }));
    const isType = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    const isNamed = isType || ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
    return isNamed && node.name !== undefined ? [{ name: node.name.text, isType }] : [];
  });
}

const words = (text: string): string[] => text.match(/[\w$]+/g) ?? [];

/** Which names of which files a file takes; of one that it loads with import(), all that it mentions. */
function takenBy(source: Source): [file: string, name: string][] {
  const found: [string, string][] = [];
  const add = (from: ts.Node | undefined, names: readonly string[]) => {
    if (from === undefined || !ts.isStringLiteralLike(from) || !from.text.startsWith('.')) return;
    const file = normalize(join(dirname(source.path), from.text));
    found.push(...names.map((name): [string, string] => [file, name]));
  };
  const see = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const clause = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
      if (clause !== undefined && (ts.isNamedImports(clause) || ts.isNamedExports(clause)))
        add(
          node.moduleSpecifier,
          clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text),
        );
      else add(node.moduleSpecifier, ts.isExportDeclaration(node) ? ['*'] : words(source.text));
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(
        node.argument.literal,
        node.qualifier === undefined ? words(source.text) : words(node.qualifier.getText()),
      );
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], words(source.text));
    }
  };
  const file = parse(source);
  // Only import() and the types named in place stand deeper than the statements.
  if (source.text.includes('import(')) visit(file, see);
  else file.statements.forEach(see);
  return found;
}

/** Exported names of `src` that no file of `src`, `test` or `bin` takes; a type may also be used by the file that has it. */
export function unusedExports(sources: readonly Source[]): string[] {
  const taken = new Set<string>();
  const passedOn = new Map<string, string[]>();
  const exported = new Map<Source, Exported[]>();
  for (const source of sources) {
    if (inSource(source.path) !== undefined) exported.set(source, exportsOf(parse(source)));
    for (const [file, name] of takenBy(source)) {
      if (name === '*') passedOn.set(file, [...(passedOn.get(file) ?? []), source.path]);
      else taken.add(`${file} ${name}`);
    }
  }
  const isTaken = (path: string, name: string): boolean =>
    taken.has(`${path} ${name}`) || (passedOn.get(path) ?? []).some((by) => isTaken(by, name));
  return sources.flatMap((source) => {
    const place = inSource(source.path);
    if (place === undefined || wire.has(place) || source.path.endsWith('.d.ts')) return [];
    const mentions = words(source.text);
    return (exported.get(source) ?? []).flatMap(({ name, isType }) => {
      if (isEntry(place, name) || isTaken(source.path, name)) return [];
      const isUsedHere = isType && mentions.filter((word) => word === name).length > 1;
      return isUsedHere ? [] : [`${source.path}: exports ${name}, and no other file takes it`];
    });
  });
}
