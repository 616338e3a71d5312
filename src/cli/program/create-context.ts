import { defined } from '../../base/defined.ts';
import { join } from 'node:path';
import { directories } from '../../adapters/files/directories.ts';
import { ownFolders } from '../../adapters/files/own-folders.ts';
import { policyPath, readPolicy } from '../../adapters/settings/policy-file.ts';
import { newRunId } from '../../adapters/files/safe-name.ts';
import { createClock, createIds } from '../../adapters/system/system-clock.ts';
import { createNotices } from '../../adapters/terminal/terminal-notices.ts';
import type { Context, Process } from '../context.ts';
import { maskWhere } from '../../client/redaction/masking.ts';
import type { Policy } from '../../settings/records/policy.ts';
import { fold } from '../render/wrap.ts';
import { atEndOf } from './at-end.ts';
import type { Closers } from './at-end.ts';
import { isAnimated } from './output-choice.ts';
import { statePorts } from './state-ports.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Notices } from '../../client/ports/person.ts';
import type { OwnFolders } from '../../adapters/files/own-folders.ts';
import { adaptersOf, personOf } from './run-ports.ts';
import type { ContextOptions } from './run-ports.ts';
import { createGate } from '../../client/ports/gate.ts';
import { behindGate } from './behind-gate.ts';

export function createContext(host: Process, options: ContextOptions): Context {
  const { env } = host;
  const folders = directories(env);
  const clock = options.ports?.clock ?? createClock();
  const ids = options.ports?.ids ?? createIds();
  const runId = newRunId(clock, ids);
  const notices = options.ports?.notices ?? noticesOf(host, options);
  const warn = (line: string) => {
    notices.warn(line);
  };
  const closers: Closers = [];
  const policy = policyOf(host);
  maskWhere(() => policy()?.unmasked === false);
  const run = { host, options, folders, clock, warn, closers, policy, own: foldersOf(host, options, warn) };
  const gate = createGate(
    async (error, ofWrite) => {
      const { tellUnrecorded, tellUnwritable } = await import('../../client/exchange/unwritable.ts');
      if (ofWrite) tellUnrecorded(real, error);
      else tellUnwritable(real, error);
    },
    lastingWith(clock, notices),
  );
  const { urlFrom } = options.options;
  const { place: statePlace, ...state } = statePorts({
    ...{ ...run, env, runId, gate, signal: options.signal },
    flags: options.options,
    ports: () => real,
    urlFrom: typeof urlFrom === 'string' ? urlFrom : undefined,
    profile: async (settings) => {
      const { wishedProfile } = await import('../commands/run/with-target.ts');
      return wishedProfile(context, settings);
    },
  });
  const { hasHttp, ...adapters } = adaptersOf(run);
  const real = behindGate(gate, {
    ...{ notices, clock, ids },
    ...adapters,
    ...state,
    person: personOf(run, adapters.secrets, gate),
    ...options.ports,
  });
  const { globals, choice, signal, command, load, judge, helpPage, entries } = options;
  const { commandTree, whyNotValue, runCommand, openLoad } = options;
  const context: Context = {
    ...{ process: host, globals, signal, command, helpPage, entries, load, judge },
    ...{ commandTree, whyNotValue, runCommand, openLoad },
    ports: real,
    policy,
    statePlace,
    style: choice.stderr,
    directories: {
      settings: join(folders.configDir, 'config.json'),
      credentials: join(folders.configDir, 'credentials.json'),
      state: folders.stateDir,
    },
    ...atEndOf(closers),
    kept: () => gate.pass(),
    inUse: undefined,
    // The ports of a test send by means of their own.
    maySend: () => hasHttp() || options.ports?.http !== undefined,
    proved: new Map(),
    seen: undefined,
  };
  return context;
}

function noticesOf({ stderr, env }: Process, { choice, globals }: ContextOptions): Notices {
  return createNotices({
    stderr,
    env,
    quiet: choice.quiet,
    verbose: globals.verbose ?? (globals.print === undefined ? 0 : 1),
    watched: isAnimated(stderr.isTTY === true, env),
    machine: choice.machine && stderr.isTTY !== true,
    json: choice.machine,
    stage: choice.stage,
    style: choice.stderr,
    ...(choice.stderr.tty && { fold: (line) => fold(line, Math.max(40, choice.stderr.width)) }),
  });
}

/** The policy of the machine, read once. */
function policyOf(host: Process): () => Policy | undefined {
  let read: { policy: Policy | undefined } | undefined;
  return () => {
    const { path, owner } = host.policy ?? { path: policyPath, owner: 0 };
    read ??= { policy: readPolicy(path, owner) };
    return read.policy;
  };
}

/** The folders of this home, and the references that flags or variables of this run give. */
function foldersOf(host: Process, { options }: ContextOptions, warn: (line: string) => void): OwnFolders {
  const { env, trustee } = host;
  return ownFolders({
    ...directories(env),
    env,
    warn,
    given: (reference) =>
      Object.values(options).includes(reference) ||
      Object.entries(env).some(([name, value]) => /^OBK_.*_FROM$/.test(name) && value === reference),
    ...defined({ who: trustee }),
  });
}

/** Tells a person that work lasts, where it waits for a state that another process holds. */
function lastingWith(clock: Clock, notices: Notices) {
  return async <T>(work: Promise<T>): Promise<T> => {
    let progress: ReturnType<Notices['progress']> | undefined;
    const stop = clock.after(longMs, () => {
      progress = notices.progress('Waiting for the state, which another process holds');
    });
    return work.finally(() => {
      stop();
      progress?.stop();
    });
  };
}

/** After so long somebody who watches wants to know what a run waits for. */
const longMs = 3_000;
