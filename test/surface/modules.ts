import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { parse, references, visit } from '../helpers/architecture/source.ts';
import type { Source } from '../helpers/architecture/source.ts';

/** Each command with the modules below `src` that it loads at once: its own, and what that imports, less types and `import()`. */
export function modulesOfCommands(src: string): Map<string, string[]> {
  const files = new Map<string, Source>();
  const read = (path: string): Source => {
    const known = files.get(path) ?? { path, text: readFileSync(join(src, path), 'utf8') };
    files.set(path, known);
    return known;
  };
  const imported = (path: string): string[] =>
    path.endsWith('.json')
      ? []
      : references(read(path))
          .filter(({ typesOnly, lazy, specifier }) => !typesOnly && !lazy && specifier.startsWith('.'))
          .map(({ specifier }) => normalize(join(dirname(path), specifier)))
          .filter((target) => existsSync(join(src, target)));
  const found = new Map<string, string[]>();
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!path.includes('/catalogue/') || !path.endsWith('.ts')) continue;
    for (const [command, module] of commandsOf(read(path)))
      found.set(command, closure(normalize(join(dirname(path), module)), imported));
  }
  return found;
}

/** The rows of a catalogue that have a module: `'payment init': ['Start a payment', () => import('../payment/init.ts')]`. */
function commandsOf(source: Source): [string, string][] {
  const found: [string, string][] = [];
  visit(parse(source), (node) => {
    if (!ts.isPropertyAssignment(node) || !ts.isArrayLiteralExpression(node.initializer)) return;
    const command = /^'?([^']+)'?$/.exec(node.name.getText())?.[1];
    const module = /import\('([^']+)'\)/.exec(node.initializer.getText())?.[1];
    if (command !== undefined && module !== undefined) found.push([command, module]);
  });
  return found;
}

function closure(first: string, imported: (path: string) => string[]): string[] {
  const found = new Set([first]);
  for (const path of found) for (const target of imported(path)) found.add(target);
  return [...found].sort();
}
