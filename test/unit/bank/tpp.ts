import { createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { presets } from '../../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../../src/standard/xs2a/variants.ts';
import { checkAnswer, checkExchange, hasOfficialFiles } from '../../helpers/contract.ts';
import type { Exchange } from '../../helpers/contract.ts';

/** A small TPP of the tests' own: it signs as the guidelines say, with node:crypto alone. */
export interface TestAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  bytes: Buffer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test says what it expects in it
  json: any;
}

/** What a request has beside method and path; a header that is undefined is left out. */
export interface TestRequest {
  headers?: Readonly<Record<string, string | undefined>>;
  /** Bytes as they are, anything else as JSON. */
  body?: unknown;
  /** Changes the headers after signing. */
  tamper?: (headers: Record<string, string>) => void;
}

export interface Keys {
  certificatePath: string;
  keyPath: string;
}

/** The default keyId: lower-case serial without leading zeros, RFC 2253 issuer, blanks as %20. */
export function keyIdOf(certificate: X509Certificate): string {
  const serial = certificate.serialNumber.toLowerCase().replace(/^0+/, '');
  const issuer = certificate.issuer.split('\n').reverse().join(',').replaceAll(' ', '%20');
  return `SN=${serial},CA=${issuer}`;
}

/** The headers of a signed request. */
export function signedHeaders(
  keys: Keys,
  body: Uint8Array,
  more: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const certificate = new X509Certificate(readFileSync(keys.certificatePath));
  const key = createPrivateKey(readFileSync(keys.keyPath));
  const headers: Record<string, string> = {
    'X-Request-ID': randomUUID(),
    Digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
  };
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) Reflect.deleteProperty(headers, name);
    else headers[name] = value;
  }
  const listed = ['Digest', 'X-Request-ID', 'PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI'].filter(
    (name) => headers[name] !== undefined,
  );
  const signed = listed.map((name) => `${name.toLowerCase()}: ${headers[name] ?? ''}`).join('\n');
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : 'ecdsa-sha256';
  const names = listed.join(' ').toLowerCase();
  const signature = sign('sha256', Buffer.from(signed, 'latin1'), key).toString('base64');
  return {
    ...headers,
    Signature: `keyId="${keyIdOf(certificate)}",algorithm="${algorithm}",headers="${names}",signature="${signature}"`,
    'TPP-Signature-Certificate': certificate.raw.toString('base64'),
  };
}

/** Sends one request over a socket of its own; rejects where no complete answer comes. */
export function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        const isJson = /json$/.test(incoming.headers['content-type'] ?? '');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          bytes,
          json: isJson ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** A TPP that calls the bank at `baseUrl`; PSU-IP-Address is always sent. */
export function tppOf(bank: Keys & { baseUrl: string }) {
  return async (method: string, path: string, options: TestRequest = {}): Promise<TestAnswer> =>
    (await exchanged(bank, method, path, options)).answer;
}

async function exchanged(
  bank: Keys & { baseUrl: string },
  method: string,
  path: string,
  options: TestRequest,
): Promise<{ answer: TestAnswer; exchange: Exchange }> {
  const body = bodyOf(options.body);
  const headers = signedHeaders(bank, body, {
    'PSU-IP-Address': '192.0.2.1',
    ...(options.body !== undefined && { 'Content-Type': 'application/json' }),
    ...options.headers,
  });
  options.tamper?.(headers);
  const answer = await send(bank.baseUrl + path, method, headers, body);
  const exchange = {
    method,
    path,
    requestHeaders: headers,
    requestBody: body,
    status: answer.status,
    responseHeaders: answer.headers as Record<string, string>,
    responseBody: answer.bytes,
  };
  return { answer, exchange };
}

function bodyOf(body: unknown): Uint8Array {
  if (body === undefined) return Buffer.alloc(0);
  return body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
}

/**
 * A TPP whose every exchange is judged by the official files, where they are here: answers always, requests where they
 * succeed.
 */
export function judgedTpp(
  bank: Keys & { baseUrl: string },
  variants: Readonly<Record<'v1' | 'v136', Variant>> = presets,
) {
  return async (method: string, path: string, options: TestRequest = {}): Promise<TestAnswer> => {
    const { answer, exchange } = await exchanged(bank, method, path, options);
    if (hasOfficialFiles()) judge(exchange, variants);
    return answer;
  };
}

function judge(exchange: Exchange, variants: Readonly<Record<'v1' | 'v136', Variant>>): void {
  const { method, path, status, responseBody } = exchange;
  const variant = path.startsWith('/v136/') ? variants.v136 : variants.v1;
  const findings = status < 400 ? checkExchange(variant, exchange) : checkAnswer(variant, exchange);
  if (findings.length === 0) return;
  const text = Buffer.from(responseBody).toString('utf8').slice(0, 500);
  throw new Error(`${method} ${path}: ${JSON.stringify(findings)}\n${text}`);
}

/** The test that each file with a judged TPP has: where the official files are absent, it says that nobody judges. */
export function testJudge(bank: () => Keys & { baseUrl: string }): void {
  it.skipIf(!hasOfficialFiles())('is judged by the official files', async () => {
    const { exchange } = await exchanged(bank(), 'GET', '/v1/consents/unknown/status', {});
    expect(() => {
      judge(exchange, presets);
    }).not.toThrow();
    expect(() => {
      judge({ ...exchange, status: 299 }, presets);
    }).toThrow('299 is not declared');
  });
}

export const creditor = 'DE02120300000000202051';

/** The body of a payment of `amount` EUR from this account. */
export function payment(debtor: string, amount = '12.50') {
  return {
    endToEndIdentification: 'E2E-1',
    debtorAccount: { iban: debtor },
    instructedAmount: { currency: 'EUR', amount },
    creditorAccount: { iban: creditor },
    creditorName: 'Shop',
    remittanceInformationUnstructured: 'Order 1',
  };
}
