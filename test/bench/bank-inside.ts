import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median, time } from './measure.ts';
import type { Timed } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';
import { paymentArgs } from './signed-request.ts';

const starts = 9;
const rounds = 5;
const [requests, atOnce] = [2000, 8];

/** P15: how soon the bank inside listens, and how many signed reads it answers beside a server that only verifies them. */
export async function bankInside(machine: Machine): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  try {
    return [
      await startFigure(machine, folder),
      ...(await configFigures(machine, folder)),
      await answersFigure(machine, folder),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startFigure(machine: Machine, folder: string): Promise<Figure> {
  const { argv } = machine.obk(['sandbox', 'start', '--port', '0', '--json']);
  const start = { argv, env: { ...machine.env, OBK_STATE_DIR: join(folder, 'state') } };
  await untilFirstLine(start, end);
  const bare = { argv: machine.node(['-e', emptyBank]).argv, env: machine.env };
  const ratios: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    const nothing = await time(machine.node(['-e', '0']));
    ratios.push((await untilFirstLine(start, end)).ms / nothing);
    floors.push((await untilFirstLine(bare, end)).ms / nothing);
  }
  const note = `a server of Node alone that loads its database and node:crypto: ${median(floors).toFixed(2)}`;
  return {
    id: 'P15',
    what: 'obk sandbox start listening / node -e 0',
    ratio: median(ratios),
    goal: 2.5,
    note,
  };
}

const { resolve } = createRequire(import.meta.url);
const quoted = (name: string): string => JSON.stringify(resolve(name));

/** What no bank can do without: its database, hashes and a port. */
const emptyBank = `const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? require(${quoted('@photostructure/sqlite')});
new DatabaseSync(':memory:').exec('CREATE TABLE entries (minor INTEGER) STRICT');
require('node:crypto').randomUUID();
require('node:http').createServer().listen(0, '127.0.0.1', () => process.stdout.write('listening\\n'));`;

/** The same, with a file of YAML read and each of its values in the database: no plan, no check, no account. */
const filledBank = (config: string): string => `${emptyBank}
const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE found (path TEXT, value TEXT) STRICT');
const put = database.prepare('INSERT INTO found (path, value) VALUES (?, ?)');
const keep = (path, value) => {
  if (typeof value !== 'object' || value === null) put.run(path, String(value));
  else for (const [name, one] of Object.entries(value)) keep(path + '/' + name, one);
};
database.exec('BEGIN');
keep('', require(${quoted('yaml')}).parse(require('node:fs').readFileSync(${JSON.stringify(config)}, 'utf8'), { schema: 'failsafe' }));
database.exec('COMMIT');`;

/** The files that docs/bank/own-data.md makes, among them its bank. */
function writeExample(folder: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/bank/own-data.md'), 'utf8');
  for (const [, name = '', text = ''] of page.matchAll(/^cat > (\S+) <<'END'\n([^]*?)^END$/gm))
    writeFileSync(join(folder, name), text);
  return join(folder, 'bank.yaml');
}

/** The bank of docs/bank/own-data.md: until it listens, and a reset that goes back to its file. */
async function configFigures(machine: Machine, folder: string): Promise<Figure[]> {
  const config = writeExample(folder);
  const { argv } = machine.obk(['sandbox', 'start', '--port', '0', '--json', '--config', config]);
  const start = { argv, env: { ...machine.env, OBK_STATE_DIR: join(folder, 'state') } };
  await untilFirstLine(start, end);
  const nothing = machine.node(['-e', '0']);
  const bare = { argv: machine.node(['-e', filledBank(config)]).argv, env: machine.env };
  const ratios: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < starts; round += 1) {
    const emptyMs = await time(nothing);
    ratios.push((await untilFirstLine(start, end)).ms / emptyMs);
    floors.push((await untilFirstLine(bare, end)).ms / emptyMs);
  }
  const resets: number[] = [];
  await untilFirstLine(start, async (child, line) => {
    const { controlUrl, tokenFile } = JSON.parse(line) as { controlUrl: string; tokenFile: string };
    const headers = { Authorization: `Bearer ${readFileSync(tokenFile, 'utf8')}` };
    for (let round = 0; round <= starts; round += 1) {
      const began = performance.now();
      const answer = await fetch(`${controlUrl}/reset`, { method: 'POST', headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the reset was answered ${String(answer.status)}`);
      const ms = performance.now() - began;
      // The first one also loads the control API.
      if (round > 0) resets.push(ms / (await time(nothing)));
    }
    await end(child);
  });
  const note = `a server of Node alone that loads its database, reads the file and keeps its values: ${median(floors).toFixed(2)}`;
  return [
    {
      id: 'P15',
      what: 'obk sandbox start --config listening / node -e 0',
      ratio: median(ratios),
      goal: 2.5,
      note,
    },
    { id: 'P15', what: 'a reset to the config / node -e 0', ratio: median(resets), goal: 1 },
  ];
}

async function answersFigure(machine: Machine, folder: string): Promise<Figure> {
  const { bank } = machine;
  bank.obk('sandbox', 'scenario', 'set', 'rateLimit', 'off', '--profile', 'sandbox');
  const created = JSON.parse(
    bank.obk(
      ...paymentArgs,
      '--profile',
      'sandbox',
      '--debtor',
      bank.payer().iban,
      '--allow-duplicate',
      '--json',
    ),
  ) as { paymentId: string };
  const status = ['payment', 'status', created.paymentId, '--profile', 'sandbox', '--dry-run', '--json'];
  const { url, headers } = JSON.parse(bank.obk(...status)) as Signed;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const server = { argv: machine.node([file('bare.cjs', bareServer)]).argv, env: machine.env };
  const client = file('client.cjs', loadClient);
  const msOf = (base: string): number => {
    const target = new URL(new URL(url).pathname, base).href;
    const { argv, env } = machine.node([client, JSON.stringify({ target, headers, requests, atOnce })]);
    return Number(execFileSync(argv[0], argv.slice(1), { env, encoding: 'utf8' }));
  };
  const ratios: number[] = [];
  await untilFirstLine(server, async (child, line) => {
    for (let round = 0; round <= rounds; round += 1) {
      const ratio = msOf(line) / msOf(bank.baseUrl);
      // The first round warms both up.
      if (round > 0) ratios.push(ratio);
    }
    await end(child);
  });
  const what = 'signed reads per second / bare node:http that verifies them';
  return { id: 'P15', what, ratio: median(ratios), goal: 0.35, least: true };
}

/** What a dry run tells of a request. */
export interface Signed {
  url: string;
  headers: { name: string; value: string }[];
}

type Child = ReturnType<typeof spawn>;

/** Runs a server until `work`, which is given its first line, has ended it; the milliseconds are those until that line. */
export async function untilFirstLine(
  { argv: [file, ...args], env }: Timed,
  work: (child: Child, line: string) => Promise<void>,
): Promise<{ ms: number }> {
  const started = performance.now();
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('close', (code) => {
      reject(new Error(`the server ended with ${String(code)}`));
    });
  });
  const ms = performance.now() - started;
  try {
    await work(child, line);
  } finally {
    // Work that failed has not ended it.
    child.kill('SIGKILL');
  }
  return { ms };
}

export async function end(child: Child): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await closed;
}

const bareServer = `const http = require('node:http'), crypto = require('node:crypto');
const keys = new Map();
http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const { digest, signature, 'tpp-signature-certificate': pem, 'x-request-id': id } = request.headers;
    const right = 'SHA-256=' + crypto.createHash('sha256').update(Buffer.concat(chunks)).digest('base64');
    const key = keys.get(pem) ?? new crypto.X509Certificate(Buffer.from(pem, 'base64')).publicKey;
    keys.set(pem, key);
    const names = /headers="([^"]*)"/.exec(signature)[1].split(' ');
    const signed = names.map((name) => name + ': ' + request.headers[name]).join('\\n');
    const bytes = Buffer.from(/signature="([^"]*)"/.exec(signature)[1], 'base64');
    const good = digest === right && crypto.verify('sha256', Buffer.from(signed), key, bytes);
    response.writeHead(good ? 200 : 401, { 'Content-Type': 'application/json', 'X-Request-ID': id });
    response.end('{"transactionStatus":"RCVD"}');
  });
}).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });
`;

/** Asks for one address again and again, so many at once, and prints the milliseconds that all took. */
export const loadClient = `const http = require('node:http');
const { target, headers, requests, atOnce } = JSON.parse(process.argv[2]);
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
const sent = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
const started = performance.now();
let left = requests;
let answered = 0;
const next = () => {
  if (answered === requests) console.log(performance.now() - started);
  if (left-- <= 0) return;
  http.get(target, { agent, headers: sent }, (answer) => {
    if (answer.statusCode !== 200) throw new Error('status ' + answer.statusCode);
    answer.resume().on('end', () => { answered += 1; next(); });
  });
};
for (let at = 0; at < atOnce; at += 1) next();
`;
