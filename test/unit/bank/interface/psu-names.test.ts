import { mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { tppOf } from '../tpp.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-names-'));
const config = join(folder, 'bank.yaml');
writeFileSync(
  config,
  `
scenario: { rateLimit: off, signature: optional, clientCertificate: off }
people:
  - { psuId: Jiří Čapek, approach: EMBEDDED, accounts: [{}] }
  - { psuId: Jürgen, corporateId: Müller & Söhne, approach: EMBEDDED, accounts: [{}] }
`,
);
let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ config, database: join(folder, 'ledger.db') });
});
afterAll(() => bank.close());

const consent = JSON.stringify({
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
});
const others = {
  'Content-Type': 'application/json',
  'X-Request-ID': '11111111-2222-4333-8444-555555555555',
  'PSU-IP-Address': '192.0.2.1',
};
const asBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** The clients that there are, and how each sends a name; what comes back is the answer's status and text. */
type Client = (headers: Readonly<Record<string, string>>) => Promise<[number, string]>;

const byFetch: Client = async (headers) => {
  const answer = await fetch(`${bank.baseUrl}/v1/consents`, { method: 'POST', headers, body: consent });
  return [answer.status, await answer.text()];
};
const byUndici: Client = async (headers) => {
  const answer = await request(`${bank.baseUrl}/v1/consents`, { method: 'POST', headers, body: consent });
  return [answer.statusCode, await answer.body.text()];
};
/** As curl does: the bytes of the command line, which a terminal gives in UTF-8. */
const bySocket: Client = (headers) =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(`${bank.baseUrl}/v1/consents`);
    const lines = Object.entries({ ...headers, Host: `${hostname}:${port}`, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const head = `POST ${pathname} HTTP/1.1\r\n${lines.join('')}Content-Length: ${String(consent.length)}\r\n\r\n`;
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(head + consent, 'utf8')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve([Number(text.slice(9, 12)), text]);
    });
  });

describe('a PSU-ID beyond ASCII', () => {
  const jiri = 'Jiří Čapek';
  const cases: readonly [string, Client, Record<string, string>][] = [
    ['fetch, bytes of UTF-8', byFetch, { 'PSU-ID': asBytes(jiri) }],
    ['undici, bytes of UTF-8', byUndici, { 'PSU-ID': asBytes(jiri) }],
    ['curl', bySocket, { 'PSU-ID': jiri }],
    ['a client of ASCII alone (RFC 8187)', byFetch, { 'PSU-ID': "UTF-8''Ji%C5%99%C3%AD%20%C4%8Capek" }],
    ['fetch, ISO 8859-1', byFetch, { 'PSU-ID': 'Jürgen', 'PSU-Corporate-ID': 'Müller & Söhne' }],
    ['undici, ISO 8859-1', byUndici, { 'PSU-ID': 'Jürgen', 'PSU-Corporate-ID': 'Müller & Söhne' }],
    ['curl, with a company', bySocket, { 'PSU-ID': 'Jürgen', 'PSU-Corporate-ID': 'Müller & Söhne' }],
  ];
  it.each(cases)('is read from %s', async (_, client, names) => {
    const [status, text] = await client({ ...others, 'X-Request-ID': crypto.randomUUID(), ...names });
    expect(status, text).toBe(201);
    expect(text).toContain('startAuthorisationWithPsuAuthentication');
  });

  it('is judged without a finding, and refused where no customer has it', async () => {
    const [status, text] = await byFetch({ ...others, 'PSU-ID': asBytes('Jiří') });
    expect(status, text).toBe(401);
    expect(text).toContain('PSU_CREDENTIALS_INVALID');
    for (const { verdict, findings } of await bank.bank.log(0))
      if (verdict === 'accepted') expect(findings).toEqual([]);
  });

  it('is signed byte by byte', async () => {
    const call = tppOf(bank);
    const headers = { 'PSU-ID': asBytes(jiri), 'PSU-IP-Address': '192.0.2.1' };
    const right = await call('POST', '/v1/consents', { body: Buffer.from(consent), headers });
    expect(right.status, right.text).toBe(201);
    const wrong = await call('POST', '/v1/consents', {
      body: Buffer.from(consent),
      headers,
      tamper: (sent) => {
        sent['PSU-ID'] = "UTF-8''Ji%C5%99%C3%AD%20%C4%8Capek";
      },
    });
    expect(wrong.status, wrong.text).toBe(401);
  });
});
