import type { Command } from 'commander';
import { exitCodes } from '../errors.ts';
import type { Target } from '../flows/target.ts';
import type { SavedResource } from '../ports.ts';
import { cleanLine } from '../render/foreign.ts';
import { duration, usageError } from './flags.ts';
import { titles } from './resource-document.ts';

/** Flags of a status that can be read again and again. */
export interface WatchOptions {
  watch?: boolean;
  until?: string;
  interval?: number;
  timeout?: number;
}

/** What a status may be waited for: the text of --until, and what reads its value. */
export interface Until {
  text: string;
  read: (text: string) => string;
}

/** Adds them; `watch` says until when it is read. */
export function watchOptions(command: Command, watch: string, until?: Until): Command {
  command.option('--watch', `read again until ${watch}`);
  if (until !== undefined) command.option('--until <STATUS>', until.text, until.read);
  return command
    .option('--interval <DURATION>', 'between two reads (5s)', duration('--interval'))
    .option('--timeout <DURATION>', 'longest wait (5m); of one call otherwise', duration('--timeout'));
}

/** How often and how long it is read, undefined where once is enough; `wire` are the flags of each call. */
export function watchOf<Options extends WatchOptions>(options: Options) {
  const { watch, until, interval, timeout, ...others } = options;
  if (watch !== true && until === undefined) {
    if (interval !== undefined) throw usageError('--interval goes with --watch.');
    return { watch: undefined, wire: { ...others, ...(timeout === undefined ? {} : { timeout }) } };
  }
  return {
    watch: { intervalMs: interval ?? 5_000, timeoutMs: timeout ?? 5 * 60_000 },
    wire: others,
  };
}

/** How waiting ended, as an exit code; undefined where what was waited for came. */
export const exitOfWatch = {
  reached: undefined,
  missed: exitCodes.declined,
  timeout: exitCodes.pending,
} as const;

/** Tells each change of a status, from the one that is known. */
export function tellChanges({ ports }: Target, { noun, id, status: known }: SavedResource) {
  let shown = known;
  return (status: string | undefined): void => {
    if (status === shown) return;
    shown = status;
    ports.notices.say(`${titles[noun]} ${cleanLine(id)}: ${cleanLine(status ?? 'no status')}`);
  };
}
