// Load by journeys: at a bare server in this process, and what is refused before anything is sent.
import { createHash, verify, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import type { CommandPorts } from '../../../../../src/cli/context.ts';
import type { LoadReport } from '../../../../../src/settings/records/load-report.ts';
import { commandTree } from '../../../../../src/cli/program/pages.ts';
import { startBank } from '../../../../helpers/bank.ts';
import type { TestBank } from '../../../../helpers/bank.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { rowsIn } from '../../../../helpers/state-file.ts';

const read = `journey: Read a status
steps:
  - api: { what: GET, path: v1/payments/sepa-credit-transfers/$user.number/status }
    save: status
    expect: { status: 200, body: { transactionStatus: RCVD } }
`;

let home: string;
let bank: TestBank;
let bare: Server;
let baseUrl: string;
let seen: { ids: Set<string>; sockets: Set<unknown>; paths: Set<string> };

const right = () => ({ status: 200, body: '{"transactionStatus":"RCVD"}' });
/** Takes the bodies that were sent. */
let heard: (text: string) => void = () => undefined;
let answer: (headers: IncomingHttpHeaders) => { status: number; body: string } = right;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'obk-load-'));
  bank = await startBank({ doors: { rate: 'off' } });
  bare = createServer((request, response) => {
    seen.ids.add(String(request.headers['x-request-id']));
    seen.sockets.add(request.socket);
    seen.paths.add(String(request.url));
    const { status, body } = answer(request.headers);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'X-Request-ID': request.headers['x-request-id'],
    });
    response.end(body);
    request.setEncoding('utf8').on('data', (text: string) => {
      heard(text);
    });
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${String((bare.address() as AddressInfo).port)}`;
  const pair = ['--certificate', bank.certificatePath, '--key', bank.keyPath];
  const create = (name: string, url: string, environment: string) =>
    obk('profile', 'create', name, '--base-url', url, '--environment', environment, ...pair);
  await create('bare', baseUrl, 'test');
  await create('elsewhere', 'https://bank.example', 'test');
  await create('live', baseUrl, 'production');
  await commandTree();
  writeFileSync(join(home, 'read.yaml'), read);
}, 60_000);

afterAll(async () => {
  bare.closeAllConnections();
  await new Promise((resolve) => bare.close(resolve));
  await bank.close();
  rmSync(home, { recursive: true, force: true });
});

afterEach(() => {
  answer = right;
  heard = () => undefined;
});

const env = () => ({ HOME: home, XDG_CONFIG_HOME: join(home, 'config'), OBK_STATE_DIR: bank.stateDir });

const obk = (...args: readonly string[]) => obkAt({}, ...args);

const obkAt = (ports: Partial<CommandPorts>, ...args: readonly string[]) => {
  seen = { ids: new Set(), sockets: new Set(), paths: new Set() };
  return runInside(args, { env: env(), cwd: home, ports });
};

/** A load of half a second. */
const load = (...args: readonly string[]) => loadAt({}, ...args);

async function loadAt(ports: Partial<CommandPorts>, ...args: readonly string[]) {
  const ran = await obkAt(
    ports,
    ...['journey', 'run', 'read.yaml', '--arrivals', '100/s', '--for', '500ms', '--json'],
    ...args,
  );
  return { ...ran, report: (ran.stdout === '' ? undefined : JSON.parse(ran.stdout)) as LoadReport };
}

describe('a load at a bank of this machine', () => {
  it('sends each call once, signed by itself, over connections that stay, and keeps nothing of it', async () => {
    const { publicKey } = new X509Certificate(readFileSync(bank.certificatePath));
    const empty = `SHA-256=${createHash('sha256').update('').digest('base64')}`;
    let unsigned = 0;
    let answered = 0;
    answer = (headers) => {
      answered += 1;
      const signature = String(headers['signature']);
      const names = /headers="([^"]*)"/.exec(signature)![1]!.split(' ');
      const text = names.map((name) => `${name}: ${String(headers[name])}`).join('\n');
      const bytes = Buffer.from(/signature="([^"]*)"/.exec(signature)![1]!, 'base64');
      if (headers['digest'] !== empty || !verify('sha256', Buffer.from(text), publicKey, bytes))
        unsigned += 1;
      return right();
    };
    const runs = () => rowsIn(bank.stateDir, 'log', 'SELECT run FROM run').length;
    await obk('log', 'list', '--profile', 'bare');
    const before = existsSync(join(bank.stateDir, 'log.db')) ? runs() : 0;
    // Time passes by answers, so that a slow machine does as many calls: with each of them four journeys more are due.
    const clock = {
      ...createClock(),
      monotonic: () => answered * 40,
      sleep: (_: number, signal?: AbortSignal) => createClock().sleep(1, signal),
    };
    const { code, report, stderr } = await loadAt({ clock }, '--profile', 'bare', '--users', '4');
    const { begun } = report;
    expect(code, stderr).toBe(begun === 50 ? 0 : 10);
    expect(report).toMatchObject({
      due: 50,
      notBegun: 50 - begun,
      passed: begun,
      stopped: null,
      profiles: ['bare'],
    });
    expect(report.operations).toMatchObject([
      { name: 'getPaymentInitiationStatus', ended: begun, failed: 0 },
    ]);
    expect(unsigned).toBe(0);
    expect(seen.ids.size).toBe(begun);
    expect(begun).toBeGreaterThanOrEqual(13);
    expect(seen.sockets.size).toBeLessThanOrEqual(4);
    expect([...seen.paths].every((path) => /\/[1-4]\/status$/.test(path))).toBe(true);
    expect(existsSync(join(bank.stateDir, 'log.db')) ? runs() : 0).toBe(before);
  });

  it('reads files beside the journey, and gives each step what it writes on stdin', async () => {
    const folder = join(home, 'below');
    mkdirSync(folder);
    const body = (text: string) => JSON.stringify({ note: text });
    writeFileSync(join(folder, 'body.json'), body('file'));
    const path = 'v1/funds-confirmations';
    answer = () => ({ status: 200, body: '{"fundsAvailable":true}' });
    const step = (input: string) => `  - api: { what: POST, path: ${path}, input: ${input} }\n`;
    writeFileSync(
      join(folder, 'post.yaml'),
      `journey: Post\nsteps:\n${step('body.json')}${step("'-'")}    input: '${body('stdin')}'\n`,
    );
    const bodies: string[] = [];

    heard = (text) => bodies.push(text);
    await obk('config', 'trust', 'below/post.yaml');
    const flags = ['--profile', 'bare', '--arrivals', '20/s', '--for', '100ms', '--max-errors', '100%'];
    const ran = await obk('journey', 'run', 'below/post.yaml', '--json', ...flags);
    expect(ran.code, ran.stdout).toBe(0);
    expect(bodies.sort()).toEqual([body('file'), body('file'), body('stdin'), body('stdin')]);
  });

  it('tells errors by code and operation, tries nothing again, and stops at the bound', async () => {
    answer = () => ({ status: 503, body: '{"tppMessages":[{"category":"ERROR","code":"SERVICE_BLOCKED"}]}' });
    const { code, report } = await load('--profile', 'bare', '--max-errors', '5');
    expect(code).toBe(10);
    expect(report.stopped).toBe('errors');
    expect(report.failed).toBeGreaterThan(5);
    expect(report.operations[0]!.errors).toEqual({ '503 SERVICE_BLOCKED': report.begun });
    expect(seen.ids.size).toBe(report.begun);
  });

  it('is right as long as no more fail than may', async () => {
    let count = 0;
    answer = () => ((count += 1) === 7 ? { status: 500, body: '' } : right());
    expect(await load('--profile', 'bare', '--max-errors', '2%')).toMatchObject({
      code: 0,
      report: { failed: 1 },
    });
    count = 0;
    expect(await load('--profile', 'bare', '--max-errors', '0')).toMatchObject({
      code: 10,
      report: { failed: 1 },
    });
  });

  it('writes a page with curves that runs nothing, whatever a bank calls its errors', async () => {
    answer = () => ({
      status: 400,
      body: '{"tppMessages":[{"category":"ERROR","code":"<script>alert(1)</script>\\u001b[31m"}]}',
    });
    const { code } = await load('--profile', 'bare', '--max-errors', '100%', '--html', 'load.html');
    expect(code).toBe(10);
    const page = readFileSync(join(home, 'load.html'), 'utf8');
    expect(page).toContain('<path class="first" d="M');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('&lt;script&gt;');
    for (const bad of ['<script', '\u001b']) expect(page).not.toContain(bad);
  });

  it('shows a person what it came to', async () => {
    const ran = await obk(
      'journey',
      'run',
      'read.yaml',
      '--profile',
      'bare',
      '--arrivals',
      '50/s',
      '--for',
      '200ms',
    );
    expect(ran.stdout).toMatch(/p50 ms +p90 ms +p99 ms +p99\.9 ms +max ms/);
    expect(ran.stdout).toContain('10 of 10 journeys passed');
    // Without a terminal nothing is told meanwhile.
    expect(ran.stderr).toBe('');
  });

  it('runs whole conversations at the bank inside, each PSU with secrets of its own', async () => {
    writeFileSync(
      join(home, 'pay.yaml'),
      `journey: Pay
