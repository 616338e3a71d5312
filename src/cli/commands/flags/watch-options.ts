import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf } from '../../command.ts';
import { cleanLine } from '../../../base/clean.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { WatchEnd } from '../../../client/resources/watch.ts';
import type { DataOutcome, Outcome, WatchOutcome } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { transactionStatus } from '../../../standard/xs2a/codes.ts';
import { duration, flagsIf, usageError } from './flag-values.ts';
import { titles } from './status-text.ts';

/** The options of a status that can be read again and again. */
export type WatchOptions = OptionsOf<typeof watchOptions> & { raw?: boolean };

/** A status to wait for: the text of --until, and the reader of its value. */
export interface Until {
  text: string;
  read: (text: string) => string;
}

/** Reads the value of --until where a payment or a basket is waited for. */
export function knownTransactionStatus(text: string): string {
  if (transactionStatus(text) !== undefined) return text;
  throw usageError(`--until takes a transactionStatus such as ACSC; not ${JSON.stringify(text)}.`);
}

/** Adds them; `watch` says until when it is read. */
export function watchOptions<Own>(command: Flags<Own>, watch: string, until?: Until) {
  const watched = command.option('--watch', `show each change (--json: each on a line) until ${watch}`);
  return flagsIf(until !== undefined, watched, (all) =>
    all.option('--until <STATUS>', until?.text ?? '', until?.read ?? String),
  )
    .option('--interval <DURATION>', 'between two reads (5s)', duration('--interval'))
    .option('--timeout <DURATION>', 'longest wait (5m); of one call otherwise', duration('--timeout'));
}

/** How often and how long it is read, undefined where once is enough; `wire` are the flags of each call. */
export function watchOf<Options extends WatchOptions>(options: Options) {
  const { watch, until, interval, timeout, ...others } = options;
  if (watch === true && options.raw === true)
    throw usageError('--raw is for one answer, and --watch shows many.', '--until STATUS --raw');
  if (watch !== true && until === undefined) {
    if (interval !== undefined) throw usageError('--interval goes with --watch.');
    return { watch: undefined, wire: { ...others, ...defined({ timeout }) } };
  }
  return {
    watch: {
      intervalMs: interval ?? 5_000,
      timeoutMs: timeout ?? 5 * 60_000,
      ...defined({ until }),
    },
    wire: others,
  };
}

/** How waiting ended, as an exit code; undefined where what was waited for came. */
export const exitOfWatch = {
  reached: undefined,
  missed: exitCodes.declined,
  timeout: exitCodes.pending,
} as const;

/** One reading of a status, and how it is shown. */
export interface Watched<Reading> {
  statusOf: (reading: Reading) => string | undefined;
  outcomeOf: (reading: Reading, exit?: ExitCode) => DataOutcome | Promise<DataOutcome>;
}

/** Each change with --watch; with --until alone the last reading, and the changes before it on stderr. */
export function waitedFor<Reading>(
  target: Target,
  resource: SavedResource,
  readings: AsyncGenerator<Reading, { end: WatchEnd; last: Reading }>,
  { watch, ...of }: Watched<Reading> & { watch: boolean | undefined },
): Promise<Outcome> {
  if (watch !== true) return lastOf(target, resource, readings, of);
  return watchOutcome(changesOf(readings, of));
}

/** Results that are shown as they come; the first is read at once, so that a dry run or a refusal ends it as any command. */
export async function watchOutcome(changes: AsyncGenerator<DataOutcome, WatchEnd>): Promise<WatchOutcome> {
  const first = await changes.next();
  async function* results(): AsyncGenerator<DataOutcome, ExitCode | undefined> {
    if (first.done === true) return exitOfWatch[first.value];
    yield first.value;
    return exitOfWatch[yield* changes];
  }
  return { kind: 'watch', results: results() };
}

async function* changesOf<Reading>(
  readings: AsyncGenerator<Reading, { end: WatchEnd }>,
  { statusOf, outcomeOf }: Watched<Reading>,
): AsyncGenerator<DataOutcome, WatchEnd> {
  for (let shown: { status: string | undefined } | undefined; ;) {
    const { done, value } = await readings.next();
    if (done === true) return value.end;
    const status = statusOf(value);
    if (shown === undefined || shown.status !== status) yield await outcomeOf(value);
    shown = { status };
  }
}

async function lastOf<Reading>(
  { ports }: Target,
  { noun, id, status: known }: SavedResource,
  readings: AsyncGenerator<Reading, { end: WatchEnd; last: Reading }>,
  { statusOf, outcomeOf }: Watched<Reading>,
): Promise<DataOutcome> {
  for (let shown = known; ;) {
    const { done, value } = await readings.next();
    if (done === true) return outcomeOf(value.last, exitOfWatch[value.end]);
    const status = statusOf(value);
    if (status !== shown)
      ports.notices.say(`${titles[noun]} ${cleanLine(id)}: ${cleanLine(status ?? 'no status')}`);
    shown = status;
  }
}
