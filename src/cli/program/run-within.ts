import { defined } from '../../base/defined.ts';
import { Readable, Writable } from 'node:stream';
import type { CommandPorts, CommandRun, Process, RunCommandOptions } from '../context.ts';
import type { ExitCode } from '../../base/errors.ts';
import type { ContextOptions } from './run-ports.ts';

/** The most that a command within another one may write to each stream, in bytes. */
const maxBytes = 64 * 1024 * 1024;

type Options = Pick<ContextOptions, 'signal' | 'ports' | 'person' | 'judge'>;

/** Runs a command line without a terminal and with streams of its own; everything else is that of the run around it. */
export async function runWithin(
  program: (host: Process, options: Options) => Promise<ExitCode>,
  host: Process,
  words: readonly string[],
  {
    input,
    cwd,
    person,
    signal,
    ports,
    judge,
  }: RunCommandOptions & Options & { ports: Partial<CommandPorts> },
): Promise<CommandRun> {
  const stdout = kept();
  const stderr = kept();
  const options: Options = {
    ...{ signal, ports },
    ...defined({ person, judge }),
  };
  const inner: Process = {
    ...host,
    argv: words,
    cwd,
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  const exit = await program(inner, options);
  return { exit, stdout: stdout.text(), stderr: stderr.text() };
}

/** A stream whose bytes are kept; like a full disk it takes no more than so many. */
function kept(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        done(new Error(`the result is longer than ${String(maxBytes)} bytes`));
        return;
      }
      chunks.push(chunk);
      done();
    },
  });
  stream.on('error', () => undefined);
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
