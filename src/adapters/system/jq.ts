import { defined } from '../../base/defined.ts';
import { createRequire } from 'node:module';
import { ObkError } from '../../base/errors.ts';
import { runProgram } from './run-program.ts';

type Filter = (json: string, expression: string, flags: readonly string[]) => Promise<string>;
/** The interface of the package once its WebAssembly is loaded: `raw` throws with stderr in the message. */
interface JqWeb {
  raw(json: string, filter: string, flags: readonly string[]): string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws USAGE for an expression that jq cannot compile: it must not be found out after a payment. */
export async function checkJq(expression: string, env: Environment): Promise<void> {
  // Compiled but never run: what it is given is taken away first.
  await ((await inside()) ?? onPath(env))('null', `empty | (${expression}\n)`, []);
}

/**
 * Filters JSON by a jq expression: jq itself as WebAssembly, or the one on PATH where that package is absent. Texts are
 * printed without quotes. Throws OUTPUT_LOST with jq's own words where the expression does not fit the result.
 */
export async function filterByJq(
  json: string,
  expression: string,
  options: { pretty: boolean; env: Environment },
): Promise<string> {
  const filter = (await inside()) ?? onPath(options.env);
  try {
    // Without quotes a text with newlines would stand there as lines of its own.
    const onOneLine = `(${expression}\n) | if type == "string" then split("\\n") | join("⏎") else . end`;
    return await (options.pretty ? filter(json, onOneLine, ['-r']) : filter(json, expression, ['-r', '-c']));
  } catch (cause) {
    if (!(cause instanceof ObkError)) throw cause;
    throw new ObkError({
      code: 'OUTPUT_LOST',
      title: 'The command was done, but --jq does not fit its result.',
      ...defined({ detail: cause.detail }),
      cause,
    });
  }
}

async function inside(): Promise<Filter | undefined> {
  try {
    const jq = (await createRequire(import.meta.url)('jq-web')) as JqWeb;
    return (json, expression, flags) => {
      try {
        const text = jq.raw(json, expression, flags) ?? '';
        return Promise.resolve(text === '' || text.endsWith('\n') ? text : `${text}\n`);
      } catch (cause) {
        return Promise.reject(refused(expression, cause instanceof Error ? cause.message : String(cause)));
      }
    };
  } catch {
    return undefined;
  }
}

function onPath(env: Environment): Filter {
  return async (json, expression, flags) => {
    // In brackets it is never taken for a flag; early versions do not know `--`.
    const words = ['jq', ...flags, `(${expression}\n)`];
    const ended = await runProgram(words, {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      input: Buffer.from(json),
    });
    if (ended.kind === 'exit' && ended.code === 0) return ended.stdout.toString('utf8');
    if (ended.kind === 'exit') throw refused(expression, `jq ended with ${String(ended.code)}.`);
    throw new ObkError({
      code: 'USAGE',
      title: '--jq needs the optional package jq-web, or jq on the PATH.',
      hint: ['npm install jq-web@0.6.2', '--fields a,b.c'],
    });
  };
}

function refused(expression: string, words: string): ObkError {
  const [, said = words] = /jq: error(?: \([^)]*\))?: ([^\n]*)/.exec(words) ?? [];
  return new ObkError({
    code: 'USAGE',
    title: `--jq ${JSON.stringify(expression.replace(/^empty \| \((.*)\n\)$/s, '$1'))} failed.`,
    detail: `jq says: ${said.trim()}`,
    hint: ["--jq '.paymentId'"],
  });
}
