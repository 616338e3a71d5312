import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadReport } from '../../src/settings/records/load-report.ts';
import { loadClient, untilFirstLine, end } from './bank-inside.ts';
import type { Signed } from './bank-inside.ts';
import { absent, isThere } from './beside-jq.ts';
import { median } from './measure.ts';
import type { Machine } from './machine.ts';
import type { Figure } from './run.ts';
import { signingLoop } from './signing-loop.ts';
import { paymentArgs } from './signed-request.ts';

const rounds = 3;
/** The first seconds of a load are those in which V8 has not compiled yet what is called most. */
const [seconds, warm] = [10, 4];
const [requests, atOnce] = [3000, 16];

/**
 * P8: signed reads a second by journeys from one process at a server that does nothing, beside the signatures that both cores can
 * make; and at the bank inside beside a bare loop's reads of the same, unsigned, which it takes where a signature is optional.
 */
export async function load(machine: Machine): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'obk-bench-'));
  try {
    if (!isThere('openssl')) return [absent('P8', 'openssl')];
    return [...(await bareFigures(machine, folder)), ...(await bankFigures(machine, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bareFigures(machine: Machine, folder: string): Promise<Figure[]> {
  const script = join(folder, 'bare.cjs');
  writeFileSync(script, bareServer);
  const loop = join(folder, 'loop.cjs');
  writeFileSync(loop, signingLoop);
  const { certificatePath, keyPath } = rsaPair(folder);
  const server = { argv: machine.node([script]).argv, env: machine.env };
  const looped = (url?: string) => {
    const wish = { url, keyPath, certificatePath, atOnce, warm: 1, seconds: 4 };
    const [file, ...args] = machine.node([loop, JSON.stringify(wish)]).argv;
    return Number(execFileSync(file, args, { env: machine.env, encoding: 'utf8' }));
  };
  const ratios: number[] = [];
  const beside: number[] = [];
  const alone: number[] = [];
  const found: string[] = [];
  await untilFirstLine(server, async (child, baseUrl) => {
    const pair = ['--certificate', certificatePath, '--key', keyPath];
    machine.bank.obk(
      'profile',
      'create',
      'load-bare',
      '--base-url',
      baseUrl,
      '--environment',
      'test',
      ...pair,
    );
    const journey = statusJourney(folder, 'none');
    for (let round = 0; round < rounds; round += 1) {
      const before = signaturesPerSecond();
      const perSecond = loadOf(machine, folder, journey, 'load-bare');
      const signatures = (before + signaturesPerSecond()) / 2;
      ratios.push(perSecond / signatures);
      beside.push(looped(`${baseUrl}/v1/payments/sepa-credit-transfers/none/status`) / signatures);
      alone.push(looped() / signatures);
      found.push(`${perSecond.toFixed(0)} of ${signatures.toFixed(0)}`);
    }
    await end(child);
  });
  return [
    {
      id: 'P8',
      what: 'signed reads a second by journeys / openssl speed -multi 2 rsa2048',
      ratio: median(ratios),
      goal: 0.4,
      least: true,
      note: `at a bare keep-alive server: ${found.join(', ')}`,
    },
    {
      id: 'P8',
      what: 'the same by a loop of node:http that signs and judges nothing',
      ratio: median(beside),
      goal: Number.NaN,
    },
    {
      id: 'P8',
      what: 'signatures of one process of Node, nothing sent',
      ratio: median(alone),
      goal: Number.NaN,
      note: 'the two lines above cannot pass it: server, client and signatures share the cores',
    },
  ];
}

async function bankFigures(machine: Machine, folder: string): Promise<Figure[]> {
  const { argv } = machine.obk(['sandbox', 'start', '--port', '0', '--json', '--open']);
  const env = {
    ...machine.env,
    OBK_STATE_DIR: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  const ratios: number[] = [];
  const found: string[] = [];
  await untilFirstLine({ argv, env }, async (child, line) => {
    const { baseUrl, rsa } = JSON.parse(line) as {
      baseUrl: string;
      rsa: Record<'certificatePath' | 'keyPath', string>;
    };
    const obk = (...words: readonly string[]): unknown => {
      const [file, ...args] = machine.obk([...words, '--json']).argv;
      return JSON.parse(execFileSync(file, args, { env, encoding: 'utf8' }));
    };
    const at = ['--base-url', baseUrl, '--environment', 'sandbox'];
    const pair = ['--certificate', rsa.certificatePath, '--key', rsa.keyPath];
    obk('profile', 'create', 'signed', ...at, ...pair);
    obk('profile', 'create', 'unsigned', ...at, '--signing', 'none');
    const pay = (profile: string) => {
      const more = ['--debtor', 'DE25990010000000001999', '--psu-id', 'embedded-one', '--authorise-later'];
      return (obk(...paymentArgs, ...more, '--profile', profile) as { paymentId: string }).paymentId;
    };
    const [own, other] = [pay('signed'), pay('unsigned')];
    const client = join(folder, 'client.cjs');
    writeFileSync(client, loadClient);
    const dry = obk('payment', 'status', other, '--profile', 'unsigned', '--dry-run') as Signed;
    const wish = JSON.stringify({ target: dry.url, headers: dry.headers, requests, atOnce });
    const journey = statusJourney(folder, own);
    for (let round = 0; round < rounds; round += 1) {
      const [file, ...args] = machine.node([client, wish]).argv;
      const bare = (requests / Number(execFileSync(file, args, { env, encoding: 'utf8' }))) * 1000;
      const perSecond = loadOf(machine, folder, journey, 'signed', env);
      ratios.push(perSecond / bare);
      found.push(`${perSecond.toFixed(0)} and ${bare.toFixed(0)}`);
    }
    await end(child);
  });
  return [
    {
      id: 'P8',
      what: 'signed reads a second by journeys at the bank inside / a bare loop, unsigned',
      ratio: median(ratios),
      goal: Number.NaN,
      note: `${found.join(', ')}; the first signs, its bank verifies, and each answer is judged`,
    },
  ];
}

/** A journey of one read. */
function statusJourney(folder: string, paymentId: string): string {
  const path = join(folder, `read-${paymentId}.yaml`);
  const target = `v1/payments/sepa-credit-transfers/${paymentId}/status`;
  writeFileSync(path, `journey: Read a status\nsteps:\n  - api: { what: GET, path: ${target} }\n`);
  return path;
}

/** What a load comes to that wants more than it can get: its rate once it is warm. */
function loadOf(
  machine: Machine,
  folder: string,
  journey: string,
  profile: string,
  env = machine.env,
): number {
  const output = join(folder, 'load.json');
  const flags = [
    '--arrivals',
    '10000/s',
    '--for',
    `${String(seconds)}s`,
    '--users',
    String(atOnce),
    '--max-errors',
    '0',
  ];
  const words = [
    'journey',
    'run',
    journey,
    '--profile',
    profile,
    ...flags,
    '--json',
    '--output',
    output,
    '--force',
  ];
  const [file, ...args] = machine.obk(words).argv;
  try {
    execFileSync(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch {
    // More is due than can be done: that is exit 10.
  }
  const report = JSON.parse(readFileSync(output, 'utf8')) as LoadReport;
  if (report.failed > 0) throw new Error(`the load failed: ${JSON.stringify(report.journeys)}`);
  const warmed = report.moments.filter(({ atS }) => atS > warm && atS <= seconds);
  return median(warmed.map(({ ended }) => ended));
}

function rsaPair(folder: string): { certificatePath: string; keyPath: string } {
  const [certificatePath, keyPath] = [join(folder, 'rsa.pem'), join(folder, 'rsa-key.pem')];
  const subject = '/O=Bench/organizationIdentifier=PSDDE-BAFIN-123456/CN=bench';
  const wish = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', subject];
  execFileSync('openssl', [...wish, '-keyout', keyPath, '-out', certificatePath], { stdio: 'ignore' });
  return { certificatePath, keyPath };
}

function signaturesPerSecond(): number {
  const words = ['speed', '-seconds', '2', '-multi', '2', 'rsa2048'];
  const text = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [, found = ''] = /^rsa\s+2048 bits\s+\S+\s+\S+\s+(\S+)/m.exec(text) ?? [];
  return Number(found);
}

const bareServer = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Request-ID': request.headers['x-request-id'] });
    response.end('{"transactionStatus":"RCVD"}');
  });
}).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });
`;
