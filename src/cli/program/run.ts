import { defined } from '../../base/defined.ts';
import { linesWith } from '../../base/command-line.ts';
import { Command } from 'commander';
import { beginRun } from '../../adapters/system/runs-here.ts';
import { createClock } from '../../adapters/system/system-clock.ts';
import type { BankInUse } from '../../base/command-line.ts';
import { usageError } from '../commands/flags/flag-values.ts';
import { globalOptions, wireOptions } from '../commands/flags/global-options.ts';
import { tree } from '../commands/catalogue/tree.ts';
import type { CommandPorts, Context, Process, Globals } from '../context.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { ExitCode } from '../../base/errors.ts';
import type { DataOutcome, Outcome, WatchOutcome } from '../outcome.ts';
import { canPrompt } from './can-prompt.ts';
import { createContext } from './create-context.ts';
import type { ContextOptions } from './run-ports.ts';
import type { Findings } from './findings.ts';
import type { Reports } from './replaceable.ts';
import { findCommand, namesBelow } from './find-command.ts';
import type { Found } from './find-command.ts';
import { inProfile } from './in-profile.ts';
import { load } from './load.ts';
import type { Loaded } from './load.ts';
import { guessGlobals, outputChoice } from './output-choice.ts';
import type { OutputChoice } from './output-choice.ts';
import { parse } from './parse.ts';
import { printError, printOutcome } from './print.ts';
import { writeStyled } from './streams.ts';
import { pagerFor, throughPager } from './through-pager.ts';
import { nearestFlags, unknownCommand } from './usage.ts';

/** Options from the edge of the process. */
export interface ProgramOptions {
  /** Aborts at Ctrl-C or SIGTERM, with an ObkError as its reason. */
  signal: AbortSignal;
  /** Ports in place of the real ones, for tests. */
  ports?: Partial<CommandPorts>;
  /** Makes the person of this run from the one who answers from flags, variables and profile. */
  person?: ContextOptions['person'];
  /** Judges the calls of the run around this one. */
  judge?: Context['judge'];
}

/** Options of the work of one command. */
interface WorkOptions extends ProgramOptions {
  /** Called once the result is printed to its end. */
  whole?: () => void;
}

/** What the context of one command is made from, besides its flags. */
interface RunContextOptions extends ProgramOptions {
  command: string;
  choice: OutputChoice;
  load?: Context['load'];
}

/** Runs one command line to its end and returns the exit code; everything is written when it resolves. */
export async function run(host: Process, options: ProgramOptions): Promise<ExitCode> {
  let choice = outputChoice(host, guessGlobals(host.argv));
  try {
    const found = asVersion(findCommand(host.argv, flagsWithValue));
    if (isHome(host, found)) return await fromHome(host, options);
    const page = await pageInstead(found);
    if (page !== undefined) return await showPage(host, page, options.signal);
    const loaded = await load(found.path);
    const parsed = parse(loaded, found.rest);
    choice = outputChoice(host, parsed);
    if (choice.format === 'html') {
      const { needPage } = await import('./need-page.ts');
      needPage(loaded, parsed, choice.stdout.tty);
    }
    if (parsed.jq !== undefined) {
      const { checkJq } = await import('../../adapters/system/jq.ts');
      await checkJq(parsed.jq, host.env);
    }
    if (parsed.output === undefined || parsed.output === '-' || loaded.ownsOutput) {
      const here = (there: Process) => work(there, loaded, parsed, options);
      const pager = pagerFor(host, found.path, parsed);
      return await (pager === undefined ? here(host) : throughPager(host, pager, options.signal, here));
    }
    const { intoFile } = await import('./into-file.ts');
    return await intoFile(host, parsed, (there, whole) => work(there, loaded, parsed, { ...options, whole }));
  } catch (error) {
    return printError(host, error, choice);
  }
}

/** Whether obk was called by its name alone, by somebody who can be asked; in a pipe it shows its help. */
const isHome = (host: Process, { path, rest, help, unknown }: Found): boolean =>
  path.length === 0 && rest.length === 0 && !help && unknown === undefined && canPrompt(host, {});

/** Offers what can be done, and runs what was chosen. */
async function fromHome(host: Process, options: ProgramOptions): Promise<ExitCode> {
  const context = contextOf(host, {}, { command: '', choice: outputChoice(host, {}), ...options });
  const { home } = await import('./home.ts');
  const words = await home(context).finally(() => context.close(exitCodes.ok));
  return words === undefined ? exitCodes.ok : run({ ...host, argv: words }, options);
}

function contextOf(host: Process, parsed: Globals, options: RunContextOptions): Context {
  const { command, choice, signal, ports, person, load: ofLoad, judge } = options;
  const context = createContext(host, {
    globals: parsed,
    options: parsed as Readonly<Record<string, unknown>>,
    choice,
    signal,
    helpPage: async (words) => (await pages()).helpPage(words),
    entries: tree,
    commandTree: async () => (await pages()).commandTree(),
    whyNotValue: async (...asked) => (await import('./why-not-value.ts')).whyNotValue(...asked),
    runCommand: async (words, how) => {
      const { runWithin } = await import('./run-within.ts');
      const inner = { ...ports, notices: how.notices };
      return runWithin(run, host, words, { signal, ...defined({ judge }), ...how, ports: inner });
    },
    openLoad: async () => {
      const { loadRuns } = await import('./load-runs.ts');
      return loadRuns(contextOf, host, context);
    },
    command,
    ...defined({ ports, person, load: ofLoad, judge }),
  });
  return context;
}

