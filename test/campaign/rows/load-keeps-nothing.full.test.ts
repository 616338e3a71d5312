// A load by journeys keeps nothing of those that have ended: the heap of the process that drives it, at a server that does nothing.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { LoadReport } from '../../../src/settings/records/load-report.ts';
import { runInside } from '../../helpers/inside.ts';
import { trials } from '../../helpers/trials.ts';

/** Half an hour in full size. */
const row = trials('load', 30);
const perSecond = 100;
const growth = 1.1;

const bin = resolve(import.meta.dirname, '../../../bin/obk.js');

it('a load keeps nothing of the journeys that have ended', { timeout: row.timeout(90_000) }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'obk-load-'));
  const measured = join(home, 'measured.json');
  const preload = join(home, 'measure.cjs');
  writeFileSync(
    preload,
    `process.on('SIGUSR2', () => { gc(); gc();
      require('node:fs').writeFileSync(${JSON.stringify(measured)}, JSON.stringify(process.memoryUsage())); });`,
  );
  const server = createServer((request, response) => {
    const id = request.headers['x-request-id'];
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Request-ID': id });
    response.end('{"transactionStatus":"RCVD"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    OBK_STATE_DIR: join(home, 'state'),
  };
  const obk = async (...words: readonly string[]) => {
    const { code, stderr } = await runInside(words, { env, cwd: home });
    expect(code, stderr).toBe(0);
  };
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const flags = ['--base-url', baseUrl, '--environment', 'test', '--signing', 'none'];
  await obk('profile', 'create', 'bare', ...flags);
  const file = join(home, 'read.yaml');
  const path = 'v1/payments/sepa-credit-transfers/$user.number/status';
  writeFileSync(file, `journey: Read\nsteps:\n  - api: { what: GET, path: ${path} }\n    save: status\n`);
  const plan = ['--arrivals', `${String(perSecond)}/s`, '--for', `${String(row.count)}s`, '--users', '50'];
  const words = ['journey', 'run', file, '--profile', 'bare', '--json', ...plan];
  const load = spawn(process.execPath, ['--expose-gc', '--require', preload, bin, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  load.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise((done) => load.once('close', done));
  const heap = async (): Promise<number> => {
    writeFileSync(measured, '');
    load.kill('SIGUSR2');
    for (;;) {
      await pause(20);
      const found = readFileSync(measured, 'utf8');
      if (found.endsWith('}')) return (JSON.parse(found) as { heapUsed: number }).heapUsed;
    }
  };
  try {
    // A third of a short load is what V8 needs to compile what is called most; of a long one a sixth is more than that.
    await pause(1000 * Math.max(row.count / 6, Math.min(10, row.count / 3)));
    const before = await heap();
    await pause(1000 * (row.count - Math.max(row.count / 6, Math.min(10, row.count / 3)) - 2));
    const after = await heap();
    await ended;
    const { passed, failed } = JSON.parse(text) as LoadReport;
    row.report(
      `${String(passed)} journeys: heap x ${(after / before).toFixed(3)} of ${String(before)} bytes`,
    );
    expect(failed).toBe(0);
    expect(after / before).toBeLessThan(growth);
  } finally {
    load.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
});
