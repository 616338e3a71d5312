import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createObkWithKeys } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { Stranger } from '../helpers/stranger.ts';
import type { Customer } from '../helpers/stranger.ts';
import { part, ranTable } from '../helpers/trials.ts';

const customers: readonly Customer[] = [
  { psuId: 'anna', approach: 'REDIRECT', iban: 'DE41500105170123456789', password: 'anna-1', otp: '012345' },
  {
    psuId: 'oscar',
    approach: 'OAUTH',
    iban: 'FR1420041010050500013M02606',
    password: 'oscar-1',
    otp: '23456',
  },
  { psuId: 'Emil 4711', approach: 'EMBEDDED', iban: 'NL91ABNA0417164300', password: 'emil 1', otp: '345678' },
  { psuId: 'dora', approach: 'DECOUPLED', iban: 'AT611904300234573201', password: 'dora-1', otp: '456789' },
];

const bankFile = `people:${customers
  .map(
    ({ psuId, approach, iban, password, otp }) => `
  - psuId: ${psuId}
    password: ${password}
    otp: ${otp}
    approach: ${approach}
    accounts:
      - iban: ${iban}
        balance: 1000.00
        transactions:
          - { bookingDate: 2026-01-02, amount: 1500.00, counterpartyName: Employer }
          - { bookingDate: 2026-01-03, amount: -500.00, counterpartyName: Landlord }`,
  )
  .join('')}
`;

interface Started {
  baseUrl: string;
  httpsBaseUrl: string;
  caPath: string;
  certificatePath: string;
  keyPath: string;
  tlsCertificatePath: string;
  tlsKeyPath: string;
  rsa: { certificatePath: string; keyPath: string; tlsCertificatePath: string; tlsKeyPath: string };
}

let obk: Obk;
const children: ChildProcess[] = [];
beforeAll(async () => {
  obk = await createObkWithKeys();
  writeFileSync(join(obk.folder, 'bank.yaml'), bankFile);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
});
afterAll(() => {
  ranTable('a client of strangers by every door');
  obk.close();
});

async function start(...flags: string[]): Promise<{ bank: Started; stderr: () => string }> {
  const args = ['sandbox', 'start', '--open', '--config', 'bank.yaml', '--port', '0', '--json', ...flags];
  const child = obk.start(args);
  children.push(child);
  let [stdout, stderr] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const bank = await new Promise<Started>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) resolve(JSON.parse(stdout) as Started);
    });
    child.once('close', (code) => {
      reject(new Error(`the bank ended with ${String(code)}: ${stderr}`));
    });
  });
  return { bank, stderr: () => stderr };
}

const text = (path: string) => readFileSync(path, 'utf8');
const pair = ({ certificatePath, keyPath }: Pick<Started, 'certificatePath' | 'keyPath'>) => ({
  cert: text(certificatePath),
  key: text(keyPath),
});
const tls = (files: Pick<Started, 'tlsCertificatePath' | 'tlsKeyPath'>) =>
  pair({ certificatePath: files.tlsCertificatePath, keyPath: files.tlsKeyPath });

const ways: readonly [string, string[], (bank: Started) => Stranger][] = [
  ['http', [], ({ baseUrl }) => new Stranger({ baseUrl, clientId: 'my-own-client' })],
  [
    'https',
    ['--https-port', '0'],
    ({ httpsBaseUrl, caPath }) => new Stranger({ baseUrl: httpsBaseUrl, ca: text(caPath), clientId: 'x' }),
  ],
  [
    'https with client certificate',
    ['--https-port', '0', '--client-certificate', 'required'],
    (bank) => new Stranger({ baseUrl: bank.httpsBaseUrl, ca: text(bank.caPath), tls: tls(bank) }),
  ],
  [
    'https with RSA client certificate',
    ['--https-port', '0', '--client-certificate', 'required'],
    (bank) => new Stranger({ baseUrl: bank.httpsBaseUrl, ca: text(bank.caPath), tls: tls(bank.rsa) }),
  ],
  [
    'RSA signature',
    ['--signature', 'required'],
    (bank) => new Stranger({ baseUrl: bank.baseUrl, seal: pair(bank.rsa) }),
  ],
  [
    'EC signature',
    ['--signature', 'required'],
    (bank) => new Stranger({ baseUrl: bank.baseUrl, seal: pair(bank) }),
  ],
  [
    'http below a path',
    ['--base-path', '/a/bank'],
    ({ baseUrl }) => new Stranger({ baseUrl, clientId: 'my-own-client' }),
  ],
];

describe('a client of strangers', () => {
  it.each(part(ways, 2, 1))(
    'by %s reads accounts and pays by every approach',
    { timeout: 60_000 },
    async (_, flags, clientOf) => {
      const { bank } = await start(...flags);
      const stranger = clientOf(bank);
      for (const customer of customers) {
        const { psuId, iban } = customer;
        const { consentId, token } = await stranger.consent(customer);
        const given = await stranger.status(`/v1/consents/${consentId}/status`, customer, token);
        expect([psuId, given]).toEqual([psuId, { consentStatus: 'valid' }]);
        const { accounts, booked } = await stranger.read(customer, consentId, token);
        expect(accounts.map((account) => account.iban as string)).toEqual([iban]);
        expect(booked.map((entry) => entry.transactionAmount.amount as string)).toEqual(
          expect.arrayContaining(['1500.00', '-500.00']),
        );
        expect([psuId, await stranger.pay(customer, '12.34')]).toEqual([psuId, 'ACSC']);
      }
    },
  );

  it('is refused where it does not show what the bank wants', async () => {
    const { bank } = await start(
      '--https-port',
      '0',
      '--client-certificate',
      'required',
      '--signature',
      'required',
    );
    const [anna] = customers;
    if (anna === undefined) throw new Error('nobody');
    const ca = text(bank.caPath);
    const clients = {
      nothing: new Stranger({ baseUrl: bank.httpsBaseUrl, ca }),
      seal: new Stranger({ baseUrl: bank.httpsBaseUrl, ca, seal: pair(bank) }),
      qwac: new Stranger({ baseUrl: bank.httpsBaseUrl, ca, tls: tls(bank) }),
      'both without TLS': new Stranger({ baseUrl: bank.baseUrl, tls: tls(bank), seal: pair(bank) }),
      both: new Stranger({ baseUrl: bank.httpsBaseUrl, ca, tls: tls(bank), seal: pair(bank.rsa) }),
    };
    const found: Record<string, unknown> = {};
    for (const [name, client] of Object.entries(clients)) {
      const { status, json } = await client.call('GET', '/v1/consents/none-such/status', anna);
      found[name] = [status, json.tppMessages[0].code];
    }
    expect(found).toEqual({
      nothing: [401, 'CERTIFICATE_MISSING'],
      seal: [401, 'CERTIFICATE_MISSING'],
      qwac: [401, 'SIGNATURE_MISSING'],
      'both without TLS': [401, 'CERTIFICATE_MISSING'],
      both: [403, 'CONSENT_UNKNOWN'],
    });
  });
});
