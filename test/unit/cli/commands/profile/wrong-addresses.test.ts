// What `doctor` says of an address that is wrong, and the command that it prints: once that is run, the finding is gone.
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../../helpers/free-port.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { rawServer, wire } from '../../../../helpers/raw-server.ts';
import type { RawServer } from '../../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';
import type { Pair } from '../../../../helpers/tls.ts';
import { xs2aServer } from '../../../../helpers/xs2a-server.ts';
import { part, ranTable } from '../../../../helpers/trials.ts';

let folder: string;
let ca: Pair;
let otherCa: Pair;
let bank: Pair;
let alone: Pair;
let seal: Pair;
const servers: RawServer[] = [];

beforeAll(async () => {
  ca = await makeCertificate({ subject: 'CN=CA' });
  otherCa = await makeCertificate({ subject: 'CN=Other CA' });
  bank = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['127.0.0.1'] });
  alone = await makeCertificate({ subject: 'CN=Alone' });
  seal = await makeCertificate({ subject: 'CN=Seal', issuer: ca, names: ['tpp.example'] });
});
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), 'obk-wrong-addresses-'));
  const files = {
    'ca.pem': ca.certificate,
    'other.pem': otherCa.certificate,
    'seal.pem': seal.certificate,
    'seal.key': seal.key,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const obk = (args: readonly string[]) =>
  runInside(args, {
    env: {
      ...process.env,
      OBK_CONFIG_DIR: join(folder, 'config'),
      OBK_STATE_DIR: join(folder, 'state'),
    },
    cwd: folder,
  });

async function serve(prefixes: readonly string[] = ['/v1'], pair: Pair = bank): Promise<string> {
  const server = await xs2aServer(prefixes, { cert: pair.certificate, key: pair.key });
  servers.push(server);
  return `127.0.0.1:${String(server.port)}`;
}

interface Report {
  findings: { check: string; state: string; text: string; hint: string | null }[];
}

const network = ['dns', 'tcp', 'tls', 'prefix', 'call'];

async function doctor(): Promise<Report['findings']> {
  const { stdout, stderr } = await obk(['doctor', '--profile', 'acme', '--json']);
  expect(stdout, stderr).not.toBe('');
  const { findings } = JSON.parse(stdout) as Report;
  return findings.filter(({ check, state }) => state === 'fail' && network.includes(check));
}

async function create(...flags: readonly string[]): Promise<void> {
  const signs = ['--certificate', 'seal.pem', '--key', 'seal.key', '--environment', 'test', '--no-check'];
  const made = await obk(['profile', 'create', 'acme', ...signs, ...flags]);
  expect(made.code, made.stderr).toBe(0);
}

/** Runs the command of the only finding as it is printed, and again with this value for one that only a person knows. */
async function mend(found: Report['findings'], values: Readonly<Record<string, string>> = {}): Promise<void> {
  expect(found).toHaveLength(1);
  const words = (found[0]?.hint ?? '')
    .replace(/\s+#.*/, '')
    .split(' ')
    .slice(1);
  const { FILE, ADDRESS, URL: address } = values;
  if (FILE === undefined && ADDRESS === undefined) {
    const asPrinted = await obk(words);
    expect(asPrinted.code, asPrinted.stderr).toBe(0);
    if (address === undefined) return;
  }
  const known = words.map((word, at) =>
    address !== undefined && words[at - 1] === '--base-url' ? address : (values[word] ?? word),
  );
  const mended = await obk(known);
  expect(mended.code, mended.stderr).toBe(0);
}

afterAll(() => {
  ranTable('addresses with a wrong prefix');
});

describe('doctor finds, and the command that it prints mends', () => {
  it('a name that no network knows', async () => {
    await create('--base-url', 'https://nowhere.invalid');
    const found = await doctor();
    expect(found).toMatchObject([
      { check: 'dns', text: expect.stringContaining('nowhere.invalid') as string },
    ]);
    await mend(found, { URL: `https://${await serve()}` });
  });

  it('a wrong port', async () => {
    await create('--ca', 'ca.pem', '--base-url', `https://127.0.0.1:${String(await freePort())}`);
    const found = await doctor();
    expect(found).toMatchObject([{ check: 'tcp', text: expect.stringContaining('ECONNREFUSED') as string }]);
    await mend(found, { URL: `https://${await serve()}` });
    expect(await doctor()).toEqual([]);
  });

  it('http for https', async () => {
    await create('--ca', 'ca.pem', '--base-url', `http://${await serve()}`);
    const found = await doctor();
    expect(found).toMatchObject([{ check: 'tls', text: expect.stringContaining('speaks TLS') as string }]);
    await mend(found);
    expect(await doctor()).toEqual([]);
  });

  it('https for http', async () => {
    // A real server answers what is no HTTP at once.
    const plain = createServer((request, response) => {
      response.writeHead(request.url?.startsWith('/v1/consents/') === true ? 403 : 404, {
        'content-type': 'application/json',
      });
      response.end(JSON.stringify({ tppMessages: [{ category: 'ERROR', code: 'CONSENT_UNKNOWN' }] }));
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      plain.closeAllConnections();
      plain.close();
    });
    const host = `127.0.0.1:${String((plain.address() as AddressInfo).port)}`;
    await create('--base-url', `https://${host}`);
    const found = await doctor();
    expect(found).toMatchObject([
      { check: 'tls', text: expect.stringContaining('does not speak TLS') as string },
    ]);
    await mend(found, { URL: `http://${host}` });
    expect(await doctor()).toEqual([]);
  });

  it('a certificate that is signed by itself', async () => {
    writeFileSync(join(folder, 'alone.pem'), alone.certificate);
    await create('--base-url', `https://${await serve(['/v1'], alone)}`);
    const found = await doctor();
    expect(found).toMatchObject([
      { check: 'tls', text: expect.stringContaining('signed by itself') as string },
    ]);
    expect(found[0]?.hint).toMatch(/^obk profile edit acme --ca FILE/);
  });

  it('a wrong CA', async () => {
    await create('--ca', 'other.pem', '--base-url', `https://${await serve()}`);
    const found = await doctor();
    expect(found).toMatchObject([
      { check: 'tls', text: expect.stringContaining('--ca does not hold it') as string },
    ]);
    await mend(found, { FILE: 'ca.pem' });
    expect(await doctor()).toEqual([]);
  });

  it.each(
    part(
      [
        ['a doubled prefix', '/psd2/v1', ['/psd2/v1'], [], 'answers at https://HOST/psd2/v1,'],
        [
          'the version of the other framework in the address',
          '/v136',
          ['/v136'],
          [],
          'answers at https://HOST/v136,',
        ],
        ['a missing prefix', '/psd2', ['/psd2/v1'], ['--prefix', '/'], 'answers at https://HOST/psd2/v1,'],
        ['the other framework', '', ['/v136'], [], 'answers at https://HOST/v136,'],
        ['a bank without a version in its paths', '/psd2', ['/psd2'], [], 'answers at https://HOST/psd2,'],
        [
          'a prefix that stands there twice',
          '/psd2/v1/v1',
          ['/psd2/v1'],
          [],
          'answers at https://HOST/psd2/v1,',
        ],
        ['a prefix in capitals', '/psd2/V1', ['/psd2/v1'], [], 'answers at https://HOST/psd2/v1,'],
        [
          'a prefix in capitals at a bank that spells it so',
          '/V1',
          ['/V1'],
          [],
          'answers at https://HOST/V1,',
        ],
        [
          'the path of an operation',
          '/psd2/v1/accounts',
          ['/psd2/v1'],
          [],
          'answers at https://HOST/psd2/v1,',
        ],
        ['the prefix of another bank', '/psd2', ['/psd2/v1'], ['--prefix', '/x/v1'], 'HOST/psd2/v1,'],
        [
          'the other framework below the prefix of this one',
          '',
          ['/v136'],
          ['--variant', 'v136', '--prefix', '/v1'],
          'HOST/v136,',
        ],
      ] as const,
      3,
      0,
    ),
  )('%s', async (_, path, prefixes, flags, said) => {
    const host = await serve(prefixes);
    await create('--ca', 'ca.pem', '--base-url', `https://${host}${path}`, ...flags);
    const found = await doctor();
    expect(found).toMatchObject([
      { check: 'prefix', text: expect.stringContaining(said.replace('HOST', host)) as string },
    ]);
    await mend(found);
    expect(await doctor()).toEqual([]);
  });

  it.each([
    ['with another protocol', (socket: Socket) => void socket.write('SSH-2.0-x\r\n'), 'does not speak HTTP'],
    ['without a word', (socket: Socket) => void socket.end(), 'closes the connection without an answer'],
  ])('a port that answers %s', async (_, answer, said) => {
    const other = await rawServer(answer);
    servers.push(other);
    await create('--base-url', `http://127.0.0.1:${String(other.port)}`);
    const found = await doctor();
    expect(found).toMatchObject([{ check: 'tcp', text: expect.stringContaining(said) as string }]);
    await mend(found, { URL: `https://${await serve()}` });
  });

  it.each([
    ['has expired', { notAfter: new Date(Date.now() - 1000) }, /has expired/],
    ['is of tomorrow', { notBefore: new Date(Date.now() + 3_600_000) }, /not valid yet/],
  ])('a server whose certificate %s, which no CA mends', async (_, dates, said) => {
    const pair = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['127.0.0.1'], ...dates });
    const host = await serve(['/v1'], pair);
    await create('--ca', 'ca.pem', '--base-url', `https://${host}`);
    const found = await doctor();
    expect(found).toMatchObject([{ check: 'tls', text: expect.stringMatching(said) as string }]);
    expect(found[0]?.hint).toMatch(`obk cert inspect https://${host} `);
    await mend(found);
  });

  it('a server whose certificate is for another name, whose address is to be set', async () => {
    const pair = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['bank.example'] });
    await create('--ca', 'ca.pem', '--base-url', `https://${await serve(['/v1'], pair)}`);
    const found = await doctor();
    expect(found).toMatchObject([{ text: expect.stringContaining('another name: bank.example') as string }]);
    expect(found[0]?.hint).toMatch(/^obk profile edit acme --base-url https:\S+ {3}# with the right host/);
    await mend(found);
  });

  it.each(['https://127.0.0.1:PORT', 'https://evil.example'])(
    'an address that sends each call on to %s',
    async (there) => {
      const bank = await serve();
      const address = there.replace('PORT', bank.split(':')[1] ?? '');
      const web = await rawServer((socket, { head }) => {
        const location = `Location: ${address}${head.split(' ')[1] ?? ''}`;
        socket.end(wire('308 Permanent Redirect', '', [location, 'Connection: close']));
      });
      servers.push(web);
      await create('--ca', 'ca.pem', '--base-url', `http://127.0.0.1:${String(web.port)}`);
      const found = await doctor();
      expect(found).toMatchObject([{ text: expect.stringContaining(`on to ${address},`) as string }]);
      // Only the host that was named may send elsewhere.
      expect(found[0]?.hint?.includes(address)).toBe(!there.includes('evil'));
      await mend(found, { URL: `https://${bank}` });
      expect(await doctor()).toEqual([]);
    },
  );

  it('an address at which nothing answers as a bank does', async () => {
    await create('--ca', 'ca.pem', '--base-url', `https://${await serve(['/elsewhere/v1'])}`);
    const found = await doctor();
    expect(found).toMatchObject([{ check: 'prefix', text: expect.stringContaining('Nothing at') as string }]);
    expect(found[0]?.hint).toMatch(
      /^obk profile edit acme --base-url https:\S+ --prefix \/v1 {3}# with the right/,
    );
    await mend(found);
  });

  it('no redirect URI and no PSU-IP-Address', async () => {
    await create('--ca', 'ca.pem', '--base-url', `https://${await serve()}`);
    const warned = async () => {
      const { findings } = JSON.parse(
        (await obk(['doctor', '--profile', 'acme', '--json', '--offline'])).stdout,
      ) as Report;
      return findings.filter(({ check }) => check === 'redirect' || check === 'psu-ip');
    };
    const [redirect, ip] = await warned();
    await mend(redirect === undefined ? [] : [redirect]);
    await mend(ip === undefined ? [] : [ip], { ADDRESS: '192.0.2.1' });
    expect(await warned()).toEqual([]);
  });
});

