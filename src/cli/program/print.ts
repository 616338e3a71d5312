import { defined } from '../../base/defined.ts';
import { cleanLine } from '../../base/clean.ts';
import type { Process } from '../context.ts';
import { ObkError, OutcomeUnknown, exitCodes } from '../../base/errors.ts';
import type { ErrorResource, ExitCode } from '../../base/errors.ts';
import { redactText } from '../../client/redaction/redact.ts';
import { usageError } from '../commands/flags/flag-values.ts';
import type { DataOutcome, Outcome, WatchOutcome, WholeOutcome } from '../outcome.ts';
import { asObkError, errorDocument, errorText, unknownDocument } from '../render/error.ts';
import { flatten, memberReader } from '../render/fields.ts';
import { toJson } from '../render/json.ts';
import { batchOf, cellText, tsvLine } from '../render/table.ts';
import { render, changeLine } from './document.ts';
import type { OutputChoice } from './output-choice.ts';
import { writeAll, writeStyled } from './streams.ts';
import { stripVTControlCharacters } from 'node:util';

const chunk = 64 * 1024;

/** Prints an Outcome: the result to stdout, next steps to stderr. Returns the exit code. */
export async function printOutcome(host: Process, outcome: Outcome, choice: OutputChoice): Promise<ExitCode> {
  try {
    if (outcome.kind === 'watch') return await printWatched(host, outcome, choice);
    const { sought } = choice;
    if (sought === undefined || sought.fields.length === 0) return await printWhole(host, outcome, choice);
    const { seeking } = await import('./known-fields.ts');
    return await printWhole(host, seeking(outcome, sought), choice);
  } catch (error) {
    throw isTooLong(error) ? tooLong(error) : error;
  }
}

/** V8's error for a text longer than 512 MiB. */
const isTooLong = (error: unknown) =>
  error instanceof RangeError && error.message.startsWith('Invalid string length');

function tooLong(cause: unknown): ObkError {
  return new ObkError({
    code: 'OUTPUT_LOST',
    title: 'The result is too long for one JSON document.',
    detail: '--jq and --meta work in memory, on a text of at most 512 MiB.',
    hint: ['-o ndjson   # a line for each row, as many as there are'],
    cause,
  });
}

async function printWatched(
  host: Process,
  { results }: WatchOutcome,
  choice: OutputChoice,
): Promise<ExitCode> {
  const { jq } = choice;
  const filter = jq === undefined ? undefined : (result: DataOutcome) => filtered(host, result, choice, jq);
  const changes = await printChanges(host, results, choice, filter);
  if (changes === undefined) return exitCodes.ok;
  const { last, exit = last?.exit ?? exitCodes.ok } = changes;
  if (last === undefined) return exit;
  const judgement = await judged(host, last, choice, exit);
  if (jq === undefined) await showNext(host, last, choice);
  return judgement;
}

async function printWhole(host: Process, outcome: WholeOutcome, choice: OutputChoice): Promise<ExitCode> {
  const exit = outcome.exit ?? exitCodes.ok;
  const style = choice.stdout;
  if (outcome.kind === 'rows' && choice.expect.length > 0) {
    throw usageError('--expect is for one result, and this is a list.', "--jq 'length'");
  }
  if (outcome.kind === 'data' && outcome.raw !== undefined) {
    await writeRaw(host, outcome.raw, style.tty);
    return exit;
  }
  if (choice.jq !== undefined) {
    await writeAll(host.stdout, await filtered(host, outcome, choice, choice.jq), style.tty);
    if (outcome.kind === 'data') await outcome.after;
    return judged(host, outcome, choice, exit);
  }
  // A person sees each row as it comes.
  const live = style.tty || (outcome.kind === 'rows' && outcome.live === true);
  const human = isHuman(choice);
  const put = (text: string) => (human ? writeStyled : writeAll)(host.stdout, text, style.tty);
  let waiting = '';
  let written = false;
  try {
    for await (const text of render(counted(outcome), { ...choice, style })) {
      waiting += text;
      // The first row goes out at once; after that whole blocks do.
      if (written && waiting.length < chunk && !live) continue;
      if (waiting === '') continue;
      written = true;
      if (!(await put(waiting))) return exit;
      waiting = '';
    }
  } catch (error) {
    // The error of a broken list counts the written rows, so they must be written.
    await put(waiting);
    throw error;
  }
  if (waiting !== '' && !(await put(waiting))) return exit;
  if (outcome.kind === 'data') await outcome.after;
  else if (outcome.exitAtEnd !== undefined) return outcome.exitAtEnd();
  const judgement = await judged(host, outcome, choice, exit);
  if (outcome.kind === 'rows' && !written && human && choice.stderr.tty && choice.quiet === 0)
    await writeAll(host.stderr, `${outcome.empty}\n`);
  await showNext(host, outcome, choice);
  return judgement;
}

const isHuman = ({ format }: OutputChoice) => format === 'auto' || format === 'table' || format === 'wide';

