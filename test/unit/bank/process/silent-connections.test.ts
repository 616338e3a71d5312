import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../../src/bank/process/server.ts';
import type { Listening } from '../../../../src/bank/process/server.ts';
import { makeCertificate } from '../../../helpers/tls.ts';

const limits = { silentMs: 400, headersMs: 100, requestMs: 200 };

describe.each(['http', 'https'])('a connection to the bank over %s', (scheme) => {
  let bank: Listening;
  let endless: ServerResponse | undefined;
  beforeAll(async () => {
    const own = await makeCertificate({ subject: 'bank', names: ['127.0.0.1'] });
    const tls = { cert: own.certificate, key: own.key, requestCert: true };
    bank = await listen(
      (incoming, outgoing) => {
        const more = () => {
          while (outgoing.write('x'.repeat(100_000)));
        };
        if (incoming.url === '/endless') (endless = outgoing).on('drain', more).write('x', more);
        else incoming.resume().once('end', () => outgoing.end('whole'));
      },
      { port: 0, keepAlive: true, limits, ...(scheme === 'https' && { tls }) },
    );
  });
  afterAll(() => bank.close(0));

  const open = async (): Promise<Socket> => {
    const where = { host: '127.0.0.1', port: bank.port };
    if (scheme === 'http') return connect(where);
    const socket = connectTls({ ...where, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return socket;
  };

  /** What comes back until the bank cuts; `say` gives one more piece each time. */
  async function cut(socket: Socket, say?: (time: number) => string): Promise<string> {
    let text = '';
    let time = 0;
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', () => undefined);
    const drip = say && setInterval(() => socket.writable && socket.write(say(time++)), 20);
    await once(socket, 'close');
    clearInterval(drip);
    return text;
  }

  it('is cut where nothing is sent on it', async () => {
    expect(await cut(await open())).not.toContain(' 200 ');
  });

  it('is cut where nobody reads its answer', async () => {
    const socket = await open();
    socket
      .on('error', () => undefined)
      .pause()
      .write('GET /endless HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await expect.poll(() => endless?.destroyed, { timeout: 8000 }).toBe(true);
    expect(endless?.writableFinished).toBe(false);
    socket.destroy();
  });

  it('is cut where it never gets to TLS, or to a request', async () => {
    expect(await cut(connect({ host: '127.0.0.1', port: bank.port }))).not.toContain(' 200 ');
  });

  it('is cut where a head arrives letter by letter', async () => {
    const head = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ';
    expect(await cut(await open(), (time) => head[time] ?? 'x')).not.toContain(' 200 ');
  });

  it('is cut where a body arrives letter by letter', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n';
    expect(await cut(await open(), (time) => (time === 0 ? head : 'x'))).not.toContain(' 200 ');
  });

  it('is cut where it has its answer and sends nothing more', async () => {
    const socket = await open();
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n');
    expect(await cut(socket)).toContain('whole');
  });

  it('holds nobody: the bank is idle again', async () => {
    await Promise.all([cut(await open()), cut(await open(), () => 'x')]);
    await bank.idle(100);
  });
});
