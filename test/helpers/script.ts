import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Obk, Ran } from './obk.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');

/** Runs a script of bash in the folder of a home, where `obk` is a program on the path. */
export function runScript(obk: Obk, script: string, more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const folder = join(obk.home, 'bin');
  mkdirSync(folder, { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`;
  writeFileSync(join(folder, 'obk'), program, { mode: 0o755 });
  const env = { ...obk.env, ...more, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
  return new Promise((done) => {
    const child = spawn('bash', ['-c', script], { cwd: obk.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const told = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (told.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (told.stderr += chunk.toString()));
    child.once('close', (code) => {
      done({ code, ...told });
    });
  });
}
