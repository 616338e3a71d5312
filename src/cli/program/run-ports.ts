import { typedPath } from '../../adapters/files/typed-path.ts';
import type { directories } from '../../adapters/files/directories.ts';
import type { OwnFolders } from '../../adapters/files/own-folders.ts';
import { createScriptedPerson } from '../../adapters/terminal/scripted-person.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Gate } from '../../client/ports/gate.ts';
import type { Person, Question } from '../../client/ports/person.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import type { Policy } from '../../settings/records/policy.ts';
import { isOfAnotherPsu } from '../commands/flags/psu-variables.ts';
import type { CommandPorts, Context, Globals, Process } from '../context.ts';
import { isOn } from '../render/style.ts';
import { fold } from '../render/wrap.ts';
import type { Closers } from './at-end.ts';
import { askedBehind } from './behind-gate.ts';
import { canPrompt } from './can-prompt.ts';
import { lazy } from './lazy.ts';
import { listenerPort } from './listener-port.ts';
import { isAccessible } from './output-choice.ts';
import type { OutputChoice } from './output-choice.ts';

/** Options of one run for its Context. */
export interface ContextOptions {
  globals: Globals;
  /** All parsed flags by their names, for the questions that they answer. */
  options: Readonly<Record<string, unknown>>;
  choice: OutputChoice;
  signal: AbortSignal;
  helpPage: Context['helpPage'];
  entries: Context['entries'];
  commandTree: Context['commandTree'];
  whyNotValue: Context['whyNotValue'];
  runCommand: Context['runCommand'];
  openLoad: Context['openLoad'];
  load?: Context['load'];
  judge?: Context['judge'];
  command: string;
  ports?: Partial<CommandPorts>;
  /** Makes the person of this run from the one who answers from flags, variables and profile. */
  person?: ((scripted: Person) => Person) | undefined;
}

/** What the ports of a run are made of. */
export interface RunParts {
  host: Process;
  options: ContextOptions;
  folders: ReturnType<typeof directories>;
  clock: Clock;
  warn: (line: string) => void;
  closers: Closers;
  policy: () => Policy | undefined;
  own: OwnFolders;
}

type Adapters = Omit<
  CommandPorts,
  | 'notices'
  | 'clock'
  | 'ids'
  | 'person'
  | 'stateStore'
  | 'credentials'
  | 'resources'
  | 'locks'
  | 'journal'
  | 'intents'
  | 'usage'
>;

/** The ports that are an adapter each, loaded at their first use; `hasHttp` states whether anything may have been sent. */
export function adaptersOf(run: RunParts): Adapters & { hasHttp: () => boolean } {
  const { host, options, folders, clock, warn, closers, own } = run;
  const { env } = host;
  const { signal } = options;
  let hasHttp = false;
  const closing = <T extends { close(): Promise<void> }>(load: () => Promise<T>) =>
    lazy<T>(async () => {
      const port = await load();
      closers.push(() => port.close());
      return port;
    });
  const secrets = secretsOf(run);
  return {
    hasHttp: () => hasHttp,
    secrets,
    files: filesOf(run),
    settings: lazy(async () => {
      own.need();
      const { createSettings } = await import('../../adapters/settings/conf-settings.ts');
      return createSettings({ ...folders, clock });
    }),
    signer: lazy(async () => {
      own.needReference('cmd: of the profile');
      await needReference(run, 'cmd:');
      const { createSigner } = await import('../../adapters/secrets/external-signer.ts');
      return createSigner({ env, clock, signal });
    }),
    tlsPeers: lazy(() =>
      import('../../adapters/http/tls-peers.ts').then((adapter) => adapter.createTlsPeers({ clock, env })),
    ),
    http: closing(() => {
      hasHttp = true;
      return import('../../adapters/http/undici-http.ts').then((adapter) =>
        adapter.createHttp({ clock, env }),
      );
    }),
    browser: lazy(() =>
      import('../../adapters/browser/browser.ts').then((adapter) =>
        adapter.createBrowser({ env, clock, terminal: host.stderr.isTTY === true }),
      ),
    ),
    listener: listenerPort(closers),
    notifications: lazy(() =>
      import('../../adapters/browser/notification-listener.ts').then((adapter) =>
        adapter.createNotifications(),
      ),
    ),
    bank: closing(() =>
      import('./bank-port.ts').then(({ bankPort }) =>
        bankPort(host, {
          ...{ options: options.options, stateDir: folders.stateDir },
          ...{ clock, secrets, warn },
        }),
      ),
    ),
  };
}

