import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createObk } from '../helpers/obk.ts';
import type { Ran } from '../helpers/obk.ts';
import { trials } from '../helpers/trials.ts';

const row = trials('20', 1);
// The bank and its OAuth server in one: counts refreshes, takes each refresh token once, and only the newest token.
let refreshes = 0;
const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/token') {
      refreshes += 1;
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      response.statusCode = form.get('refresh_token') === `refresh-canary-${refreshes}` ? 200 : 400;
      const granted = { access_token: 'access-canary-2', token_type: 'Bearer', expires_in: 600 };
      response.end(JSON.stringify({ ...granted, refresh_token: 'refresh-canary-next' }));
      return;
    }
    seen.push(request.headers.authorization);
    response.setHeader('X-Request-ID', request.headers['x-request-id'] ?? '');
    response.end('{"accounts":[]}');
  });
});
const obk = createObk();
afterAll(() => {
  obk.close();
  server.close();
});

describe('eight processes whose token has ended', () => {
  it('make one refresh, and all go on with the new token', { timeout: row.timeout(20_000) }, async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout } = await obk.run(['whoami', '--profile', 'sandbox', '--json']);
    expect(code).toBe(0);
    const { settings, credentials } = JSON.parse(stdout) as Record<string, string>;
    mkdirSync(join(settings!, '..'), { recursive: true, mode: 0o700 });
    const profile = {
      ...{ environment: 'test', baseUrl: base, framework: '1.3.2', prefix: '/v1', surface: 'service' },
      ...{ signing: { mode: 'none' }, psu: { id: 'anna' } },
    };
    const token = {
      ...{ psuId: 'anna', token: 'access-canary-1', refreshToken: 'refresh-canary-1' },
      expiresAt: new Date(Date.now() - 1000).toISOString(),
      server: { issuer: base, tokenEndpoint: `${base}/token`, clientId: 'tpp' },
    };
    const write = (path: string, acme: object) => {
      writeFileSync(path, JSON.stringify({ schemaVersion: 1, profiles: { acme } }), { mode: 0o600 });
    };
    write(settings!, profile);
    const args = ['api', 'GET', 'v1/accounts', '-H', 'Consent-ID: c-1', '--profile', 'acme', '-vvv'];
    const ran: Ran[] = [];
    for (let round = 1; round <= row.count; round += 1) {
      write(credentials!, { tokens: [{ ...token, refreshToken: `refresh-canary-${round}` }] });
      seen.length = 0;
      ran.push(...(await Promise.all(Array.from({ length: 8 }, () => obk.run(args)))));
      expect(ran.slice(-8).map(({ code, stderr }) => ({ code, stderr: code === 0 ? '' : stderr }))).toEqual(
        Array.from({ length: 8 }, () => ({ code: 0, stderr: '' })),
      );
      expect(refreshes).toBe(round);
      expect(seen).toEqual(Array.from({ length: 8 }, () => 'Bearer access-canary-2'));
    }
    row.report(`1 refresh in each, ${ran.length} successes`);
    expect(readFileSync(credentials!, 'utf8')).toContain('refresh-canary-next');

    const status = await obk.run(['auth', 'status', '--profile', 'acme', '--json']);
    expect(status.code).toBe(0);
    const log = await obk.run(['log', 'show', '@last', '-vvv', '--profile', 'acme']);
    const shown = JSON.stringify([ran, status, log]);
    expect(shown).not.toMatch(/(access|refresh)-canary/);
    expect(shown).toContain('refresh_token=[secret]');

    expect((await obk.run(['auth', 'logout', '--profile', 'acme'])).code).toBe(0);
    for (const path of [credentials!, `${credentials!}.bak`])
      expect(readFileSync(path, 'utf8')).not.toContain('canary');
  });
});
