// `npm run graph`: the edges between the houses, and those that break their tables; exit 1 where there is one.
// `npm run graph -- --write` also writes the tables into src/README.md and the READMEs of the houses.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn } from './drawings.ts';
import { importViolations, targetOf } from './imports.ts';
import { houses } from './rooms.ts';
import { houseOf, inSource, references } from './source.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const edges = new Map<string, number>();
for (const source of sources) {
  const place = inSource(source.path) ?? '';
  for (const { specifier } of references(source)) {
    if (!specifier.startsWith('.')) continue;
    const edge = `${houseOf(place)} -> ${houseOf(targetOf(place, specifier))}`;
    edges.set(edge, (edges.get(edge) ?? 0) + 1);
  }
}
for (const from of [...Object.keys(houses), 'main'])
  for (const to of Object.keys(houses)) {
    const count = edges.get(`${from} -> ${to}`);
    if (from !== to && count !== undefined) say(`${from} -> ${to}: ${String(count)}`);
  }

const broken = sources.flatMap(importViolations);
for (const line of broken) say(line);
say(`${String(broken.length)} edges break the table`);
if (broken.length > 0) process.exitCode = 1;
if (process.argv.includes('--write'))
  for (const { file, is, due } of drawn()) if (is !== due) writeFileSync(file, due);
