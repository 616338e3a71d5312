import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ran } from '../obk.ts';
import { readCases, readCommand, rewritten } from './format.ts';
import type { Case, CaseFile } from './format.ts';
import { compare, transcript } from './lines.ts';
import type { Values } from './lines.ts';
import type { World } from './world.ts';
import { worlds } from './worlds.ts';

/** The first command of a case that printed something else, or the last one; `seen` and `wanted` are equal where it fits. */
export interface Outcome {
  /** The command with the number of its line. */
  at: string;
  seen: string;
  wanted: string;
}

/** The cases of a file, each to be run in this order. */
export interface OpenFile {
  cases: readonly { title: string; run: () => Promise<Outcome> }[];
  /** Ends the world, and writes the file anew where `update` was asked for. */
  close: () => Promise<void>;
}

/** Opens a file of cases; with `update` every case runs to its end, and what it printed becomes what the file expects. */
export function openCases(path: string, update = false): OpenFile {
  const file = readCases(readFileSync(path, 'utf8'));
  const kind = worlds[file.world];
  if (kind === undefined)
    throw new Error(`${path}: no world ${file.world}; there are ${Object.keys(worlds).join(', ')}`);
  const printed = new Map<number, readonly string[]>();
  let shared: Promise<World> | undefined;
  const run = async (one: Case): Promise<Outcome> => {
    const world = await (kind.shared ? (shared ??= kind.open()) : kind.open());
    try {
      return await runCase(file, one, world, update ? printed : undefined);
    } finally {
      if (!kind.shared) await world.close();
    }
  };
  return {
    cases: file.cases.map((one) => ({ title: one.title, run: () => run(one) })),
    close: async () => {
      await (await shared)?.close();
      if (update) writeFileSync(path, rewritten(file, printed));
    },
  };
}

async function runCase(
  file: CaseFile,
  { steps }: Case,
  world: World,
  printed: Map<number, readonly string[]> | undefined,
): Promise<Outcome> {
  const values: Values = new Map(Object.entries(world.values));
  const value = (name: string): string => {
    const kept = values.get(name);
    if (kept === undefined) throw new Error(`nothing has the name {{${name}}} yet`);
    return kept;
  };
  for (const command of file.before) {
    const lines = await run(file, command, world, value);
    if (lines.some((line) => line.startsWith('[exit '))) throw new Error(`${command}\n${lines.join('\n')}`);
  }
  let outcome: Outcome = { at: '', seen: '', wanted: '' };
  for (const step of steps) {
    if (step.kind === 'file') {
      const text = step.text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => value(name));
      const path = join(world.folder, step.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      continue;
    }
    const lines = await run(file, step.command, world, value);
    const { fits, wanted, updated } = compare(step.expected, lines, values);
    const at = `line ${String(step.line)}: $ ${step.command}`;
    outcome = { at, seen: lines.join('\n'), wanted: wanted.join('\n') };
    printed?.set(step.line, updated);
    if (!fits && printed === undefined) break;
  }
  return outcome;
}

async function run(
  { aliases }: CaseFile,
  command: string,
  world: World,
  value: (name: string) => string,
): Promise<string[]> {
  const values: Values = new Map(Object.entries(world.values));
  const [, variable = '', first = '', rest = ''] = /^((?:[A-Z_]+=\S* )*)(\S+)(.*)$/s.exec(command) ?? [];
  const long = aliases.get(first);
  const { variables, words, stdin } = readCommand(`${variable}${long ?? first}${rest}`, value);
  const [program, ...args] = words;
  const input = stdin === undefined ? '' : readFileSync(join(world.folder, stdin), 'utf8');
  const options = { env: variables, input };
  if (program === 'obk') {
    const ran = await world.run(args, options);
    return [...transcript(ran, values), ...((await world.after?.(args, options, ran)) ?? [])];
  }
  const ran: Ran = { code: 0, stdout: '', stderr: '' };
  if (program === 'cat')
    return transcript({ ...ran, stdout: readFileSync(join(world.folder, args[0] ?? ''), 'utf8') }, values);
  throw new Error(`a case runs obk or cat, not ${program ?? 'nothing'}`);
}
