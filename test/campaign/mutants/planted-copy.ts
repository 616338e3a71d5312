import { appendFileSync, existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { copyProject, project } from '../copy.ts';
import { nameOf, placesOf } from './places.ts';
import type { Mutant, Place } from './places.ts';

/** The files of src with their places, by the file's own name; of a name that several files have, by the path below src. */
export function allPlaces(root = project): Map<string, { path: string; places: Place[] }> {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort();
  const twice = new Set<string>();
  const seen = new Set<string>();
  for (const name of paths.map((path) => basename(path))) (seen.has(name) ? twice : seen).add(name);
  return new Map(
    paths.map((path) => {
      const file = twice.has(basename(path)) ? path.split(sep).join('/') : basename(path);
      const text = readFileSync(join(root, 'src', path), 'utf8');
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
      return [file, { path: join('src', path), places: placesOf(file, source) }];
    }),
  );
}

/**
 * Copies the project into a folder with all mutants planted beside the original text: `OBK_TEST_MUTANT` says which one lives,
 * and `OBK_TEST_MUTANT_REACHED` names a folder in which each test file leaves the names of those that it came by. Returns the
 * mutants whose function or place is gone.
 */
export function plantAll(folder: string, mutants: readonly Mutant[]): Mutant[] {
  copyProject(folder);
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const files = allPlaces();
  const gone: Mutant[] = [];
  const byFile = new Map<string, Place[]>();
  for (const mutant of mutants) {
    const at = files.get(mutant.file);
    const place = at?.places.find((one) => nameOf(one) === nameOf(mutant));
    if (at === undefined || place === undefined) gone.push(mutant);
    else byFile.set(at.path, [...(byFile.get(at.path) ?? []), place]);
  }
  for (const [path, places] of byFile) {
    const source = places[0]?.node.getSourceFile();
    if (source === undefined) continue;
    const switchFile = relative(dirname(path), 'src/mutant-switch.ts').replaceAll('\\', '/');
    const specifier = switchFile.startsWith('.') ? switchFile : `./${switchFile}`;
    // At the end, so that lines keep their numbers.
    const text = `${rendered(source, places)}\nimport { lives as mutantLives } from '${specifier}';\n`;
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'src/mutant-switch.ts'), switchText);
  appendFileSync(join(folder, 'test/helpers/setup.ts'), setupText);
  return gone;
}

/** The text of a file in which each place decides, when it is reached, which of its two texts runs. */
function rendered(source: ts.SourceFile, places: readonly Place[]): string {
  const byNode = new Map(places.map((place) => [place.node, place]));
  const text = source.getFullText();
  /** The node's own text with what is planted within it. */
  const within = (node: ts.Node): string => {
    const pieces: string[] = [];
    let at = node.getStart(source);
    ts.forEachChild(node, (child) => {
      if (child.getStart(source) < at) return;
      pieces.push(text.slice(at, child.getStart(source)), whole(child));
      at = child.getEnd();
    });
    return pieces.join('') + text.slice(at, node.getEnd());
  };
  const whole = (node: ts.Node): string => {
    const place = byNode.get(node);
    const original = within(node);
    if (place === undefined) return original;
    const on = `mutantLives(${JSON.stringify(nameOf(place))})`;
    const changed = place.changed((part) => (part === node ? original : `(${whole(part)})`));
    if (place.kind === 'statement') return `{ if (!${on}) { ${original} } }`;
    if (place.kind === 'result') return `{ if (${on}) ${changed} ${original} }`;
    return `(${on} ? (${changed}) : (${original}))`;
  };
  return text.slice(0, source.getStart()) + within(source) + text.slice(source.getEnd());
}

const switchText = `
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
const seen = new Set();
export function lives(name) {
  const { OBK_TEST_MUTANT: alive, OBK_TEST_MUTANT_REACHED: folder, OBK_TEST_MUTANT_TEST: test = 'none' } = process.env;
  if (folder !== undefined && !seen.has(test + name)) {
    seen.add(test + name);
    appendFileSync(join(folder, test), name + '\\n');
  }
  return name === alive;
}
`;

const setupText = `
import { expect as expectOfMutants } from 'vitest';
process.env['OBK_TEST_MUTANT_TEST'] = (expectOfMutants.getState().testPath ?? 'none').replace(process.cwd() + '/', '').replaceAll('/', '__');
`;

/** The mutants that each test file came by, as `plantAll` had them written. */
export function reachedIn(folder: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!existsSync(folder)) return found;
  for (const file of readdirSync(folder)) {
    const names = new Set(readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean));
    for (const name of names) found.set(name, [...(found.get(name) ?? []), file.replaceAll('__', '/')]);
  }
  return found;
}
