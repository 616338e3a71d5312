// A file system of its own that is filled to the last byte: no limit of a process ends as a full disk does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shop } from '../helpers/obk.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const mount = 'mount -t tmpfs -o size=12m none "$F"';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'obk-full-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const inside = (script: string) =>
  spawnSync('unshare', ['-rm', 'sh', '-c', script], {
    env: { ...process.env, F: folder, NODE: process.execPath, BIN: bin },
    encoding: 'utf8',
    timeout: 90_000,
  });

function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'obk-mount-'));
  mkdirSync(place, { recursive: true });
  const { status } = spawnSync('unshare', ['-rm', 'sh', '-c', `F=${place}; ${mount}`]);
  rmSync(place, { recursive: true, force: true });
  if (status !== 0)
    process.stderr.write('SKIPPED: no file system can be mounted, a full one is not tested\n');
  return status === 0;
}

const script = (more: string) => `
  ${mount} || exit 99
  mkdir "$F/h"
  export HOME="$F/h" XDG_CONFIG_HOME="$F/h/c" XDG_STATE_HOME="$F/h/s" OBK_SANDBOX_IDLE=20s
  obk() { "$NODE" "$BIN" "$@"; }
  pay() { obk payment init ${shop.join(' ')} --profile sandbox --no-input --json --amount "$1"; }
  fill() { dd if=/dev/zero of="$F/filler" bs=4k 2>/dev/null; true; }
  room() { rm -f "$F/filler"; }
  step() { name=$1; shift; "$@" > "/dev/shm/obk-told.$$" 2>&1; code=$?; printf '#%s %s ' "$name" "$code"; tr '\\n' ' ' < "/dev/shm/obk-told.$$"; echo; rm -f "/dev/shm/obk-told.$$"; }
  ${more}
  obk sandbox stop > /dev/null 2>&1
`;

function steps(more: string): Map<string, { code: number; text: string }> {
  const { stdout, stderr } = inside(script(more));
  const told = stdout.split('\n').flatMap((line) => {
    const [, name, code, text] = /^#(\S+) (\d+) (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, { code: Number(code), text: text ?? '' }] as const];
  });
  if (told.length === 0) throw new Error(stderr + stdout);
  return new Map(told);
}

describe.runIf(canMount())('the bank inside on a disk that is full', { timeout: 100_000 }, () => {
  it('never begins, says which disk and wants no new ledger; with room it does', () => {
    const told = steps(
      'fill; step full pay 1.00; step reset obk sandbox reset --yes; room; step room pay 2.00',
    );
    expect(told.get('full')?.code, told.get('full')?.text).toBe(3);
    expect(told.get('full')?.text).toContain(`${folder}/h/s/obk`);
    expect(told.get('full')?.text).toContain('the disk is full');
    expect(told.get('full')?.text).not.toContain('sandbox reset');
    expect([0, 3]).toContain(told.get('reset')?.code);
    expect(told.get('room')?.code, told.get('room')?.text).toBe(0);
  });

  it('loses nothing that it has answered, whether it runs or begins again', () => {
    const told = steps(`
      step first pay 1.00; fill; step running pay 2.00; step log obk sandbox log --json
      obk sandbox stop > /dev/null 2>&1
      step ended pay 3.00
      room; step listed obk payment list --profile sandbox --json; 
      ID=$(obk payment list --profile sandbox --jq '.[] | select(.amount == "1.00") | .paymentId' -q | tr -d '"')
      step status obk payment status "$ID" --profile sandbox --json
      step after pay 4.00; obk sandbox stop > /dev/null 2>&1
      fill; step reset obk sandbox reset --yes; room; step again obk sandbox reset --yes; step anew pay 5.00`);
    const codes = Object.fromEntries([...told].map(([name, { code }]) => [name, code]));
    expect(codes, JSON.stringify([...told])).toMatchObject({
      ...{ first: 0, listed: 0, status: 0, after: 0, again: 0, anew: 0 },
    });
    for (const name of ['running', 'ended']) expect([3, 12]).toContain(codes[name]);
    for (const name of ['log', 'reset']) expect([0, 3], told.get(name)?.text).toContain(codes[name]);
    expect(told.get('listed')?.text).toContain('"1.00"');
    for (const { code, text } of told.values())
      if (code !== 0) expect(text).not.toMatch(/"next":"obk sandbox reset/);
  });
});
