import { PassThrough, Writable } from 'node:stream';
import type { Process } from '../../src/cli/context.ts';
import type { CommandPorts } from '../../src/cli/context.ts';
import { run } from '../../src/cli/program/run.ts';
import { knownSecretValues } from '../../src/base/secret.ts';
import { bound } from './bound.ts';
import type { Obk, Ran } from './obk.ts';

/** Where and how obk runs inside this process. */
export interface InsideOptions {
  env: NodeJS.ProcessEnv;
  cwd: string;
  ports?: Partial<CommandPorts>;
  /** Given and closed; without it stdin is a pipe that never says anything. */
  input?: string;
  signal?: AbortSignal;
  /** Stdin and stderr say that they are a terminal; questions go to `ports.person`. */
  terminal?: true;
  /** Stdout says that it is a terminal of so many columns. */
  columns?: number;
  /** Where the policy of the machine stands in this run. */
  policy?: Process['policy'];
  /** Called whenever something was written to stdout. */
  onOutput?: () => void;
  /** Milliseconds until the run counts as hanging where nothing else runs; 10 s unless given. */
  bound?: number;
}

// The campaign shares its machine with the load that it makes.
const usual = process.env['OBK_TEST_CAMPAIGN'] === undefined ? 10_000 : 60_000;
let going = 0;

/**
 * Runs the program without a process of its own: argv, environment and streams are those of the run, all else (files, network,
 * the bank) is real. An order of magnitude cheaper than a process; what a process adds is tested elsewhere.
 */
export async function runInside(args: readonly string[], options: InsideOptions): Promise<Ran> {
  // A process knows only those secrets that it has made itself; to look for those of all earlier runs costs more than a run.
  if (going === 0) (knownSecretValues() as Set<string>).clear();
  going += 1;
  const stdin = new PassThrough();
  if (options.input !== undefined) stdin.end(options.input);
  const stdout = collector(options.onOutput);
  const stderr = collector();
  if (options.columns !== undefined) Object.assign(stdout.stream, { isTTY: true, columns: options.columns });
  if (options.terminal === true)
    for (const one of [stdin, stderr.stream]) Object.assign(one, { isTTY: true });
  const process: Process = {
    argv: args,
    env: options.env,
    stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    version: '0.0.0-test',
    pid: globalThis.process.pid,
    cwd: options.cwd,
    platform: globalThis.process.platform,
    ...(options.policy === undefined ? {} : { policy: options.policy }),
  };
  let timer: NodeJS.Timeout | undefined;
  const hanging = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        reject(new Error(`obk ${args.join(' ')} hangs\n${stderr.text()}`));
      },
      bound(options.bound ?? usual),
    );
  });
  try {
    const code = await Promise.race([
      run(process, {
        signal: options.signal ?? new AbortController().signal,
        ...(options.ports === undefined ? {} : { ports: options.ports }),
      }),
      hanging,
    ]);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    going -= 1;
    clearTimeout(timer);
    stdin.destroy();
  }
}

/** A home of obk whose runs share this process; for tests of what the commands do, not of what a process adds. */
export function insideOf(obk: Obk): Pick<Obk, 'run' | 'json'> {
  const run: Obk['run'] = (args, { env, input = '', ...more } = {}) =>
    runInside(args, {
      env: { ...obk.env, ...env },
      cwd: obk.folder,
      input,
      ...(more.bound !== undefined && { bound: more.bound }),
    });
  return {
    run,
    async json(args, options) {
      const ran = await run([...args, '--json'], options);
      if (ran.code !== 0) throw new Error(`obk ${args.join(' ')}: exit ${String(ran.code)}\n${ran.stderr}`);
      return JSON.parse(ran.stdout) as unknown;
    },
  };
}

function collector(seen?: () => void) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
      seen?.();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
