import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObkWithKeys, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

let obk: Obk;
beforeAll(async () => {
  obk = await createObkWithKeys();
});
afterAll(() => {
  obk.close();
});

const pay = ['payment', 'init', ...shop, '--profile', 'sandbox'];

describe('nobody is there', () => {
  it('an open, silent stdin hangs nothing: everything missing is named', async () => {
    const { code, stdout, stderr } = await obk.run(['payment', 'init'], { open: true });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('✗ Missing: --product, --creditor-name, --creditor-account, --amount.\n');
  });

  it('an open stdin does not keep a finished command alive', async () => {
    expect((await obk.run(['payment', 'list'], { open: true })).code).toBe(0);
    expect((await obk.run([...pay, '--amount', '1.00', '--json'], { open: true })).code).toBe(0);
  });
});

describe('signals', () => {
  it('SIGINT says what is left behind, and is exit 130', async () => {
    const child = obk.start([...pay, '--amount', '9.00', '--wait', '--json']);
    let err = '';
    child.stderr!.on('data', (chunk) => {
      const before = err.includes('Open this link');
      err += String(chunk);
      if (!before && err.includes('Open this link')) child.kill('SIGINT');
    });
    const code = await new Promise((done) => child.once('close', done));
    expect(code).toBe(130);
    const last = err.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last).error).toMatchObject({
      code: 'INTERRUPTED',
      resource: { paymentId: expect.any(String) },
      next: expect.stringMatching(/^obk payment (authorise|status) /),
    });
  });

  it('SIGTERM is exit 143', async () => {
    const child = obk.start([...pay, '--amount', '9.10', '--wait']);
    child.stderr!.on('data', (chunk) => {
      if (String(chunk).includes('Open this link')) child.kill('SIGTERM');
    });
    expect(await new Promise((done) => child.once('close', done))).toBe(143);
  });

  it('the bank on its own ends with Ctrl-C, having told where it is', async () => {
    const child = obk.start(['sandbox', 'start', '--port', '0', '--database', ':memory:', '--json']);
    let out = '';
    child.stdout!.on('data', (chunk) => {
      out += String(chunk);
      if (out.includes('\n')) child.kill('SIGINT');
    });
    expect(await new Promise((done) => child.once('close', done))).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      embedded: false,
    });
  });
});

describe('odd surroundings', () => {
  it('work that nothing waits for any more is no silent success', () => {
    const preload = join(obk.folder, 'deaf.cjs');
    writeFileSync(preload, 'process.stdout.write = () => true;');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', preload, 'bin/obk.js', 'profile', 'list'],
      { env: obk.env, encoding: 'utf8', timeout: 10_000 },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('✗ obk stopped before its work was done.');
  });

  it('a home that cannot be written to: what only reads still runs', async () => {
    const locked = join(obk.home, 'locked');
    mkdirSync(locked, { mode: 0o500 });
    const env = { HOME: locked, XDG_CONFIG_HOME: join(locked, 'c'), XDG_STATE_HOME: join(locked, 's') };
    expect((await insideOf(obk).run(['profile', 'list'], { env })).code).toBe(0);
    expect((await insideOf(obk).run(['payment', 'list', '--profile', 'sandbox'], { env })).code).toBe(0);
  });

  it('a narrow terminal and a poor locale', async () => {
    const { code, stdout } = await insideOf(obk).run(['sandbox', 'people', '-o', 'table'], {
      env: { COLUMNS: '20', LANG: 'C' },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('PSU-ID');
  });
});
