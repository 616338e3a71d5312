import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Intents } from '../../client/ports/intents.ts';
import { jsonIn } from '../files/json-in.ts';

/** The folders in which an earlier obk kept the state, a file for each thing. */
const folders = ['intents', 'journal'] as const;

/** What an earlier obk has left: it is never read as the state, and never removed. */
export function earlierState(
  stateDir: string,
): { warning: string; aside: readonly string[]; guard: (intents: Intents) => Intents } | undefined {
  const left = folders.filter((name) => namesIn(join(stateDir, name)).length > 0);
  if (left.length === 0) return undefined;
  const aside = left.map((name) => line`mv ${join(stateDir, name)} ${join(stateDir, `${name}.earlier`)}`);
  return {
    aside,
    warning: `${left.map((name) => join(stateDir, name)).join(' and ')} hold what an earlier obk has kept, which is not read. To move it aside: ${aside.join(' && ')}`,
    // What it may have paid must not be paid again by one who does not know.
    guard: (intents) => {
      if (!isUnsettled(stateDir)) return intents;
      return { ...intents, claim: () => Promise.reject(unsettled(aside)) };
    },
  };
}

function unsettled(aside: readonly string[]): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'An earlier obk has left payments here, so nothing is sent.',
    detail: 'What became of some of them is not known to this obk, which does not read those files.',
    hint: aside.map((one) => `${one}   # once you know what became of them`),
  });
}

function isUnsettled(stateDir: string): boolean {
  if (namesIn(join(stateDir, 'journal', 'open')).some((name) => name.endsWith('.json'))) return true;
  const intents = join(stateDir, 'intents');
  return namesIn(intents).some((name) => name.endsWith('.json') && !isSettled(join(intents, name)));
}

/** One that cannot be read may be anything. */
function isSettled(path: string): boolean {
  try {
    const stored = jsonIn(readFileSync(path, 'utf8')) as { record?: { settled?: unknown } } | undefined;
    return stored?.record?.settled !== undefined;
  } catch {
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