it('looks elsewhere once each, also where a server asks for patience', async () => {
  const server = await rawServer((socket) =>
    socket.end(wire('503 Service Unavailable', '<html>', ['Retry-After: 0', 'Connection: close'])),
  );
  servers.push(server);
  await create('--base-url', `http://127.0.0.1:${String(server.port)}`);
  expect((await doctor())[0]?.text).toContain('503');
  const signed = server.arrivals.filter(({ head }) => /^signature:/im.test(head));
  expect([signed.length, server.arrivals.length - signed.length]).toEqual([3, 3]);
});

it.each([
  ['--redirect-uri', 'https://tpp.example/back/', 'redirectUri', 'https://tpp.example/back/'],
  ['--oauth-issuer', 'https://bank.example/login/', 'oauth', { issuer: 'https://bank.example/login/' }],
  ['--base-url', ' HTTPS://bank.example/psd2/ ', 'baseUrl', 'https://bank.example/psd2'],
])('takes %s %j as it is meant', async (flag, given, setting, taken) => {
  await create(...(flag === '--base-url' ? [] : ['--base-url', 'https://bank.example']), flag, given);
  const { stdout } = await obk(['profile', 'show', 'acme', '--json']);
  expect((JSON.parse(stdout) as Record<string, unknown>)[setting]).toEqual(taken);
});