/** Next steps: all of them at a terminal, elsewhere the first one, where the result is text for people. */
async function showNext(host: Process, outcome: WholeOutcome, choice: OutputChoice): Promise<void> {
  const isLines = outcome.kind === 'rows' && outcome.linesOfJson === true && choice.format === 'auto';
  if (choice.quiet > 0 || (!choice.stderr.tty && (!isHuman(choice) || isLines))) return;
  const shown = choice.stderr.tty ? outcome.next : outcome.next?.slice(0, 1);
  const next = (shown ?? []).map((line, at) => `${at === 0 ? 'Next:  ' : '       '}${line}\n`);
  if (next.length > 0) await writeStyled(host.stderr, choice.stderr.dim(next.join('')), choice.stderr.tty);
}

/** Exact bytes (to a terminal their text, cleaned), in pieces where they stream; says how many were written where they break off. */
async function writeRaw(host: Process, raw: NonNullable<DataOutcome['raw']>, tty: boolean): Promise<void> {
  let done = 0;
  const text = new TextDecoder();
  try {
    for await (const bytes of raw instanceof Uint8Array ? [raw] : raw) {
      const shown = tty ? text.decode(bytes, { stream: true }) : bytes;
      if (!(await writeAll(host.stdout, shown, tty))) return;
      done += bytes.length;
    }
  } catch (error) {
    throw done === 0 ? error : brokenOff(error, `The answer broke off after ${done} bytes.`);
  }
}

/** The JSON of a result as jq makes it; a list is one array. */
async function filtered(
  host: Process,
  outcome: WholeOutcome,
  choice: OutputChoice,
  expression: string,
): Promise<string> {
  let json = '';
  const plain = { ...choice.stdout, tty: false };
  for await (const text of render(outcome, { ...choice, format: 'json', style: plain })) json += text;
  const { filterByJq } = await import('../../adapters/system/jq.ts');
  return filterByJq(json, expression, { pretty: choice.stdout.tty, env: host.env }).catch(
    (error: unknown) => {
      // No script may lose the id of what was made.
      if (error instanceof ObkError && outcome.kind === 'data') error.resource = resourceIn(outcome.data);
      throw error;
    },
  );
}

function resourceIn(data: unknown): ErrorResource {
  const names = ['paymentId', 'consentId', 'basketId', 'transactionStatus', 'consentStatus'] as const;
  return Object.fromEntries(
    names.map((name) => [name, memberReader(name)(data)]).filter(([, value]) => typeof value === 'string'),
  ) as ErrorResource;
}

/** Exit 10 where a member is not what --expect says; a worse end stays what it is. */
async function judged(
  host: Process,
  outcome: WholeOutcome,
  { expect, quiet, record, stderr, machine }: OutputChoice,
  exit: ExitCode,
): Promise<ExitCode> {
  if (outcome.kind === 'rows') return exit;
  const found = expect.map((one) => ({ ...one, is: cellText(memberReader(one.path)(outcome.data)) }));
  record.expected = found;
  const wrong = found.filter(({ is, value }) => is !== value);
  if (wrong.length === 0) return exit;
  const isLine = machine && !stderr.tty;
  const lines = wrong.map(({ path, value, is }) =>
    isLine
      ? `${JSON.stringify({ expectation: { path, value, is } })}\n`
      : `✗ Expected ${path}=${value}, but it is ${is === '' ? 'not there' : cleanLine(is)}.\n`,
  );
  if (quiet < 2) await writeAll(host.stderr, lines.join(''), stderr.tty);
  return exit === exitCodes.ok ? exitCodes.expectation : exit;
}

/** A list that breaks off says how much of it was written. */
function counted(outcome: WholeOutcome): WholeOutcome {
  if (outcome.kind === 'data') return outcome;
  const { rows } = outcome;
  async function* count() {
    let done = 0;
    try {
      for await (const some of rows) {
        const batch = batchOf(some);
        yield batch;
        done += batch.length;
      }
    } catch (error) {
      throw done === 0 ? asObkError(error) : brokenOff(error, `The list broke off after ${done} rows.`);
    }
  }
  return { ...outcome, rows: count() };
}

/** The same error, which also says what was written before it. */
function brokenOff(error: unknown, written: string): ObkError {
  const known = asObkError(error);
  return new ObkError({
    code: known.code,
    exit: known.exit,
    title: known.title,
    detail: [written, known.detail ?? ''].join('\n').trim(),
    hint: known.hint,
    cause: error,
    ...defined({ resource: known.resource }),
  });
}

