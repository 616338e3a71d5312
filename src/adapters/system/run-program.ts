import { spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import type { Clock } from '../../client/ports/clock.ts';

/** How a program ended; `stdout` is empty unless it was asked for. */
export type Ended =
  | { kind: 'exit'; code: number; stdout: Buffer }
  | { kind: 'not-started' | 'too-slow' | 'too-much' | 'killed' };

/** Splits a command line into words: quotes and backslashes as in a shell, and nothing else of a shell. */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (character === '\\' && quote !== "'") {
      const next = line.charAt(++index);
      if (next === '') return undefined;
      // Within double quotes a backslash is itself unless it protects something.
      word = (word ?? '') + (quote === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next);
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

/** Runs a program without a shell, for a limited time and with a limited output. */
export function runProgram(
  words: readonly string[],
  options: {
    env: Readonly<Record<string, string | undefined>>;
    stdio: StdioOptions;
    clock?: Clock;
    limitMs?: number;
    maxBytes?: number;
    /** Input for the program's stdin, which must be a pipe then. */
    input?: Uint8Array;
    /** Ends the program when it aborts. */
    signal?: AbortSignal;
  },
): Promise<Ended> {
  const [program = '', ...rest] = words;
  const { env, stdio, clock, limitMs, maxBytes = Infinity, input, signal } = options;
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (ended: Ended) => {
      over.abort();
      resolve(ended);
    };
    const child = spawn(program, rest, { env, stdio, signal, shell: false, windowsHide: true });
    const stop = (kind: 'too-slow' | 'too-much') => {
      child.kill('SIGKILL');
      // A grandchild may hold the pipe open.
      child.stdout?.destroy();
      end({ kind });
    };
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) stop('too-much');
      else chunks.push(chunk);
    });
    if (input !== undefined) {
      // A program may end without reading all its input; its exit is handled below.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    }
    child.on('error', () => {
      end({ kind: 'not-started' });
    });
    child.on('close', (code) => {
      end(code === null ? { kind: 'killed' } : { kind: 'exit', code, stdout: Buffer.concat(chunks) });
    });
    if (clock && limitMs !== undefined) {
      clock.sleep(limitMs, over.signal).then(
        () => {
          stop('too-slow');
        },
        () => undefined,
      );
    }
  });
}
