import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import type { KeyChoice } from '../../../../src/signing/certificate.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment } from '../tpp.ts';

/** What a test leaves to be cleaned up after it. */
export const cleanup: (() => unknown)[] = [];

/** Cleans up after each test of the file. */
export function useCleanup(): void {
  afterEach(async () => {
    for (const clean of cleanup.splice(0).reverse()) await clean();
  });
}

/** A bank of one test. */
export async function started(options: Parameters<typeof startBank>[0] = {}): Promise<TestBank> {
  const bank = await startBank(options);
  cleanup.push(() => bank.close());
  return bank;
}

/** A folder of one test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'obk-doors-'));
  cleanup.push(() => {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  });
  return path;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: object;
  /** The files of a client certificate. */
  cert?: string;
  key?: string;
  ca?: string;
  servername?: string;
}

/** A request of somebody who shows nothing but what the test says. */
export function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, ca, cert, key, servername } = asked;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false,
      headers: {
        'X-Request-ID': randomUUID(),
        'PSU-IP-Address': '192.0.2.1',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    } as const;
    const tls = {
      ...(ca !== undefined && { ca: readFileSync(ca) }),
      ...(cert !== undefined && { cert: readFileSync(cert) }),
      ...(key !== undefined && { key: readFileSync(key) }),
      ...(servername !== undefined && { servername }),
    };
    const outgoing = url.startsWith('https:') ? secure(url, { ...options, ...tls }) : plain(url, options);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const path = '/v1/payments/sepa-credit-transfers';
export const codeOf = ({ status, text }: Answer) => [
  status,
  text.startsWith('{')
    ? (JSON.parse(text) as { tppMessages?: { code: string }[] }).tppMessages?.[0]?.code
    : undefined,
];
export const debtorOf = (bank: TestBank, psuId = 'redirect') => bank.person(psuId).accounts[0]?.iban ?? '';
export const pay = (base: string, bank: TestBank, asked: Asked = {}) =>
  ask(base + path, {
    method: 'POST',
    body: payment(debtorOf(bank)),
    ...asked,
    headers: { 'TPP-Redirect-URI': 'https://tpp.example/cb', ...asked.headers },
  });
export const linksOf = ({ text }: Answer) => {
  const { _links } = JSON.parse(text) as { _links: Record<string, { href: string }> };
  return Object.fromEntries(Object.entries(_links).map(([name, { href }]) => [name, href]));
};

/** An address of this machine that is not loopback. */
export function otherAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
}

/** The files of another TPP. */
export interface Made {
  ca: string;
  seal: string;
  sealKey: string;
  qwac: string;
  qwacKey: string;
}

/** Certificates of another TPP by an authority of its own, one pair for each choice of a key. */
export async function certificates(into: string, choices: readonly KeyChoice[]): Promise<Made[]> {
  const valid = { notBefore: new Date(Date.now() - 86_400_000), notAfter: new Date(Date.now() + 86_400_000) };
  return Promise.all(
    choices.map(async (choice, index) => {
      const issuer = await createTestCa({ ...valid, ...choice });
      const tpp = {
        ...valid,
        ...choice,
        ca: issuer,
        roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
        organizationIdentifier: `PSDFR-ACPR-1234${index}`,
        organizationName: 'Another TPP',
        ncaName: 'ACPR',
        ncaId: 'FR-ACPR',
      } as const;
      const seal = await createTestCertificate({ ...tpp, type: 'qsealc' });
      const qwac = await createTestCertificate({ ...tpp, type: 'qwac' });
      const write = (name: string, text: string) => {
        const file = join(into, `${index}-${name}.pem`);
        writeFileSync(file, text, { mode: 0o600 });
        return file;
      };
      return {
        ca: write('ca', issuer.certificatePem),
        seal: write('seal', seal.certificatePem),
        sealKey: write('seal-key', seal.keyPem.reveal()),
        qwac: write('qwac', qwac.certificatePem),
        qwacKey: write('qwac-key', qwac.keyPem.reveal()),
      };
    }),
  );
}