/** Prints an error to stderr, and to stdout the document that its exit code promises. Returns the exit code. */
export async function printError(host: Process, thrown: unknown, choice: OutputChoice): Promise<ExitCode> {
  const error = asObkError(thrown);
  choice.record.error = error;
  let exit = error.exit;
  const result = resultOf(error);
  if (result !== undefined) {
    try {
      await printOutcome(host, result, { ...choice, expect: [], sought: undefined });
    } catch (lost) {
      exit = asObkError(lost).exit;
    }
  }
  if (choice.quiet < 2) {
    const { tty } = choice.stderr;
    const text = choice.machine
      ? `${toJson(errorDocument(error), { pretty: tty })}\n`
      : errorText(error, choice.stderr);
    const stack = choice.debug ? redactText(stackOf(error)) : undefined;
    // A program finds the error in the last line.
    const isLines = choice.machine && !tty;
    const before = stack !== undefined && isLines ? `${JSON.stringify({ debug: stack })}\n` : '';
    const after = stack === undefined || isLines ? '' : `${stack}\n`;
    // Nothing more can be done where stderr itself is lost.
    await writeStyled(host.stderr, before + text, tty).catch(() => false);
    if (after !== '') await writeAll(host.stderr, after, tty).catch(() => false);
  }
  return exit;
}

/**
 * Exits 8, 9 and 10 are results even if thrown; 12 is one too: its document names the write of unknown outcome, or what the bank has made
 * where that could not be saved.
 */
export function resultOf(error: ObkError): DataOutcome | undefined {
  const results: readonly number[] = [exitCodes.pending, exitCodes.declined, exitCodes.expectation];
  const { next } = errorDocument(error).error;
  const short =
    error instanceof OutcomeUnknown
      ? unknownDocument(error)
      : results.includes(error.exit) || (error.exit === exitCodes.unknown && error.document !== undefined)
        ? { ...error.resource, next }
        : undefined;
  if (short === undefined) return undefined;
  const known = flatten(short).filter(([, value]) => value !== null);
  const text = known.map((pair) => tsvLine([`${pair[0]}:`, pair[1]]).replace('\t', ' '));
  const data = error.document === undefined ? short : { ...error.document, next };
  return { kind: 'data', data, text: () => text.join('\n') };
}

function stackOf(error: ObkError): string {
  const stacks: string[] = [];
  for (let at: unknown = error; at instanceof Error && stacks.length < 5; at = at.cause) {
    stacks.push(at.stack ?? String(at));
  }
  return stacks.join('\nCaused by: ');
}

/** How changes ended; `last` is absent where there was none. */
interface Changes {
  last: DataOutcome | undefined;
  exit: ExitCode | undefined;
}

/** Prints each change when it comes, as `filter` makes it where there is one. Undefined when the reader has gone. */
async function printChanges(
  host: Process,
  results: WatchOutcome['results'],
  choice: OutputChoice,
  filter?: (result: DataOutcome) => Promise<string>,
): Promise<Changes | undefined> {
  const human = filter === undefined && ['auto', 'table', 'wide'].includes(choice.format);
  const printer = human ? forPerson(host, choice) : forMachine(host, choice, filter);
  let last: DataOutcome | undefined;
  try {
    for (;;) {
      const { done, value } = await results.next();
      if (done === true) return { last, exit: value };
      if (!(await printer.show(value, last))) return undefined;
      last = value;
    }
  } finally {
    await printer.end(last);
  }
}

interface Printer {
  /** False when the reader has gone. */
  show(result: DataOutcome, before: DataOutcome | undefined): Promise<boolean>;
  end(last: DataOutcome | undefined): Promise<unknown>;
}

function forMachine(
  { stdout }: Process,
  choice: OutputChoice,
  filter = (result: DataOutcome) => changeLine(result, { ...choice, style: choice.stdout }),
): Printer {
  return {
    show: async (result) => writeAll(stdout, await filter(result), choice.stdout.tty),
    end: () => Promise.resolve(),
  };
}

/** The first line of each change; what else there is to say follows the last one. */
function forPerson({ stdout }: Process, choice: OutputChoice): Printer {
  const { style, stage, redraws } = { ...choice, style: choice.stdout };
  const linesOf = (result: DataOutcome) => result.text(style).trimEnd().split('\n');
  return {
    show: (result, before) => {
      const [line = ''] = linesOf(result);
      if (!redraws) return writeStyled(stdout, `${line}\n`, style.tty);
      const again = before?.name === result.name ? '\r\u001b[K' : '\n';
      const lead = stage.unfinished ? again : '';
      stage.unfinished = true;
      return writeStyled(stdout, lead + cut(line, style.width), style.tty);
    },
    end: (last) => {
      const [line = '', ...rest] = last === undefined ? [] : linesOf(last);
      const drawn = stage.unfinished ? [`\r\u001b[K${line}`] : [];
      stage.unfinished = false;
      return writeStyled(stdout, [...drawn, ...rest].map((text) => `${text}\n`).join(''), style.tty);
    },
  };
}

/** A line that is drawn again must not wrap. */
function cut(line: string, width: number): string {
  const shown = stripVTControlCharacters(line);
  return shown.length < width ? line : `${shown.slice(0, width - 2)}…`;
}
