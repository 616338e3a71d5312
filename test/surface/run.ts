import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createObk } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { differences, renamesOf } from './compare.ts';
import { controlDocument } from './control-document.ts';
import { modulesOfCommands } from './modules.ts';
import { readTranscripts, typed } from './transcripts.ts';

// Writes everything that a user can see of this build into one folder, for `diff -r` with that of another build.
//   npm run surface                                       into out/surface
//   npm run surface -- FOLDER                             into a folder
//   npm run surface -- --compare BEFORE AFTER [COMMIT]    what differs, after a COMMIT that moved files of src

const root = resolve(import.meta.dirname, '../..');
const [first, before = '', after = '', commit] = process.argv.slice(2);
const folder = resolve(first ?? join(root, 'out', 'surface'));

function put(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** A document for people who compare: indented, and without the version, which a release changes. */
const pretty = (json: string): string =>
  `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`.replaceAll(`"${version}"`, '"VERSION"');

async function printed(obk: Obk, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await obk.run(args);
  if (code !== 0) throw new Error(`obk ${args.join(' ')}: exit ${String(code)}\n${stderr}`);
  return stdout;
}

async function writeDocuments(obk: Obk): Promise<void> {
  const commands = await printed(obk, 'commands', '--json');
  put('commands.json', pretty(commands));
  const { schemas } = JSON.parse(commands) as { schemas: Record<string, unknown> };
  for (const [name, schema] of Object.entries(schemas))
    put(join('schemas', 'json', `${name}.json`), pretty(JSON.stringify(schema)));
  for (const name of ['sandbox', 'bank', 'journey'])
    put(join('schemas', `${name}.json`), pretty(await printed(obk, name, 'schema')));
  put('control-api.json', pretty(await controlDocument(obk)));
}

function copyMade(): void {
  for (const [from, to] of [
    ['dist/help', 'help'],
    ['dist/completion', 'completion'],
    ['completions', 'completions'],
  ] as const)
    cpSync(join(root, from), join(folder, to), { recursive: true });
  put('obk.1', readFileSync(join(root, 'dist/man/obk.1'), 'utf8').replaceAll(version, 'VERSION'));
}

function writeModules(): void {
  for (const [command, modules] of modulesOfCommands(join(root, 'src')))
    put(join('modules', `${command}.txt`), modules.map((module) => `${module}\n`).join(''));
}

async function write(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const obk = createObk();
  try {
    await writeDocuments(obk);
  } finally {
    obk.close();
  }
  copyMade();
  writeModules();
  for (const { title, lines } of readTranscripts(join(import.meta.dirname, 'transcripts.txt')))
    put(join('transcripts', `${title}.txt`), typed(lines));
  process.stdout.write(`${folder}: ${String(readdirSync(folder, { recursive: true }).length)} files\n`);
}

if (first === '--compare') {
  const found = differences(
    resolve(before),
    resolve(after),
    commit === undefined ? new Map() : renamesOf(commit),
  );
  for (const line of found) process.stdout.write(`${line}\n`);
  process.stdout.write(`${String(found.length)} files differ\n`);
  if (found.length > 0) process.exitCode = 1;
} else {
  await write();
}