steps:
  - payment init:
      product: sepa-credit-transfers
      psu-id: embedded-one
      creditor-account: DE89370400440532013000
      creditor-name: Shop
      amount: '0.01'
      intent-key: '\${run.id}-\${user.number}'
    psu: wrong otp then right
    save: payment
  - payment init:
      product: sepa-credit-transfers
      psu-id: embedded-one
      creditor-account: DE89370400440532013000
      creditor-name: Shop
      amount: '0.01'
      intent-key: '\${run.id}-\${user.number}'
    expect: { body: { paymentId: $payment.paymentId }, findings: 0, ledger: { DE25990010000000001999: '0.00' } }
`,
    );
    const ran = await obk(
      ...[
        'journey',
        'run',
        'pay.yaml',
        '--profile',
        'sandbox',
        '--arrivals',
        '10/s',
        '--for',
        '500ms',
        '--json',
      ],
    );
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    const { operations, passed } = JSON.parse(ran.stdout) as LoadReport;
    expect(passed).toBe(5);
    // The second order of a journey is the first one: nothing is paid twice, though no file says so.
    expect(operations.find(({ name }) => name === 'initiatePayment')).toMatchObject({ ended: 5 });
    // No TAB offers what load has made.
    expect(existsSync(join(home, '.cache', 'obk', 'candidates'))).toBe(false);
  });
});

describe('a load that may not be', () => {
  it.each([
    ['a bank elsewhere', 'elsewhere', 'Load may not leave this machine'],
    ['production, wherever it is', 'live', 'is of production'],
  ])('%s is refused, and nothing is sent', async (_, profile, title) => {
    const { code, stderr } = await load('--profile', profile);
    expect(code).toBe(3);
    expect(stderr).toContain('"code":"POLICY"');
    expect(stderr).toContain(title);
    expect(seen.ids.size).toBe(0);
  });

  it('a step that names another profile is refused as well', async () => {
    writeFileSync(
      join(home, 'other.yaml'),
      `journey: x\nsteps:\n  - api: { what: GET, path: v1/consents/x }\n    profile: live\n`,
    );
    const ran = await obk(
      ...[
        'journey',
        'run',
        'other.yaml',
        '--profile',
        'bare',
        '--arrivals',
        '5/s',
        '--for',
        '200ms',
        '--json',
      ],
    );
    expect(ran.code).toBe(10);
    expect((JSON.parse(ran.stdout) as LoadReport).journeys[0]!.errors).toEqual({ 'api: POLICY': 1 });
    expect(seen.ids.size).toBe(0);
  });

  it.each([
    [['--for', '1s'], '--for belongs to a load'],
    [['--users', '3'], '--users belongs to a load'],
    [['--max-errors', '3'], '--max-errors belongs to a load'],
    [['--arrivals', '5/s'], 'A load needs its time'],
    [['--arrivals', '5', '--for', '1s'], '--arrivals takes a number a second'],
    [['--arrivals', '0/s', '--for', '1s'], '--arrivals takes a number a second'],
    [['--arrivals', '5/s', '--for', '1s', '--parallel', '3'], '--parallel has no use'],
    [['--arrivals', '5/s', '--for', '1s', '--repeat', '3'], '--repeat has no use'],
    [['--arrivals', '5/s', '--for', '1s', '--junit', 'x.xml'], '--junit has no use'],
    [['--arrivals', '5/s', '--for', '1s', '--max-errors', '101%'], '--max-errors takes a number or a share'],
  ])('%s', async (flags, title) => {
    const ran = await obk('journey', 'run', 'read.yaml', '--profile', 'bare', '--json', ...flags);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(title);
  });

  it('a journey that changes this machine', async () => {
    writeFileSync(
      join(home, 'change.yaml'),
      'journey: x\nsteps:\n  - profile delete: { name: bare, yes: true }\n',
    );
    await obk('config', 'trust', 'change.yaml');
    const ran = await obk(
      ...[
        'journey',
        'run',
        'change.yaml',
        '--profile',
        'bare',
        '--arrivals',
        '5/s',
        '--for',
        '200ms',
        '--json',
      ],
    );
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('changes this machine, and is no step of a load');
  });
});
