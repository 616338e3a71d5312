// Answers that would fill the memory or last for ever, each read by a process of its own whose peak is measured.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wire } from '../../helpers/raw-server.ts';
import { trials } from '../../helpers/trials.ts';
import { payerAt } from '../payer.ts';
import type { Payer } from '../payer.ts';
import { startPlainBank } from '../plain-bank.ts';
import type { PlainBank, Surprise } from '../plain-bank.ts';

const bin = resolve(import.meta.dirname, '../../../bin/obk.js');
const json = 'Content-Type: application/json';
const xml = 'Content-Type: application/xml';
const mega = 1024 * 1024;
const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`;
const say = (body: string | Buffer, ...headers: string[]): Surprise => {
  return (socket) => socket.write(wire('200 OK', body, headers));
};

/** Writes the same bytes until so many are out or nobody reads them any more. */
function pour(socket: Socket, piece: Buffer, times: number): void {
  let left = times;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(piece)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
}
const megabyte = Buffer.alloc(mega, 'x');
const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);
const chunked = 'Transfer-Encoding: chunked';

/** A byte each so often; it never ends. */
const drip = (start: string, piece: string): Surprise => {
  return (socket) => {
    socket.write(start);
    const drops = setInterval(() => socket.write(piece), 100);
    socket.once('close', () => {
      clearInterval(drops);
    });
  };
};
const manyNames = (count: number) => Array.from({ length: count }, (_, at) => `,"k${String(at)}":1`).join('');
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);
const entities = Array.from({ length: 12 }, (_, at) => {
  return `<!ENTITY e${String(at + 1)} "${`&e${String(at)};`.repeat(10)}">`;
}).join('');
const laughs = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">${entities}]><Document>&e12;</Document>`;

const zeros = () => Buffer.alloc(300 * mega);
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Each is made when it is thrown. */
const bombs: Readonly<Record<string, () => Surprise>> = {
  'a gzip of 300 MB': () => say(gzipSync(zeros()), json, 'Content-Encoding: gzip'),
  'a brotli of 300 MB': () => say(brotliCompressSync(zeros(), brotli), json, 'Content-Encoding: br'),
  'a gzip in a gzip': () => say(gzipSync(gzipSync(zeros())), json, 'Content-Encoding: gzip, gzip'),
  '200 MB with their length': () => (socket) => {
    socket.write(head(json, `Content-Length: ${String(200 * mega)}`));
    pour(socket, megabyte, 200);
  },
  '200 MB in chunks': () => (socket) => {
    socket.write(head(json, chunked));
    pour(socket, chunk, 200);
  },
  '200 MB until the end': () => (socket) => {
    socket.write(head(json, 'Connection: close'));
    pour(socket, megabyte, 200);
  },
  '200 MB of a refusal': () => (socket) => {
    socket.write(`HTTP/1.1 400 Bad Request\r\n${json}\r\n${chunked}\r\n\r\n`);
    pour(socket, chunk, 200);
  },
  'one byte at a time': () => drip(head(json, chunked), '1\r\nx\r\n'),
  'a head that drips': () => drip('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'),
  'headers without end': () => (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, Buffer.from(`X-A: ${'y'.repeat(60_000)}\r\n`), 2_000);
  },
  'informational answers without end': () => (socket) => {
    pour(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1_000)), 2_000);
  },
  'deep arrays': () => say(nested(2_000_000, '[', ']'), json),
  'deep objects': () => say(`${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`, json),
  'a number of 5 MB': () => say(`{"accounts":${'9'.repeat(5 * mega)}}`, json),
  'half a million names': () =>
    say(`{${Array.from({ length: 500_000 }, (_, at) => `"${String(at)}":1`).join()}}`, json),
  'eight hundred thousand words': () =>
    say(`{${Array.from({ length: 800_000 }, (_, at) => `"k${String(at)}":1`).join()}}`, json),
  'three million objects': () => say(`{"accounts":[{}${',{}'.repeat(3_000_000)}]}`, json),
  'two million names beside a list': () =>
    say(`{"accounts":[],"transactions":{"booked":[]${manyNames(2_000_000)}}}`, json),
  'a prototype': () =>
    say('{"__proto__":{"accounts":[]},"constructor":{"prototype":{}},"accounts":[{}]}', json),
  'entities of entities': () => say(laughs, xml),
  'an entity from a file': () =>
    say('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', xml),
  'deep elements': () => say(nested(200_000, '<a>', '</a>'), xml),
  'attributes without end': () => say(`<a ${'b="c" '.repeat(500_000)}/>`, xml),
  'no UTF-8': () => say(Buffer.alloc(mega, 0xff), json),
};

