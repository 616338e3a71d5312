import { callViolations, lineViolations } from './calls.ts';
import { importViolations } from './imports.ts';
import { revealViolations } from './reveals.ts';
import { inSource } from './source.ts';
import type { Source } from './source.ts';
import { versionViolations } from './versions.ts';

/** Files that hold data and may be as long as the data is. */
export const dataFiles = new Set([
  'src/referee/answers/rules.ts',
  'src/referee/rules.ts',
  'src/bank/books/people-options.ts',
  'src/standard/xs2a/answer-objects.ts',
  'src/standard/xs2a/codes.ts',
  'src/standard/xs2a/operations.ts',
  'src/standard/xs2a/variants.ts',
  'src/standard/xs2a/wire.ts',
  'test/campaign/rows.ts',
  'test/helpers/architecture/rooms.ts',
  'test/helpers/planted-deviations.ts',
  'test/helpers/planted-mistakes.ts',
  'test/helpers/typed-deviations.ts',
  'test/helpers/typed-requests.ts',
]);
const longest = 400;
const namelessWords = new Set([
  'util',
  'utils',
  'common',
  'manager',
  'managers',
  'service',
  'services',
  'misc',
]);

/** Length and name of a file. */
export function shapeViolations({ path, text }: Source): string[] {
  const found: string[] = [];
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > longest && !dataFiles.has(path)) found.push(`${path}: ${lines} lines, ${longest} is the limit`);
  const place = inSource(path);
  if (place === undefined) return found;
  for (const segment of place.split('/')) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(segment)) found.push(`${path}: ${segment} is not kebab-case`);
    const vague = segment.split('-').find((word) => namelessWords.has(word));
    if (vague !== undefined) found.push(`${path}: "${vague}" says nothing`);
  }
  return found;
}

/** Everything that is wrong with a file. */
export function violations(source: Source): string[] {
  return [
    ...importViolations(source),
    ...callViolations(source),
    ...lineViolations(source),
    ...revealViolations(source),
    ...versionViolations(source),
    ...shapeViolations(source),
  ];
}
