import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createObk } from '../helpers/obk.ts';

/** Command lines that are typed one after the other in one fresh home. */
export interface Lines {
  title: string;
  lines: readonly string[];
}

/** Reads a file of transcripts: `## title` begins one, each other line that is not blank is typed into a shell. */
export function readTranscripts(file: string): Lines[] {
  return readFileSync(file, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((block) => {
      const [title = '', ...lines] = block.split('\n');
      return { title, lines: lines.filter((line) => line.trim() !== '') };
    });
}

/** What the lines print and how each ends, with all that changes from run to run replaced by names. */
export function typed(lines: readonly string[]): string {
  const obk = createObk();
  const tools = join(obk.home, 'tools');
  mkdirSync(tools);
  symlinkSync(resolve(import.meta.dirname, '../../bin/obk.js'), join(tools, 'obk'));
  const names = createNames(obk.home);
  try {
    const shown = lines.map((line) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
        cwd: obk.folder,
        env: { ...obk.env, PATH: `${tools}:${process.env['PATH'] ?? ''}` },
        encoding: 'utf8',
        input: '',
        maxBuffer: 2 ** 26,
      });
      const errors = stderr.replace(/^(?=.)/gm, '2> ');
      return `$ ${line}\n${names(stdout)}${names(errors)}exit ${String(status)}\n`;
    });
    return shown.join('\n');
  } finally {
    obk.close();
  }
}

/** Ids of resources, runs, payments, intents and certificates, and the nonces of URLs: each gets a name by its order of appearance. */
const ids =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b\d{8}T\d{9}Z-[0-9a-f]{12}\b|\bOBK[0-9A-F]{29}\b|\b[0-9a-f]{32}(?:[0-9a-f]{32})?\b|(?<=PORT\/(?:\w+\/)?)[\w-]{20,}/g;

/** Values with one name for all: addresses, times, durations, secrets, digests and signatures. */
const others: readonly [RegExp, string][] = [
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:PORT'],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, 'TIME'],
  [/\b20\d\d-\d\d-\d\d\b/g, 'DAY'],
  [/\b\d\d:\d\d:\d\d\b/g, 'TIME'],
  [/\b\d+(\.\d+)? ?(ms|s)\b/g, 'DURATION'],
  [/"durationMs":\d+/g, '"durationMs":0'],
  [/("(?:password|otp|\w*Password)":)"[^"]*"/g, '$1"SECRET"'],
  [/\b[A-Za-z0-9+/]{43}=|\bM[EI][A-Za-z0-9+/]{80,}={0,2}/g, 'BASE64'],
];

function createNames(home: string): (text: string) => string {
  const known = new Map<string, string>();
  const name = (id: string): string => {
    const given = known.get(id) ?? `ID${String(known.size + 1)}`;
    known.set(id, given);
    return given;
  };
  return (text) =>
    others
      .reduce((all, [what, by]) => all.replace(what, by), text.replaceAll(home, 'HOME'))
      .replace(ids, name);
}
