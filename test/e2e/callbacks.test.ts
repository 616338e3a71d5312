// Wrong returns of a browser to the listener of obk: a bank and an OAuth server typed by hand count the token calls.
import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../src/client/ports/browser.ts';
import { runInside } from '../helpers/inside.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Ran } from '../helpers/obk.ts';

/** The forms that reached the token endpoint. */
const asked: URLSearchParams[] = [];
const server = createServer((incoming, outgoing) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = answerTo(incoming, Buffer.concat(chunks).toString());
    outgoing.statusCode = incoming.method === 'POST' && incoming.url !== '/token' ? 201 : 200;
    outgoing.setHeader('Content-Type', 'application/json');
    outgoing.setHeader('X-Request-ID', incoming.headers['x-request-id'] ?? '');
    outgoing.end(JSON.stringify(body));
  });
});
const payment = '/v1/payments/sepa-credit-transfers';
const metadata = '/.well-known/oauth-authorization-server';

function answerTo({ url = '', headers }: IncomingMessage, text: string): object {
  const isPaid = headers.authorization !== undefined;
  if (url === metadata)
    return { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` };
  if (url === '/token') {
    asked.push(new URLSearchParams(text));
    return { access_token: 'access-canary-0123456789', token_type: 'Bearer', expires_in: 600 };
  }
  if (url === payment) {
    const scaStatus = { href: `${payment}/pay-1/authorisations/auth-1` };
    const links = {
      scaOAuth: { href: base + metadata },
      scaStatus,
      status: { href: `${payment}/pay-1/status` },
    };
    return { transactionStatus: 'RCVD', paymentId: 'pay-1', _links: links };
  }
  return url.endsWith('/auth-1')
    ? { scaStatus: isPaid ? 'finalised' : 'received' }
    : { transactionStatus: isPaid ? 'ACSC' : 'RCVD' };
}

let base = '';
const obk = createObk({ CI: 'true', OBK_PROFILE: 'acme' });
const psu = ['--psu-id', 'anna'];
const payer = ['--debtor', 'DE89370400440532013000'];
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ran = await inside([
    ...['profile', 'create', 'acme', '--base-url', base, '--environment', 'sandbox', '--variant', 'v1'],
    ...['--signing', 'none', '--oauth-client-id', 'tpp', '--oauth-metadata', base + metadata],
  ]);
  expect(ran.code, ran.stderr).toBe(0);
});
afterAll(() => {
  obk.close();
  server.close();
});

const inside = (args: readonly string[], browser?: Browser, env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  runInside(args, {
    env: { ...obk.env, ...env },
    cwd: obk.folder,
    input: '',
    ...(browser !== undefined && { ports: { browser } }),
  });

/** Runs obk until it opens a browser; gives what the browser gets, and the end of the run. */
async function opened(args: readonly string[]): Promise<{ url: URL; ended: Promise<Ran> }> {
  let open: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => (open = resolve));
  const ended = inside([...args, '--wait', '--browser', 'always', '--timeout', '9s', '--json'], {
    likely: () => Promise.resolve(true),
    open: (link) => {
      open(link);
      return Promise.resolve(true);
    },
  });
  const early = ended.then(({ stderr }) => Promise.reject<string>(new Error(stderr)));
  return { url: new URL(await Promise.race([url, early])), ended };
}

interface Wrong {
  path?: string;
  method?: string;
  host?: string;
}

function visit(back: URL, { path = back.pathname + back.search, method = 'GET', host = back.host }: Wrong) {
  return new Promise<number>((resolve, reject) => {
    const options = {
      host: back.hostname,
      port: back.port,
      path,
      method,
      headers: { Host: host },
      agent: false,
    };
    request(options, (answer) => {
      answer.resume().on('end', () => {
        resolve(answer.statusCode ?? 0);
      });
    })
      .on('error', reject)
      .end();
  });
}

/** What is wrong with a return whose address is `at` and whose state is `s`. */
const wrongs: readonly [string, (at: string, s: string, port: string) => Wrong][] = [
  ['nothing', (at) => ({ path: at })],
  ['no state', (at) => ({ path: `${at}?code=c` })],
  ['an empty state', (at) => ({ path: `${at}?code=c&state=` })],
  ['another state', (at) => ({ path: `${at}?code=c&state=other` })],
  ['a longer state', (at, s) => ({ path: `${at}?code=c&state=${s}x` })],
  ['a shorter state', (at, s) => ({ path: `${at}?code=c&state=${s.slice(1)}` })],
  ['the state in other letters', (at, s) => ({ path: `${at}?code=c&state=${swapped(s)}` })],
  ['the state twice', (at, s) => ({ path: `${at}?code=c&state=${s}&state=${s}` })],
  ['two states', (at, s) => ({ path: `${at}?state=x&code=c&state=${s}` })],
  ['the state under another name', (at, s) => ({ path: `${at}?code=c&State=${s}` })],
  ['an error without a state', (at) => ({ path: `${at}?error=access_denied` })],
  ['an error with another state', (at) => ({ path: `${at}?error=access_denied&state=other` })],
  ['a refusal without a state', (at) => ({ path: `${at}/nok` })],
  ['the root', (_at, s) => ({ path: `/?code=c&state=${s}` })],
  ['a path below', (at, s) => ({ path: `${at}/x?code=c&state=${s}` })],
  ['a path beside', (at, s) => ({ path: `${at}x?code=c&state=${s}` })],
  ['a path in other letters', (at, s) => ({ path: `${swapped(at)}?code=c&state=${s}` })],
  [
    'a path in escapes',
    (at, s) => ({ path: `/%${at.charCodeAt(1).toString(16)}${at.slice(2)}?code=c&state=${s}` }),
  ],
  ['dots', (at, s) => ({ path: `/x/..${at}?code=c&state=${s}` })],
  ['a whole address', (at, s) => ({ path: `http://evil.example${at}?code=c&state=${s}` })],
  ['another host', (at, s) => ({ path: `${at}?code=c&state=${s}`, host: 'evil.example' })],
  [
    'a host that begins alike',
    (at, s, port) => ({ path: `${at}?code=c&state=${s}`, host: `127.0.0.1.evil.example:${port}` }),
  ],
  ['another port', (at, s) => ({ path: `${at}?code=c&state=${s}`, host: '127.0.0.1:1' })],
  ['POST', (at, s) => ({ path: `${at}?code=c&state=${s}`, method: 'POST' })],
  ['HEAD', (at, s) => ({ path: `${at}?code=c&state=${s}`, method: 'HEAD' })],
  ['OPTIONS', (at, s) => ({ path: `${at}?code=c&state=${s}`, method: 'OPTIONS' })],
  ['the icon', () => ({ path: '/favicon.ico' })],
];

const swapped = (text: string) =>
  text.replace(/[a-z]/i, (sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()));

describe.each<[string, string[]]>([
  ['a login', ['auth', 'login', ...psu]],
  [
    'an authorisation',
    ['payment', 'init', ...shop, ...payer, '--amount', '1.00', '--allow-duplicate', ...psu],
  ],
])('%s', (_name, args) => {
  it(`asks for no token after ${wrongs.length} wrong returns, for one after the right one, and for none ever after`, async () => {
    asked.length = 0;
    const { url, ended } = await opened(args);
    const state = url.searchParams.get('state') ?? '';
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    expect([state.length >= 32, back.pathname.length >= 33]).toEqual([true, true]);
    for (const [what, wrong] of wrongs) {
      const status = await visit(back, wrong(back.pathname, state, back.port));
      expect([what, status === 404 || status === 405, asked.length]).toEqual([what, true, 0]);
    }
    const right = new URL(`${back.href}?code=code-canary&state=${state}`);
    expect(await visit(right, {})).toBe(200);
    // Somebody has seen the address and opens it again.
    await visit(right, {}).catch(() => undefined);
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(asked.map((form) => form.get('code'))).toEqual(['code-canary']);
    expect(stdout + stderr).not.toContain('canary');

    // The same return once more, by another process.
    const { paymentId } = JSON.parse(stdout) as { paymentId?: string };
    const again = paymentId === undefined ? args : ['payment', 'authorise', paymentId];
    const replay = await inside([...again, '--return-url-from', 'env:BACK'], undefined, { BACK: right.href });
    expect(replay.code).toBe(paymentId === undefined ? 2 : 0);
    expect(asked).toHaveLength(1);
  });

  it('in a second tab leaves the first one with a return that is not used', async () => {
    asked.length = 0;
    const first = await opened(args);
    const second = await opened(args);
    const [one, two] = [first, second].map(({ url }) => url.searchParams);
    const back = new URL(two?.get('redirect_uri') ?? '');
    const stateOf = (query: URLSearchParams | undefined) => query?.get('state') ?? '';
    expect(await visit(back, { path: `${back.pathname}?code=c&state=${stateOf(one)}` })).toBe(404);
    expect(asked).toEqual([]);
    await visit(new URL(`${back.href}?code=code-of-the-second&state=${stateOf(two)}`), {});
    expect((await second.ended).code).toBe(0);
    expect(asked.map((form) => form.get('code'))).toEqual(['code-of-the-second']);
    // The first one ends by its own return, if ever: a login that was begun anew has left it nothing to redeem with.
    const own = new URL(one?.get('redirect_uri') ?? '');
    await visit(new URL(`${own.href}?code=code-of-the-first&state=${stateOf(one)}`), {});
    await first.ended;
    expect(asked.map((form) => form.get('code')).slice(1)).toEqual(
      args[0] === 'auth' ? [] : ['code-of-the-first'],
    );
  });
});