it.each([
  ['--redirect-uri', 'https://tpp.example/back#end', 'fragment'],
  ['--redirect-uri', 'https://me:secret@tpp.example/back', 'without user and password'],
  ['--oauth-issuer', 'https://bank.example/login?x=1', 'without query and fragment'],
  ['--oauth-issuer', 'https://bank.example/login#', 'without query and fragment'],
  ['--base-url', 'https://bank.example/psd2/../v1', 'dot segments'],
  ['--base-url', 'https://bank.example/psd2?', 'query'],
  ['--base-url', 'https://bank.example/a b', 'blanks'],
])('refuses %s %s before it is saved', async (flag, given, said) => {
  const more = flag === '--base-url' ? [] : ['--base-url', 'https://bank.example'];
  const signs = ['--certificate', 'seal.pem', '--key', 'seal.key', '--environment', 'test', '--no-check'];
  const { code, stderr } = await obk(['profile', 'create', 'acme', ...signs, ...more, flag, given]);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) as string });
});

it('reads without a signature and without a token, and only where the signed read may have gone astray', async () => {
  await serve(['/v1']);
  await create('--ca', 'ca.pem', '--base-url', `https://127.0.0.1:${String(servers[0]?.port)}`);
  await doctor();
  expect(servers[0]?.arrivals).toHaveLength(1);
  await serve(['/v136']);
  await obk(['profile', 'edit', 'acme', '--base-url', `https://127.0.0.1:${String(servers[1]?.port)}`]);
  await doctor();
  const heads = servers[1]?.arrivals.map(({ head }) => head) ?? [];
  expect(heads.map((head) => /^signature:/im.test(head))).toEqual([true, false, false]);
  for (const head of heads.slice(1))
    expect(head).not.toMatch(/^(authorization|tpp-signature-certificate|psu-)/im);
});