/** What reads it: a list, a report that streams, and the write of a payment. */
const readers: Readonly<Record<string, { at: string; run: string[] }>> = {
  'a list': { at: 'GET accounts', run: ['accounts', 'list', '--consent', 'c-1', '--no-input', '--json'] },
  'a report': {
    at: 'GET transactions',
    run: ['transactions', 'list', '--account', 'acc-1', '--consent', 'c-1', '--all', '--no-input', '--json'],
  },
  'a request': {
    at: 'GET accounts',
    run: ['api', 'GET', 'v1/accounts', '-H', 'Consent-ID: c-1', '--no-input'],
  },
};
const names = [
  ...['a gzip of 300 MB', '200 MB in chunks', 'one byte at a time', 'deep arrays', 'entities of entities'],
  ...[
    '200 MB until the end',
    'headers without end',
    'a brotli of 300 MB',
    'a gzip in a gzip',
    'deep objects',
  ],
  ...['200 MB with their length', '200 MB of a refusal', 'a head that drips', 'a number of 5 MB', 'no UTF-8'],
  ...['informational answers without end', 'half a million names', 'a prototype', 'an entity from a file'],
  ...['deep elements', 'attributes without end'],
  ...['eight hundred thousand words', 'three million objects', 'two million names beside a list'],
];
const cells = Object.keys(readers).flatMap((reader) => names.map((bomb) => ({ reader, bomb })));
const row = trials('23', 5);
const chosen = cells.slice(0, row.count);
const deadlineMs = 2_000;
const most = 200;
let peak = 0;
let bank: PlainBank;
let payer: Payer;
beforeAll(async () => {
  bank = await startPlainBank();
  payer = await payerAt(bank.baseUrl, '--timeout', `${String(deadlineMs)}ms`);
  writeFileSync(
    join(payer.home, 'measure.cjs'),
    `process.on('exit', () => require('node:fs').writeFileSync(process.env.MEASURED,
      JSON.stringify([process.resourceUsage().maxRSS, performance.now()])));`,
  );
});
afterAll(async () => {
  row.report(`at most ${peak.toFixed(0)} MB`, chosen.length);
  payer.close();
  await bank.close();
});

/** What a reader makes of an answer, in a process of its own. */
async function readBy(reader: string, answer: Surprise) {
  bank.afresh();
  bank.now.consentStatus = 'valid';
  const { at, run } = readers[reader]!;
  bank.surprise(at, answer, true);
  const measured = join(payer.home, 'measured.json');
  const env = {
    ...{ PATH: process.env['PATH'], HOME: payer.home, CI: 'true', MEASURED: measured },
    XDG_CONFIG_HOME: join(payer.home, 'config'),
    XDG_STATE_HOME: join(payer.home, 'state'),
  };
  const args = ['--require', join(payer.home, 'measure.cjs'), bin, ...run];
  const ended = await new Promise<{ code: number; out: string; err: string }>((done) => {
    const options = { env, cwd: payer.home, timeout: 25_000, maxBuffer: 64 * mega };
    execFile(process.execPath, args, options, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code ?? -1), out, err });
    });
  });
  const [rss = 0, ms = 0] = JSON.parse(readFileSync(measured, 'utf8')) as number[];
  const about = `${String(ended.code)} ${ended.err.slice(0, 600)}`;
  peak = Math.max(peak, rss / 1024);
  expect(bank.count(at), about).toBeGreaterThan(0);
  expect(rss / 1024, about).toBeLessThanOrEqual(most);
  return { ended, ms, about };
}

it.each(chosen)(
  'a hostile answer is survived: $bomb, as $reader',
  { timeout: row.timeout(30_000) },
  async ({ bomb, reader }) => {
    const { ended, ms, about } = await readBy(reader, bombs[bomb]!());
    // A bound that tells ending from hanging: starting and three tries of a read are in it.
    expect(ms, about).toBeLessThanOrEqual(3 * deadlineMs + 5_000);
    // Never the exit of a bug, of a signal or of an uncaught error.
    expect([0, 2, 3, 6, 8, 9], about).toContain(ended.code);
    expect(ended.err, about).not.toMatch(/\n\s+at |RangeError|heap/);
    expect(ended.out + ended.err).not.toContain('root:x:0');
  },
);

it(
  'a list of 100,000 transactions in one answer is not taken for a bomb',
  { timeout: row.timeout(30_000) },
  async () => {
    const entry = (at: number) =>
      `{"transactionId":"t-${String(at)}","bookingDate":"2026-01-02","creditorName":"Shop","creditorAccount":` +
      '{"iban":"DE89370400440532013000"},"transactionAmount":{"currency":"EUR","amount":"-1.00"},' +
      '"remittanceInformationUnstructured":"Invoice"}';
    const entries = Array.from({ length: 100_000 }, (_, at) => entry(at)).join();
    const { ended, about } = await readBy('a report', say(`{"transactions":{"booked":[${entries}]}}`, json));
    expect(ended.code, about).toBe(0);
    expect(ended.out.split('"transactionId"').length - 1).toBe(100_000);
  },
);
