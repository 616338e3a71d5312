import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { bundled } from './bundled.ts';

/** How a process of adapter-process.ts ended. */
export interface EndedTask {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Task {
  child: ChildProcess;
  ended: Promise<EndedTask>;
}

/** Starts a task in a process of its own; `limits` are options of the shell's ulimit, `within` is a command that runs it. */
export function spawnTask(
  task: string,
  input: object,
  limits?: string,
  within: readonly string[] = [],
): Task {
  const script = bundled(join(import.meta.dirname, 'adapter-process.ts'));
  const node = [...within, process.execPath, script, task, JSON.stringify(input)];
  const child = limits
    ? spawn('bash', ['-c', `ulimit ${limits}; exec "$@"`, 'bash', ...node], { stdio: 'pipe' })
    : spawn(node[0] ?? '', node.slice(1), { stdio: 'pipe' });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = new Promise<EndedTask>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, ...output });
    });
  });
  return { child, ended };
}
