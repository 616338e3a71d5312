import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** A command to be timed: argument list, environment, and what it must end with. */
export interface Timed {
  argv: readonly [string, ...string[]];
  env: NodeJS.ProcessEnv;
  exit?: number;
}

/** Variables that change how Node starts: with an extra CA file every ratio would look kind. */
const disturbing = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_OPTIONS', 'NODE_DEBUG'];

/** The environment of every measurement. */
export function benchEnv(own: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...own };
  for (const name of disturbing) Reflect.deleteProperty(env, name);
  return env;
}

/** Milliseconds that a process took; an exit code other than the expected one is an error with its stderr. */
export function time({ argv, env, exit = 0 }: Timed): Promise<number> {
  return new Promise((resolve, reject) => {
    const [file, ...args] = argv;
    const started = performance.now();
    const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      const took = performance.now() - started;
      if (code === exit) resolve(took);
      else reject(new Error(`${argv.join(' ')} ended with ${String(code)}, not ${String(exit)}:\n${stderr}`));
    });
  });
}

/** The median of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median over pairs run one after the other, each side first in turn, of the time of `it` over that of `base`. */
export async function pairedRatio(
  it: Timed,
  base: Timed,
  pairs: number,
): Promise<{ ratio: number; itMs: number; baseMs: number }> {
  await time(it);
  await time(base);
  const ratios: number[] = [];
  const its: number[] = [];
  const bases: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const itFirst = pair % 2 === 0;
    const first = await time(itFirst ? it : base);
    const second = await time(itFirst ? base : it);
    const [itMs, baseMs] = itFirst ? [first, second] : [second, first];
    ratios.push(itMs / baseMs);
    its.push(itMs);
    bases.push(baseMs);
  }
  return { ratio: median(ratios), itMs: median(its), baseMs: median(bases) };
}
