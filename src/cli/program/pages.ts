import { completionScript as scriptOf } from '../commands/completion/completion-scripts.ts';
import type { Shell } from '../commands/completion/completion-scripts.ts';
import { tree } from '../commands/catalogue/tree.ts';
import { writeFacts } from '../completion/complete.ts';
import type { CommandTree } from '../context.ts';
import { completionFacts } from './completion-facts.ts';
import { findCommand } from './find-command.ts';
import { commandPage, nounPage, partPage, rootExamples } from './help.ts';
import { load } from './load.ts';
import type { Loaded } from './load.ts';
import { unknownCommand } from './usage.ts';

export { scriptFiles, shells } from '../commands/completion/completion-scripts.ts';
export { elsewhere } from './usage.ts';

/** The text of every page by the words of its command ('' is obk itself), for the build. */
export async function helpTexts(): Promise<
  Record<string, { text: string; subcommands: string[]; hidden: boolean; runs: boolean }>
> {
  const pages = ['', ...tree.map((entry) => entry.path)].map(async (path) => {
    const words = path === '' ? [] : path.split(' ');
    const entry = tree.find((candidate) => candidate.path === path);
    const text = await pageOf(words);
    const subcommands = tree
      .map((candidate) => candidate.path)
      .filter((candidate) => path === '' || candidate.startsWith(`${path} `))
      .map((candidate) => candidate.slice(path === '' ? 0 : path.length + 1))
      .filter((name) => !name.includes(' '));
    return [
      path,
      { text, subcommands, hidden: entry?.hidden === true, runs: (entry?.load ?? entry?.verb) !== undefined },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(pages));
}

/** The facts about every command that completion needs, in the files that it reads, for the build. */
export async function completion(): Promise<Record<string, string>> {
  const [commands, { bankWords }] = await Promise.all([loadAll(), import('../../bank/words.ts')]);
  const facts = completionFacts(
    commands.map(({ entry, command }) => ({ path: entry.path, command })),
    bankWords(),
  );
  return writeFacts(facts);
}

/** The completion script of a shell, for the build. */
export function completionScript(shell: Shell): string {
  return scriptOf(shell, tree);
}

/** The manual page, for the build. */
export async function manual(version: string): Promise<string> {
  const { manPage } = await import('./man-page.ts');
  return manPage(await commandTree(), version);
}

/** Every command with its flags. */
export async function commandTree(): Promise<CommandTree> {
  const { describeCommands } = await import('./command-tree.ts');
  return describeCommands(await loadAll());
}

function loadAll(): Promise<Loaded[]> {
  return Promise.all(
    tree.filter((entry) => entry.load !== undefined).map(({ path }) => load(path.split(' '))),
  );
}

/** The example lines of every command, for the test that runs them. */
export async function helpExamples(): Promise<{ path: string; example: string }[]> {
  const pages = (await loadAll()).map(({ entry, page }) => ({ path: entry.path, page }));
  const all = [{ path: '', page: { examples: rootExamples } }, ...pages];
  return all.flatMap(({ path, page }) => page.examples.map((example) => ({ path, example })));
}

/** The page of a command or noun. */
export async function pageOf(path: readonly string[]): Promise<string> {
  const found = tree.find((candidate) => candidate.path === path.join(' '));
  if (found?.load === undefined) {
    const usual = found?.verb === undefined ? undefined : await load([...path, found.verb]);
    return nounPage(path, usual);
  }
  const { command, entry, page } = await load(path);
  return commandPage(command, entry, page);
}

/** A part of the page of a command: a group of its flags, or `all`. Throws USAGE for another word. */
export async function partOf(path: readonly string[], word: string): Promise<string> {
  const { command, entry, page } = await load(path);
  return partPage(command, entry, page, word);
}

/** The page for `obk help WORDS`. */
export async function helpPage(words: readonly string[]): Promise<string> {
  const { path, unknown, rest } = findCommand(words, () => new Set());
  const word = unknown ?? rest[0];
  if (word !== undefined) throw unknownCommand(path, word);
  return pageOf(path);
}
