// `npm run verify-release`: builds the package of this commit twice, in two fresh clones whose packages run no install
// script, and compares the tarballs byte by byte. Prints the hash that a published package must have.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'obk-release-'));

function run(cwd: string, program: string, ...args: string[]): string {
  const done = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr}${done.stdout}`);
  return done.stdout;
}

function tarball(name: string): Buffer {
  const clone = join(folder, name);
  run(folder, 'git', 'clone', '--quiet', project, clone);
  run(clone, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  run(clone, 'npm', 'pack', '--pack-destination', clone);
  const packed = readdirSync(clone).filter((file) => file.endsWith('.tgz'));
  if (packed.length !== 1) throw new Error(`npm pack made ${String(packed.length)} tarballs`);
  return readFileSync(join(clone, packed[0] ?? ''));
}

try {
  const [first, second] = [tarball('first'), tarball('a-second-folder')];
  const same = first.equals(second);
  const hash = createHash('sha512').update(first).digest('base64');
  const commit = run(project, 'git', 'rev-parse', 'HEAD').trim();
  process.stdout.write(
    same
      ? `${commit}: two builds, the same ${String(first.length)} bytes, sha512-${hash}\n`
      : `${commit}: two builds DIFFER (${String(first.length)} and ${String(second.length)} bytes)\n`,
  );
  if (!same) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
