import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Machine } from './machine.ts';
import { time } from './measure.ts';
import { writeJsonList } from './report-files.ts';
import { peakOf } from './reports.ts';
import type { Figure } from './run.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const consent = { access: {}, consentStatus: 'valid', frequencyPerDay: 100, recurringIndicator: true };

/** P10 from the wire: the memory for one answer of 1,000,000 transactions beside one of 100,000. */
export async function wireReports(machine: Machine): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  const list = join(folder, 'list.json');
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (request.url?.includes('/consents/') === true) response.end(JSON.stringify(consent));
    else createReadStream(list).pipe(response);
  });
  try {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const address = ['--base-url', `http://127.0.0.1:${String(port)}`, '--environment', 'sandbox'];
    const profile = ['--signing', 'none', '--variant', 'v1', '-q'];
    await time(machine.obk(['profile', 'create', 'wire', ...address, ...profile]));
    await time(machine.obk(['consent', 'use', 'con-1', '--profile', 'wire', '-q']));
    const read = ['transactions', 'list', '--profile', 'wire', '--account', 'a', '-o', 'ndjson', '-q'];
    const peaks: number[] = [];
    for (const count of [100_000, 1_000_000]) {
      writeJsonList(list, count);
      peaks.push(await peakOf(machine, folder, [bin, ...read]));
    }
    const [small = Number.NaN, big = Number.NaN] = peaks;
    return [
      {
        id: 'P10',
        what: 'peak for 1,000,000 / for 100,000 transactions from the wire',
        ratio: big / small,
        goal: 1.2,
        note: `${small.toFixed(0)} and ${big.toFixed(0)} MB`,
      },
    ];
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