/** Throws POLICY where the machine allows no reference of this kind. */
async function needReference({ policy }: RunParts, reference: string): Promise<void> {
  if (policy()?.commandReferences !== false) return;
  const { needAllowedReference } = await import('../../client/profile/policy.ts');
  needAllowedReference(policy(), reference);
}

/** Stdin and programs of the user may take any time; waiting for them ends with the run. */
function secretsOf(run: RunParts): Secrets {
  const { host, warn, own } = run;
  const { signal } = run.options;
  const references = lazy(() =>
    import('../../adapters/secrets/secret-references.ts').then((adapter) =>
      adapter.createSecrets({
        env: host.env,
        // To look at stdin opens it.
        get stdin() {
          return host.stdin;
        },
        warn,
        signal,
      }),
    ),
  );
  return {
    read: async (reference, purpose, how) => {
      own.needReference(reference);
      await needReference(run, reference);
      return unlessAborted(signal, references.read(reference, purpose, how));
    },
    check: (reference, purpose) => references.check(reference, purpose),
  };
}

function filesOf({ host, options, folders, clock, own }: RunParts): CommandPorts['files'] {
  const { cwd, env } = host;
  const { signal } = options;
  const userFiles = () =>
    import('../../adapters/files/user-files.ts').then((adapter) =>
      adapter.createFiles({ cwd, env, stdin: () => host.stdin }),
    );
  const files = lazy(userFiles);
  const pictures = lazy(async () => {
    own.need();
    const { pictureFiles } = await import('../../adapters/files/picture-files.ts');
    return pictureFiles(folders.stateDir, clock);
  });
  // What its files do not have stands in `own`.
  return lazy(userFiles as () => Promise<CommandPorts['files']>, {
    absolute: (path) => typedPath(path, { cwd, env }),
    read: (path) => unlessAborted(signal, files.read(path)),
    stream: (path) => streamUnlessAborted(signal, userFiles, path),
    savePicture: (bytes, suffix) => pictures.savePicture(bytes, suffix),
    removePicture: (path) => pictures.removePicture(path),
  });
}

/** The person, whom flags, variables and profile answer for, and a human only after all of them. */
export function personOf({ host, options }: RunParts, secrets: Secrets, gate: Gate): Person {
  const { env } = host;
  const { choice, globals, signal } = options;
  const terminal = lazy<Person>(
    () =>
      import('../../adapters/terminal/terminal-person.ts').then((adapter) =>
        adapter.createTerminalPerson({
          stdin: host.stdin,
          stderr: host.stderr,
          colour: choice.stderr.level > 0,
          accessible: isAccessible(env),
          signal,
          stage: choice.stage,
          fold,
        }),
      ),
    { present: true },
  );
  const scripted = createScriptedPerson({
    answer: (question) => given(question, options.options, env),
    agreed: ({ flag, env: variable }) => options.options[optionName(flag)] === true || isOn(env[variable]),
    secrets,
    ...(canPrompt(host, globals) ? { human: askedBehind(gate, terminal) } : {}),
  });
  return options.person?.(scripted) ?? scripted;
}

/** `--psu-password-from` is `psuPasswordFrom`. */
function optionName(flag: string): string {
  return flag.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function given(
  { flag, env: variable }: Question,
  options: ContextOptions['options'],
  env: Process['env'],
): string | undefined {
  const typed = options[optionName(flag)];
  if (typeof typed === 'string') return typed;
  const value = env[variable];
  if (value === undefined || value === '') return undefined;
  return isOfAnotherPsu(variable, options['psuId'], env) ? undefined : value;
}

async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function* streamUnlessAborted(
  signal: AbortSignal,
  files: () => Promise<Pick<CommandPorts['files'], 'stream'>>,
  path: string,
): AsyncGenerator<Uint8Array> {
  const chunks = (await files()).stream(path)[Symbol.asyncIterator]();
  for (;;) {
    const next: IteratorResult<Uint8Array, unknown> = await unlessAborted(signal, chunks.next());
    if (next.done === true) return;
    yield next.value;
  }
}
