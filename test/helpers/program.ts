import { Writable } from 'node:stream';
import type { Process } from '../../src/cli/context.ts';
import type { CommandPorts } from '../../src/cli/context.ts';
import { run } from '../../src/cli/program/run.ts';
import {
  fakeClock,
  fakeIds,
  fakeNotices,
  fakePerson,
  memoryFiles,
  memoryJournal,
  memoryStore,
  memoryUsage,
} from './fakes/index.ts';
import type { MemoryJournal } from './fakes/index.ts';

/** A stream that keeps what is written; `fail` is the error of every write. */
export function sink(options: { isTTY?: boolean; columns?: number; fail?: string } = {}) {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      if (options.fail !== undefined) {
        done(Object.assign(new Error(options.fail), { code: options.fail }));
        return;
      }
      chunks.push(chunk.toString());
      done();
    },
  });
  stream.on('error', () => undefined);
  Object.assign(stream, { isTTY: options.isTTY ?? false, columns: options.columns });
  return { stream: stream as Process['stdout'], text: () => chunks.join('') };
}

/** Runs a command line in this process with ports in memory. */
export async function program(
  line: string | readonly string[],
  options: {
    env?: Record<string, string>;
    stdout?: ReturnType<typeof sink>;
    stderr?: ReturnType<typeof sink>;
    ports?: Partial<CommandPorts>;
    signal?: AbortSignal;
  } = {},
) {
  const stdout = options.stdout ?? sink();
  const stderr = options.stderr ?? sink();
  const notices = fakeNotices();
  const journal = memoryJournal();
  const code = await run(
    {
      argv: typeof line === 'string' ? line.split(' ').filter(Boolean) : line,
      env: { HOME: '/nowhere', ...options.env },
      stdin: sink().stream as never,
      stdout: stdout.stream,
      stderr: stderr.stream,
      version: '1.2.3',
      pid: 1,
      cwd: '/cwd',
      platform: 'linux',
    },
    {
      signal: options.signal ?? new AbortController().signal,
      ports: {
        ...memoryStore(),
        journal,
        intents: (options.ports?.journal as Partial<MemoryJournal> | undefined)?.intents ?? journal.intents,
        usage: memoryUsage(),
        files: memoryFiles(),
        person: fakePerson({ present: false }),
        notices,
        clock: fakeClock(),
        ids: fakeIds(),
        ...options.ports,
      },
    },
  );
  return { code, stdout: stdout.text(), stderr: stderr.text(), notices };
}
