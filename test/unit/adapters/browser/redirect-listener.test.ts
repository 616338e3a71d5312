import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { createListener } from '../../../../src/adapters/browser/redirect-listener.ts';
import { freePort } from '../../../helpers/free-port.ts';

type Bound = Awaited<ReturnType<ReturnType<typeof createListener>['listen']>>;

const open: Bound[] = [];

afterEach(async () => {
  for (const bound of open.splice(0)) await bound.close();
});

async function listen(changes: object = {}): Promise<Bound> {
  const bound = await createListener().listen({ port: 0, path: '/cb-x', state: 'st4te', ...changes });
  open.push(bound);
  return bound;
}

interface Page {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function visit(
  bound: Bound,
  path: string,
  {
    method = 'GET',
    headers = {},
    host = '127.0.0.1',
  }: { method?: string; headers?: object; host?: string } = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const options = { host, port: bound.port, path, method, headers: { ...headers }, agent: false };
    request(options, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Whether somebody came back; the wait of a listener that nobody came to goes on for ever. */
async function hasReturned(bound: Bound): Promise<boolean> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  return Promise.race([bound.returned.then(() => true), Promise.resolve(false)]);
}

describe('the way back from the bank', () => {
  it.each([
    ['/cb-x?state=st4te', 'ok', 'Back from the bank'],
    ['/cb-x?code=a%20b&state=st4te&x=1', 'ok', 'Back from the bank'],
    ['/cb-x?error=access_denied&state=st4te', 'nok', 'Not approved'],
    ['/cb-x/nok?state=st4te', 'nok', 'Not approved'],
  ])('is recognised: %s is %s', async (path, outcome, title) => {
    const bound = await listen();
    const page = await visit(bound, path);
    expect(page.status).toBe(200);
    expect(page.body).toContain(`<h1>${title}</h1>`);
    expect(await bound.returned).toEqual({ outcome, url: `http://127.0.0.1:${bound.port}${path}` });
  });

  it('needs no state where none was given', async () => {
    const bound = await listen({ state: '' });
    expect((await visit(bound, '/cb-x')).status).toBe(200);
    expect(await bound.returned).toMatchObject({ outcome: 'ok' });
  });

  it.each([
    ['', '/cb-x?code=1&state=sent', 200],
    ['', '/cb-x?error=access_denied&state=sent', 200],
    ['', '/cb-x?code=1', 404],
    ['', '/cb-x?error=access_denied', 404],
    ['', '/cb-x?code=1&state=sent&state=sent', 404],
    ['st4te', '/cb-x?state=st4te&code=1&state=sent', 200],
    ['st4te', '/cb-x?state=st4te&code=1', 404],
    ['st4te', '/cb-x?state=sent&code=1', 404],
  ])('needs besides %j the state that was sent: %s is %d', async (state, path, status) => {
    const bound = await listen({ state, returnState: 'sent' });
    expect((await visit(bound, path)).status).toBe(status);
    if (status === 200) expect((await bound.returned).url).toContain(path);
    else expect(await hasReturned(bound)).toBe(false);
  });

  it('is used once: whoever comes later finds nothing', async () => {
    const bound = await listen();
    await visit(bound, '/cb-x?state=st4te&first');
    expect((await visit(bound, '/cb-x?state=st4te&second')).status).toBe(404);
    expect((await bound.returned).url).toContain('first');
  });

  it('leads over ::1 too, and by the name localhost', async () => {
    const bound = await listen();
    const hasIpv6 = Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.address === '::1');
    if (hasIpv6) expect((await visit(bound, '/other', { host: '::1' })).status).toBe(404);
    const headers = { Host: `localhost:${bound.port}` };
    expect((await visit(bound, '/cb-x?state=st4te', { headers })).status).toBe(200);
  });

  it('shows a page of our own that nobody caches and that reveals nothing', async () => {
    const bound = await listen();
    const hostile = '<script>alert(1)</script>';
    const page = await visit(bound, `/cb-x?state=st4te&error=${encodeURIComponent(hostile)}`);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='$/,
      ) as string,
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    expect(page.body).not.toMatch(/script|alert|https?:|src=|href=|st4te/);
  });
});

describe('a request that is not the way back', () => {
  const wrong: [string, string, { method?: string; headers?: object }, number][] = [
    ['another path', '/', {}, 404],
    ['a path below', '/cb-x/', {}, 404],
    ['a path beside', '/cb-xx?state=st4te', {}, 404],
    ['a path in other letters', '/CB-X?state=st4te', {}, 404],
    ['a path in escapes', '/%63b-x?state=st4te', {}, 404],
    ['dots', '/a/../cb-x?state=st4te', {}, 404],
    ['a whole URL', 'http://127.0.0.1/cb-x?state=st4te', {}, 404],
    ['no state', '/cb-x', {}, 404],
    ['another state', '/cb-x?state=st4tf', {}, 404],
    ['part of the state', '/cb-x?state=st4t', {}, 404],
    ['more than the state', '/cb-x?state=st4tee', {}, 404],
    ['two states', '/cb-x?state=st4te&state=x', {}, 404],
    ['the state in other letters', '/cb-x?state=ST4TE', {}, 404],
    ['an error without a state', '/cb-x?error=access_denied', {}, 404],
    ['a nok without a state', '/cb-x/nok', {}, 404],
    ['a nok with another state', '/cb-x/nok?state=x', {}, 404],
    ['POST', '/cb-x?state=st4te', { method: 'POST' }, 405],
    ['HEAD', '/cb-x?state=st4te', { method: 'HEAD' }, 405],
    ['OPTIONS', '/cb-x?state=st4te', { method: 'OPTIONS' }, 405],
    ['another host', '/cb-x?state=st4te', { headers: { Host: 'evil.example' } }, 404],
    ['another port', '/cb-x?state=st4te', { headers: { Host: '127.0.0.1:1' } }, 404],
    ['a host that begins alike', '/cb-x?state=st4te', { headers: { Host: '127.0.0.1.evil.example' } }, 404],
    ['the icon', '/favicon.ico', {}, 404],
  ];

  it.each(wrong)('does not end the wait: %s', async (_case, path, options, status) => {
    const bound = await listen();
    const page = await visit(bound, path, options);
    expect(page.status).toBe(status);
    expect(page.body).not.toContain('st4te');
    expect(await hasReturned(bound)).toBe(false);
    // The right one still gets through.
    await visit(bound, '/cb-x?state=st4te');
    expect((await bound.returned).outcome).toBe('ok');
  });

  it('does not end the wait where it is rubbish', async () => {
    const bound = await listen();
    const socket = connect(bound.port, '127.0.0.1');
    socket.write('\x16\x03\x01 not http\r\n\r\n');
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect(await hasReturned(bound)).toBe(false);
  });
});

