import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-listen-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (line: string) => runInside(line.split(' '), { env, cwd: home });

beforeAll(async () => {
  const made = await obk('profile create acme --base-url http://127.0.0.1:9 --signing none --use');
  expect(made.code, made.stderr).toBe(0);
});

describe('obk listen', () => {
  it.each([
    ['--port 8091 --forward http://127.0.0.1:8091/again', 'leads back to port 8091'],
    ['--port 8091 --forward http://localhost:8091', 'leads back to port 8091'],
    ['--port 8091 --address ::1 --forward http://[::1]:8091', 'leads back to port 8091'],
    ['--forward http://127.0.0.1:8090/', 'leads back to port 8090'],
    ['--port 80 --forward http://127.0.0.1/', 'leads back to port 80'],
    ['--forward http://192.0.2.1/', '--forward takes an https address'],
    ['--forward https://user:word@tpp.example/', '--forward takes an https address'],
    ['--until never', '--until takes a status'],
    ['--address 0.0.0.0', 'this machine only, not at 0.0.0.0'],
  ])('refuses %s, and listens to nothing', async (flags, why) => {
    const { code, stdout, stderr } = await obk(`listen --profile acme ${flags}`);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain('Listening');
  });

  it('says what to do where another program has the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await obk(`listen --profile acme --port ${String(port)}`);
    other.close();
    expect(code).toBe(3);
    expect(stderr).toContain('another program listens there');
    expect(stderr).toContain('obk listen --port 0');
  });
});
