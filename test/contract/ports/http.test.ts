import { afterEach, describe, expect, it } from 'vitest';
import { createHttp } from '../../../src/adapters/http/undici-http.ts';
import { TransportFailure } from '../../../src/base/errors.ts';
import type { Http, HttpRequest } from '../../../src/client/ports/http.ts';
import type { Header } from '../../../src/settings/records/wire.ts';
import { Secret } from '../../../src/base/secret.ts';
import { fakeHttp } from '../../helpers/fakes/index.ts';
import { rawServer, wire } from '../../helpers/raw-server.ts';

interface Planned {
  status: number;
  headers: readonly Header[];
  body: string;
}

/** An Http whose other side answers once with this, or with nothing, or is not there. */
interface World {
  http: Http;
  url: string;
  /** How many requests the other side saw, and the last of them. */
  seen: () => { count: number; header: (name: string) => string | undefined; body: string };
}

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const drivers: [string, (method: string, plan: Planned | 'lost' | 'refused') => Promise<World>][] = [
  [
    'in memory',
    async (method, plan) => {
      const http = fakeHttp();
      if (plan === 'lost') http.expectFailure(method, '/v1/x', { sent: true, reason: 'reset' });
      else if (plan === 'refused') http.expectFailure(method, '/v1/x', { sent: false, reason: 'connect' });
      else http.expect(method, '/v1/x', plan);
      return {
        http,
        url: 'https://bank.example/v1/x',
        seen: () => ({
          count: http.requests.length,
          header: (name) => http.requests.at(-1)?.header(name),
          body: http.requests.at(-1)?.body ?? '',
        }),
      };
    },
  ],
  [
    'over undici',
    async (_method, plan) => {
      const server = await rawServer((socket) => {
        if (typeof plan === 'string') socket.destroy();
        else {
          const headers = plan.headers.map(([name, value]) => `${name}: ${value}`);
          socket.end(wire(`${plan.status} Answer`, plan.body, headers));
        }
      });
      if (plan === 'refused') await server.close();
      const http = createHttp();
      closers.push(
        () => http.close(),
        () => server.close(),
      );
      return {
        http,
        url: `http://127.0.0.1:${server.port}/v1/x`,
        seen: () => ({
          count: server.arrivals.length,
          header: (name) =>
            new RegExp(`^${name}: (.*)$`, 'im').exec(server.arrivals.at(-1)?.head ?? '')?.[1]?.trim(),
          body: server.arrivals.at(-1)?.body.toString() ?? '',
        }),
      };
    },
  ],
];

function request(world: World, method: HttpRequest['method']): HttpRequest {
  return {
    method,
    url: world.url,
    headers: [
      ['X-Request-ID', '1'],
      ['Authorization', new Secret('Bearer t')],
    ],
    body: Buffer.from(method === 'GET' || method === 'DELETE' ? '' : '{"ä":1}'),
  };
}

function options(changes: Partial<Parameters<Http['send']>[1]> = {}): Parameters<Http['send']>[1] {
  const limits = { connectMs: 9_000, firstByteMs: 9_000, deadlineMs: 9_000, maxBytes: 100 };
  return { limits, connection: {}, fresh: true, ...changes };
}

const methods = ['POST', 'PUT', 'DELETE', 'GET'] as const;
const created: Planned = {
  status: 201,
  headers: [
    ['X-Request-ID', '1'],
    ['Location', '/y'],
  ],
  body: '{"ö":1}',
};

describe.each(drivers)('the http port %s', (_name, open) => {
  it.each(methods)('returns the answer to a %s as it came', async (method) => {
    const world = await open(method, created);
    let marks = 0;
    const onSending = () => {
      expect(marks).toBe(0);
      return Promise.resolve(void (marks += 1));
    };
    const answer = await world.http.send(request(world, method), options({ onSending }));
    expect(answer.status).toBe(201);
    expect(answer.headers.slice(0, 2)).toEqual(created.headers);
    expect(Buffer.from(answer.body).toString()).toBe('{"ö":1}');
    expect({ marks, count: world.seen().count }).toEqual({ marks: 1, count: 1 });
    expect(world.seen().header('authorization')).toBe('Bearer t');
    expect(world.seen().body).toBe(method === 'GET' || method === 'DELETE' ? '' : '{"ä":1}');
  });

  it.each([301, 307, 400, 409, 500, 503])('returns a %s as an answer', async (status) => {
    const world = await open('POST', { status, headers: [['Location', '/other']], body: '' });
    expect((await world.http.send(request(world, 'POST'), options())).status).toBe(status);
    expect(world.seen().count).toBe(1);
  });

  const failures: [string, 'lost' | 'refused' | Planned, object, number][] = [
    ['lost', 'lost', { sent: true, reason: 'reset' }, 1],
    ['refused', 'refused', { sent: false, reason: 'connect' }, 0],
    [
      'too large',
      { ...created, body: 'x'.repeat(101) },
      { sent: true, reason: 'too-large', partial: { status: 201 } },
      1,
    ],
  ];

  it.each(failures)(
    'reports of a %s one whether it was sent',
    async (_case, plan, expected, marksExpected) => {
      const world = await open('POST', plan);
      let marks = 0;
      const onSending = () => Promise.resolve(void (marks += 1));
      const failing = world.http.send(request(world, 'POST'), options({ onSending }));
      await expect(failing).rejects.toBeInstanceOf(TransportFailure);
      await expect(failing).rejects.toMatchObject(expected);
      expect(marks).toBe(marksExpected);
    },
  );

  it('sends nothing when the mark is refused', async () => {
    const world = await open('POST', created);
    const cause = new Error('disk full');
    const failing = world.http.send(
      request(world, 'POST'),
      options({ onSending: () => Promise.reject(cause) }),
    );
    await expect(failing).rejects.toMatchObject({ sent: false, reason: 'journal', cause });
  });

  it('sends nothing when it was interrupted before', async () => {
    const world = await open('POST', created);
    const failing = world.http.send(
      request(world, 'POST'),
      options({ signal: AbortSignal.abort(new Error('SIGINT')) }),
    );
    await expect(failing).rejects.toMatchObject({ sent: false, reason: 'aborted' });
  });
});

describe('the fake http port', () => {
  it('fails on a request that was not expected, and on one that never came', async () => {
    const http = fakeHttp().expect('POST', '/a').expect('GET', '/b');
    const send = (method: 'GET' | 'POST', url: string) =>
      http.send({ method, url, headers: [], body: new Uint8Array() }, options());
    await send('POST', 'https://bank.example/a');
    expect(() => {
      http.verify();
    }).toThrow('never requested: GET /b');
    await expect(send('GET', 'https://bank.example/c')).rejects.toThrow('unexpected request');
    expect(() => {
      http.verify();
    }).toThrow('unexpected request');
  });
});
