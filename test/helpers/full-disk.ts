import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasPrograms } from './programs.ts';

/**
 * A command that runs another where `folder` is a file system of so many KiB of its own; what it holds at the end stands in
 * `left` afterwards.
 */
export function onSmallDisk(folder: string, kib: number, left: string): string[] {
  mkdirSync(folder, { recursive: true });
  mkdirSync(left, { recursive: true });
  const script =
    'mount -t tmpfs -o size="$2"k none "$1" || exit 99; folder=$1 left=$3; shift 3; "$@"; code=$?; ' +
    'cp -a "$folder/." "$left/" || exit 98; exit $code';
  return ['unshare', '-r', '-m', '--', 'sh', '-c', script, 'sh', folder, String(kib), left];
}

/** A command that runs another where `folder` cannot be written. */
export function onReadOnly(folder: string): string[] {
  const script = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99; shift; exec "$@"';
  return ['unshare', '-r', '-m', '--', 'sh', '-c', script, 'sh', folder];
}

/** Whether this machine lets its user have such a file system; stderr says it where not. */
export function hasSmallDisks(): boolean {
  if (!hasPrograms('unshare')) return false;
  const probe = mkdtempSync(join(tmpdir(), 'obk-disk-'));
  const [program = '', ...words] = onSmallDisk(join(probe, 'disk'), 64, join(probe, 'left'));
  const able = spawnSync(program, [...words, 'true']).status === 0;
  rmSync(probe, { recursive: true, force: true });
  if (!able)
    process.stderr.write('SKIPPED: no file system may be mounted here, so none that is full is tested\n');
  return able;
}