describe('the port of the listener', () => {
  it('is for this machine only', async () => {
    const bound = await listen();
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === 'IPv4');
    // Without a network, another address of the loopback: who listens on all addresses answers there too.
    const host = outside?.address ?? '127.0.0.2';
    await expect(visit(bound, '/cb-x?state=st4te', { host })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('is LISTENER_FAILED by number where it is taken', async () => {
    const other = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    const failing = createListener().listen({ port, path: '/x', state: 's' });
    await expect(failing).rejects.toMatchObject({
      code: 'LISTENER_FAILED',
      exit: 3,
      title: `Port ${port} is taken.`,
    });
    await new Promise((resolve) => other.close(resolve));
    const bound = await listen({ port });
    expect(bound.port).toBe(port);
  });

  it('that is taken on ::1 only is not half ours', async (context) => {
    const other = createServer();
    const port = await freePort();
    const listening = await new Promise<boolean>((resolve) => {
      other.once('error', () => {
        resolve(false);
      });
      other.listen(port, '::1', () => {
        resolve(true);
      });
    });
    if (!listening) {
      context.skip('this machine has no ::1');
      return;
    }
    await expect(createListener().listen({ port, path: '/x', state: 's' })).rejects.toMatchObject({
      code: 'LISTENER_FAILED',
    });
    await new Promise((resolve) => other.close(resolve));
    expect((await listen({ port })).port).toBe(port);
  });

  it('is free at once although a browser holds a connection', async () => {
    const bound = await createListener().listen({ port: await freePort(), path: '/x', state: 's' });
    const socket = connect(bound.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.on('close', resolve).resume());
    await bound.close();
    await closed;
    const again = await listen({ port: bound.port });
    expect(again.port).toBe(bound.port);
  });
});

describe('a port that is held', () => {
  const held = async () => {
    const listener = createListener();
    const port = await listener.hold(await freePort());
    const at = { port } as Bound;
    return { listener, port, at };
  };

  it('belongs to nobody else before, between and after the waits, until it is released', async () => {
    const { listener, port } = await held();
    const other = () => createListener().listen({ port, path: '/cb-x', state: '' });
    await expect(other()).rejects.toMatchObject({ code: 'LISTENER_FAILED' });
    const bound = await listener.listen({ port, path: '/cb-x', state: '' });
    await expect(other()).rejects.toMatchObject({ code: 'LISTENER_FAILED' });
    await bound.close();
    await expect(other()).rejects.toMatchObject({ code: 'LISTENER_FAILED' });
    await listener.close();
    await (await other()).close();
  });

  it('answers whoever calls while nobody waits that there is nothing', async () => {
    const { listener, port, at } = await held();
    expect((await visit(at, '/cb-x?state=st4te')).status).toBe(404);
    const bound = await listener.listen({ port, path: '/cb-x', state: 'st4te' });
    expect((await visit(at, '/cb-x?state=other')).status).toBe(404);
    expect((await visit(at, '/cb-x?state=st4te')).status).toBe(200);
    expect(await bound.returned).toMatchObject({ outcome: 'ok' });
    await bound.close();
    expect((await visit(at, '/cb-x?state=st4te')).status).toBe(404);
    await listener.close();
    await expect(visit(at, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('shows its page to a browser that is back after the wait, and the end of the run waits for it', async () => {
    const { listener, port, at } = await held();
    const bound = await listener.listen({ port, path: '/cb-x', state: 'st4te', lateMs: 60_000 });
    await bound.close();
    let ended = false;
    const end = listener.close().then(() => (ended = true));
    expect((await visit(at, '/cb-x?state=other')).status).toBe(404);
    expect(ended).toBe(false);
    const late = await visit(at, '/cb-x/nok?state=st4te');
    expect(late).toMatchObject({ status: 200, body: expect.stringContaining('Not approved') as string });
    await end;
    await expect(visit(at, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is not waited for where the browser was back, nor longer than announced', async () => {
    const { listener, port, at } = await held();
    const first = await listener.listen({ port, path: '/cb-x', state: 'st4te', lateMs: 3_600_000 });
    await visit(at, '/cb-x?state=st4te');
    await first.close();
    const second = await listener.listen({ port, path: '/cb-y', state: 'st4te', lateMs: 1 });
    await second.close();
    await listener.close();
    await expect(visit(at, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('is refused where another program has it', async () => {
    const { listener, port } = await held();
    await expect(createListener().hold(port)).rejects.toMatchObject({ code: 'LISTENER_FAILED' });
    await listener.close();
  });
});