/** One command in its context: its work, what is printed of it, and what ends with it. */
class CommandRun {
  readonly #host: Process;
  readonly #context: Context;
  readonly #choice: OutputChoice;
  readonly #findings: Findings | undefined;
  readonly #whole: (() => void) | undefined;

  constructor(
    host: Process,
    context: Context,
    choice: OutputChoice,
    { findings, whole }: { findings: Findings | undefined; whole: (() => void) | undefined },
  ) {
    this.#host = host;
    this.#context = context;
    this.#choice = choice;
    this.#findings = findings;
    this.#whole = whole;
  }

  /** Does the work, prints what came of it and closes what was opened for it. */
  async end(work: () => Promise<Outcome>): Promise<ExitCode> {
    const end = beginRun(this.#context.ports.journal.run);
    try {
      const exit = await this.#finish(work);
      const judged = await this.#unlessLate(exit, async () => (await this.#findings?.end(exit)) ?? exit);
      return await this.#unlessLate(judged, async () => {
        await this.#context.close(judged);
        return judged;
      });
    } finally {
      end();
    }
  }

  /** Does the work and prints what came of it, result or error. */
  async #finish(work: () => Promise<Outcome>): Promise<ExitCode> {
    const context = this.#context;
    const { globals } = context;
    try {
      if (named.some((kind) => kind in globals)) await openReports(context, globals, this.#choice);
      const outcome = inProfile(await this.#carryOut(work), context);
      const told = globals.meta === true ? withMeta(outcome, context) : outcome;
      // What has happened is kept before anything of it is told; where it cannot be, nothing but this tells it.
      const unkept = await unkeptOf(context);
      const exit = await printOutcome(this.#host, told, this.#choice);
      if (unkept !== undefined) throw unkept;
      this.#whole?.();
      return exit;
    } catch (error) {
      if (error instanceof ObkError) {
        error.profile = context.inUse;
        const { paymentId, consentId, basketId } = error.resource ?? {};
        error.proved = context.proved.get(paymentId ?? consentId ?? basketId ?? '');
        if (error.choices !== undefined) error.again = linesWith(error.choices, this.#host.argv);
      }
      // That the judge fails as well must not hide the error.
      await this.#findings?.tell().catch(() => undefined);
      return printError(this.#host, error, this.#choice);
    }
  }

  /** What the run has learned is written whatever it ended in. */
  async #carryOut(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work();
    } catch (error) {
      const unkept = await unkeptOf(this.#context);
      throw unkept !== undefined && error instanceof ObkError ? endedIn(unkept, error) : error;
    }
  }

  /** What fails once a command has ended, such as a trace file that cannot be written, must not hide how it ended. */
  async #unlessLate(exit: ExitCode, work: () => Promise<ExitCode>): Promise<ExitCode> {
    try {
      return await work();
    } catch (error) {
      const late = await printError(this.#host, error, this.#choice);
      return exit === exitCodes.ok ? late : exit;
    }
  }
}

/** Runs a parsed command in its context. */
async function work(host: Process, loaded: Loaded, parsed: Globals, options: WorkOptions): Promise<ExitCode> {
  const choice = outputChoice(host, parsed);
  if (choice.fields !== undefined) {
    const { soughtFields } = await import('./known-fields.ts');
    choice.sought = soughtFields(loaded, choice.fields, parsed);
  }
  const findings =
    parsed.findings === true && !loaded.ownsFindings ? await findingsOf(host, choice, options) : undefined;
  const judge = findings?.judge ?? options.judge;
  const context = contextOf(host, parsed, { ...options, judge, choice, command: loaded.entry.path });
  if (loaded.entry.path.startsWith('sandbox '))
    context.inUse = { usual: true, builtIn: true, bank: bankGiven(parsed as BankInUse) };
  const run = new CommandRun(host, context, choice, { findings, whole: options.whole });
  return run.end(async () => loaded.run(context, parsed as never));
}

async function findingsOf(host: Process, choice: OutputChoice, { ports }: ProgramOptions): Promise<Findings> {
  const { Findings } = await import('./findings.ts');
  return new Findings(host, choice, ports?.clock ?? createClock());
}

/** The bank inside that the flags of `obk sandbox` name: its next steps are meant for that one. */
const bankGiven = ({ at, tenant }: BankInUse): BankInUse => ({
  ...defined({ at, tenant }),
});

/** The options that name a report. */
const named = ['reportJunit', 'trace', 'junit', 'html'] as const;

/** Looks at the places of all reports before anything is done; that of --report-junit tells of the others. */
async function openReports(context: Context, options: Reports, choice: OutputChoice): Promise<void> {
  const { needReplaceable } = await import('./replaceable.ts');
  for (const kind of named) {
    await needReplaceable(context, kind, options);
    if (kind !== 'reportJunit' || options.reportJunit === undefined) continue;
    const { junitAtEnd } = await import('./junit-file.ts');
    junitAtEnd(context, options.reportJunit, choice.record);
  }
}

/** Why what a bank has answered could not be kept; undefined where it is. */
async function unkeptOf(context: Context): Promise<ObkError | undefined> {
  try {
    await context.kept();
    return undefined;
  } catch (error) {
    if (error instanceof ObkError) return error;
    throw error;
  }
}

/** The error of a run whose end is known from nowhere else, with that end. */
function endedIn(unkept: ObkError, { title, detail = '', resource }: ObkError): ObkError {
  const { code, exit, hint, cause } = unkept;
  return new ObkError({
    ...{ code, exit, hint, cause, title: unkept.title, resource: unkept.resource ?? resource },
    detail: `${unkept.detail ?? ''}\nThe run ended in: ${title} ${detail}`.trim(),
  });
}

function withMeta(outcome: Outcome, context: Context): Outcome {
  if (outcome.kind === 'rows') return outcome;
  if (outcome.kind === 'data') return dataWithMeta(outcome, context);
  return { kind: 'watch', results: eachWithMeta(outcome.results, context) };
}

async function* eachWithMeta(results: WatchOutcome['results'], context: Context): WatchOutcome['results'] {
  for (;;) {
    const { done, value } = await results.next();
    if (done === true) return value;
    yield dataWithMeta(value, context);
  }
}

function dataWithMeta(outcome: DataOutcome, { seen }: Context): DataOutcome {
  const { data } = outcome;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return outcome;
  const { headers: _, ...meta } = seen ?? { headers: [] };
  const members = Object.entries(data).concat([['_obk', { ...meta, next: outcome.next ?? [] }]]);
  return { ...outcome, data: Object.fromEntries(members) };
}

/** A page of help: to a person, in a pager where it is long. */
function showPage(
  host: Process,
  { text, exit }: { text: string; exit: ExitCode },
  signal: AbortSignal,
): Promise<ExitCode> {
  const show = async ({ stdout, stderr }: Process) => {
    await writeStyled(exit === exitCodes.ok ? stdout : stderr, text);
    return exit;
  };
  const pager = exit === exitCodes.ok ? pagerFor(host, ['help'], guessGlobals(host.argv)) : undefined;
  return pager === undefined ? show(host) : throughPager(host, pager, signal, show);
}

/** `obk --version` is `obk version`. */
function asVersion(found: Found): Found {
  const asked = (flag: string) => flag === '--version' || flag === '-V';
  if (found.path.length > 0 || !found.rest.some(asked)) return found;
  return { ...found, path: ['version'], rest: found.rest.filter((flag) => !asked(flag)) };
}

/** Only who asks for help needs them. */
const pages = () => import('./pages.ts');

/** The page for a help request or for a noun without a verb; throws for words that are no command. */
async function pageInstead(found: Found): Promise<{ text: string; exit: ExitCode } | undefined> {
  const { path, unknown, help, part, rest } = found;
  if (unknown !== undefined) throw unknownCommand(path, unknown);
  const runs = tree.some((entry) => entry.path === path.join(' ') && entry.load !== undefined);
  if (runs && !help) return undefined;
  if (!help && rest.length > 0) throw incomplete(path, rest);
  const { helpPage, pageOf, partOf } = await pages();
  if (part !== undefined) return { text: await partOf(path, part), exit: 0 };
  if (path.join(' ') === 'help') {
    return { text: await helpPage(rest.filter((word) => !word.startsWith('-'))), exit: 0 };
  }
  return { text: await pageOf(path), exit: help ? 0 : 2 };
}

/** A noun with flags but without a verb: either a flag is wrong, or the verb was forgotten. */
function incomplete(path: readonly string[], rest: readonly string[]): Error {
  const at = ['obk', ...path].join(' ');
  const known = globalFlags().flatMap(({ short, long }) =>
    [short, long].filter((flag) => flag !== undefined),
  );
  const wrong = rest.find((flag) => flag.startsWith('--') && !known.includes(flag.replace(/=.*/, '')));
  if (wrong !== undefined) {
    const near = nearestFlags(wrong, known);
    return usageError(`${at} has no flag ${wrong}.`, ...(near.length > 0 ? near : [`${at} --help`]));
  }
  const names = namesBelow(path).map((name) => `${at} ${name}`);
  return usageError(`${at} needs a command.`, ...names.slice(0, 6));
}

function globalFlags(): Command['options'] {
  return wireOptions(globalOptions(new Command('obk'))).options;
}

function flagsWithValue(): ReadonlySet<string> {
  return new Set(
    globalFlags()
      .filter((option) => option.required)
      .flatMap((option) => [option.short, option.long].filter((flag) => flag !== undefined)),
  );
}
