import { defined } from '../../base/defined.ts';
import { setMaxListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { passingState } from '../../adapters/sqlite/passing-state.ts';
import type { CommandPorts, Context, Globals, LoadEnd, LoadOfRun, LoadRuns, Process } from '../context.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { ExitCode } from '../../base/errors.ts';
import type { Outcome } from '../outcome.ts';
import type { Bank } from '../../bank/door.ts';
import type { Notices, Person } from '../../client/ports/person.ts';
import type { CallHeard } from '../../settings/records/journey-run.ts';
import { asObkError } from '../render/error.ts';
import { toJson } from '../render/json.ts';
import { batchOf } from '../render/table.ts';
import { Secret } from '../../base/secret.ts';
import { isLoopback, parseUrl } from '../../base/url.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { ContextOptions } from './run-ports.ts';
import { findCommand } from './find-command.ts';
import { load } from './load.ts';
import type { Loaded } from './load.ts';
import { outputChoice } from './output-choice.ts';
import { parse } from './parse.ts';
import { resultOf } from './print.ts';
import { atEndOf } from './at-end.ts';
import type { Closers } from './at-end.ts';
import { listenerPort } from './listener-port.ts';

/** So many things are kept for all runs. */
const mostMade = 2_000;
/** So many command lines are kept as they were read. */
const mostLines = 250;

type OfRun = Pick<ContextOptions, 'command' | 'choice' | 'signal' | 'ports' | 'person' | 'load'>;
type MakeContext = (host: Process, parsed: Globals, options: OfRun) => Context;

/**
 * Runs command lines as `runWithin` does, many at once: each command is registered once, settings, keys and connections are
 * read once, what is saved stays in memory, and no result is written out as text.
 */
export function loadRuns(contextOf: MakeContext, host: Process, outer: Context): LoadRuns {
  const silent: Process = {
    ...host,
    // To ask the process for a variable costs more than to ask an object, and each call asks for dozens.
    env: { ...host.env },
    stdin: Readable.from([]),
    stdout: nowhere(),
    stderr: nowhere(),
  };
  const choice = outputChoice(silent, { json: true });
  const { ports } = outer;
  const commands = new Map<string, Promise<Loaded>>();
  const made = new Map<string, Promise<unknown>>();
  const key = new Secret(ports.ids.token(32));
  const once = onceIn(made);
  let here = '';
  /** Many requests go to one origin, which is parsed once. */
  const staysHere = (url: string): boolean => {
    const [origin = ''] = /^https?:\/\/[^/?#\\]*/.exec(url) ?? [];
    if (origin !== '' && origin === here) return true;
    if (!isLoopback(parseUrl(url)?.hostname ?? '')) return false;
    here = origin;
    return true;
  };
  const shared: Partial<CommandPorts> = {
    notices: noNotices,
    secrets: ports.secrets,
    clock: ports.clock,
    ids: ports.ids,
    settings: {
      read: () => once('settings', () => ports.settings.read()),
      update: (change) => once('settings', () => ports.settings.read()).then(change),
    },
    http: {
      send: (request, options) => {
        if (staysHere(request.url)) return ports.http.send(request, options);
        const hostname = parseUrl(request.url)?.hostname ?? '';
        return Promise.reject(
          new ObkError({ code: 'POLICY', title: `Load may not leave this machine: ${hostname}.` }),
        );
      },
      offeredCiphers: (list) => ports.http.offeredCiphers(list),
      proxy: (url) => ports.http.proxy(url),
      close: () => Promise.resolve(),
    },
    bank: oneBank(ports.bank, once),
  };

  // What was made before the load can be read in it.
  const home = {
    credentials: overridden(ports.credentials, {
      read: (profile) => once(`credentials ${profile}`, () => ports.credentials.read(profile)),
    }),
    find: (...of: Parameters<CommandPorts['resources']['find']>) => {
      const key = `resource ${JSON.stringify(of)}`;
      return made.size < mostMade
        ? once(key, () => ports.resources.find(...of))
        : ports.resources.find(...of);
    },
  };

  const found = (
    words: readonly string[],
  ): { path: string; loaded: Promise<Loaded>; rest: readonly string[] } => {
    for (const length of [3, 2, 1]) {
      const path = words.slice(0, length).join(' ');
      const loaded = commands.get(path);
      if (loaded !== undefined) return { path, loaded, rest: words.slice(length) };
    }
    const { path: parts, rest } = findCommand(words, () => new Set());
    const path = parts.join(' ');
    const loaded = load(parts);
    commands.set(path, loaded);
    return { path, loaded, rest };
  };

  /** Reads a command line, and makes all that is the same each time that it runs. */
  const lineOf = async (words: readonly string[], how: OfLine): Promise<CommandLine> => {
    const { path, loaded, rest } = found(words);
    const command = await loaded;
    const { cwd, input, signal } = how;
    const host: Process = {
      ...silent,
      argv: words,
      cwd,
      ...(input !== undefined && { stdin: Readable.from([Buffer.from(input)]) }),
    };
    const parsed = parse(command, rest);
    const context = contextOf(host, parsed, { command: path, choice, signal, ports: shared });
    // Paths and stdin are those of this line.
    const files = overridden(context.ports.files, {
      project: () => once(`project ${cwd}`, () => context.ports.files.project()),
    });
    return {
      command,
      parsed,
      context: { ...context, ports: { ...context.ports, files } },
      ofLine: onceIn(new Map()),
    };
  };
  const lines = new WeakMap<AbortSignal, Map<string, Promise<CommandLine>>>();
  const readOnce = (words: readonly string[], how: OfLine): Promise<CommandLine> => {
    const ofSignal = lines.get(how.signal) ?? linesOf(how.signal);
    // Stdin is read once.
    if (how.input !== undefined) return lineOf(words, how);
    const key = JSON.stringify([how.cwd, words]);
    const line = ofSignal.get(key) ?? lineOf(words, how);
    // Those that are used again and again stay; one that names a payment is seldom needed twice.
    ofSignal.delete(key);
    ofSignal.set(key, line);
    if (ofSignal.size > mostLines) ofSignal.delete(ofSignal.keys().next().value ?? '');
    return line;
  };
  const linesOf = (signal: AbortSignal) => {
    // Each of many commands listens for the same interruption.
    setMaxListeners(0, signal);
    const made = new Map<string, Promise<CommandLine>>();
    lines.set(signal, made);
    return made;
  };

  return {
    place() {
      const state = passingState(home, { run: ports.journal.run, clock: ports.clock, key });
      return async (words, { input, cwd, person, signal = outer.signal }) => {
        const calls: CallHeard[] = [];
        try {
          const { command, parsed, context: first, ofLine } = await readOnce(words, { input, cwd, signal });
          const ofRun: LoadOfRun = { once, ofLine, heard: (call) => calls.push(call) };
          const context = runAgain(first, { state, load: ofRun, person });
          const ended = await endOf(() => command.run(context, { ...parsed } as never));
          await context.close(ended.exit as ExitCode);
          return { ...ended, calls };
        } catch (error) {
          return { ...endOfError(error), calls };
        }
      };
    },
  };
}

/** A command line that was read, with the context of its first run. */
interface CommandLine {
  command: Loaded;
  parsed: Globals;
  context: Context;
  ofLine: LoadOfRun['ofLine'];
}

/** Besides its words, what a command line has of its own. */
interface OfLine {
  input: string | undefined;
  cwd: string;
  signal: AbortSignal;
}

/** Makes things once, and keeps them by their keys. */
const onceIn =
  (made: Map<string, Promise<unknown>>): LoadOfRun['once'] =>
  <Made>(key: string, make: () => Promise<Made>): Promise<Made> => {
    const known = made.get(key) as Promise<Made> | undefined;
    if (known !== undefined) return known;
    const begun = make();
    made.set(key, begun);
    // What failed may be tried again.
    begun.catch(() => made.delete(key));
    return begun;
  };

type End = Omit<LoadEnd, 'calls'>;

/** What a command came to; everything that streams is read to its end. */
async function endOf(work: () => Promise<Outcome>): Promise<End> {
  try {
    const outcome = await work();
    if (outcome.kind === 'rows') {
      const rows: unknown[] = [];
      for await (const some of outcome.rows) rows.push(...batchOf(some));
      return ended(outcome.exitAtEnd?.() ?? outcome.exit, rows);
    }
    if (outcome.kind === 'watch') {
      let last: unknown;
      let exit: ExitCode | undefined;
      for (;;) {
        const { done, value } = await outcome.results.next();
        if (done === true) return ended(value ?? exit, last);
        ({ data: last, exit } = value);
      }
    }
    const { raw } = outcome;
    if (raw !== undefined && !(raw instanceof Uint8Array)) for await (const _ of raw);
    return ended(outcome.exit, outcome.data);
  } catch (error) {
    return endOfError(error);
  }
}

/** As a document, so that a journey finds in it what it would find in the one that is printed. */
const ended = (exit: ExitCode | undefined, data: unknown): End => ({
  exit: exit ?? exitCodes.ok,
  document: () => (data === undefined ? undefined : readJson(toJson(data, { pretty: false }))),
  error: undefined,
});

function endOfError(thrown: unknown): End {
  const error = asObkError(thrown);
  const { code, title, detail = null, resource, exit } = error;
  return {
    ...ended(exit, resultOf(error)?.data ?? resource),
    error: { code, title, detail, ...defined({ resource }) },
  };
}

/** All runs mean the same bank inside, which is looked for once. */
function oneBank(bank: Bank, once: LoadOfRun['once']): Bank {
  let meant: string | undefined;
  return overridden(bank, {
    place(named, tenant) {
      const wish = JSON.stringify([named, tenant]);
      if (named !== undefined || tenant !== undefined) meant ??= wish;
      if (meant !== undefined && meant !== wish && named !== undefined)
        return Promise.reject(
          new ObkError({
            code: 'USAGE',
            title: 'Under load there is one bank inside, and one tenant of it.',
          }),
        );
      return once(`place ${wish}`, () => bank.place(named, tenant));
    },
    ensure: () => once('bank', () => bank.ensure()),
    close: () => Promise.resolve(),
  });
}

/** A port with some methods of its own, whatever object it is. */
function overridden<Port extends object>(port: Port, own: Partial<Port>): Port {
  return new Proxy(port, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown;
      const value: unknown = Reflect.get(port, name);
      return typeof value === 'function' ? (value.bind(port) as unknown) : value;
    },
  });
}

const nothing = () => undefined;

const noNotices: Notices = {
  say: nothing,
  place: nothing,
  created: nothing,
  warn: nothing,
  trace: nothing,
  call: nothing,
  progress: () => ({ update: nothing, stop: nothing }),
};

const nowhere = () => new PassThrough().resume();

/** The parts of a run that it shares with none before it. */
interface OwnParts {
  /** Where it keeps what it makes. */
  state: Partial<CommandPorts>;
  load: LoadOfRun;
  person: ((scripted: Person) => Person) | undefined;
}

/** A further run of a command line: what its words, settings and environment decide is that of the first. */
function runAgain(first: Context, { state, load, person }: OwnParts): Context {
  const closers: Closers = [];
  const ports: CommandPorts = { ...first.ports, ...state, listener: listenerPort(closers) };
  if (person !== undefined) ports.person = person(first.ports.person);
  return {
    ...first,
    ports,
    load,
    inUse: undefined,
    proved: new Map(),
    seen: undefined,
    ...atEndOf(closers),
  };
}
