import ts from 'typescript';
import { inSource, parse, visit, within } from './source.ts';
import type { Source } from './source.ts';

/** A version of the framework, or the short name of a variant. */
const version = /^(1\.3\.\d+|v1\d*)$/;

/** What compares versions; outside `xs2a` a fact of `frameworkFacts` or a table says what follows from them. */
const comparing = new Set(['isIn', 'saidIn', 'frameworks', 'versions', 'newer']);
const comparers: Readonly<Record<string, string>> = {
  'client/doctor/bank-explain': 'saidIn', // Prints who says a header: the file, the guidelines or both.
};

const compares = (node: ts.Node): boolean =>
  ts.isCaseClause(node) ||
  (ts.isBinaryExpression(node) && /^([!=]==?|[<>]=?)$/.test(ts.tokenToString(node.operatorToken.kind) ?? ''));

/** Versions of the framework that the code asks for outside the facts and tables of `xs2a`. */
export function versionViolations(source: Source): string[] {
  const place = inSource(source.path);
  if (place === undefined || place === 'standard/xs2a/variants') return [];
  const inFacts = within(place, 'standard/xs2a');
  const found: string[] = [];
  const file = parse(source);
  const add = (node: ts.Node, what: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${source.path}:${String(line + 1)}: ${what}`);
  };
  visit(file, (node) => {
    if (ts.isStringLiteralLike(node) && version.test(node.text)) {
      if (!inFacts || compares(node.parent))
        add(node, `${node.text}: ask a fact of xs2a/variants by name, or iterate frameworkNames`);
    } else if (!inFacts && ts.isImportSpecifier(node)) {
      const name = (node.propertyName ?? node.name).text;
      if (comparing.has(name) && /xs2a\/(origin|variants)\.ts'/.test(node.parent.parent.parent.getText()))
        if (comparers[place] !== name) add(node, `${name} compares versions: ask a fact of xs2a by name`);
    }
  });
  return found;
}
