import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { ObkError } from '../../base/errors.ts';
import { defined } from '../../base/defined.ts';
import type { BankAddress } from '../door.ts';
import type { Secret } from '../../base/secret.ts';
import { tenantKey, tenantPath } from '../../base/profile-name.ts';
import type { Remote } from './addressed.ts';
import { controlPath, originOf, readAddress } from '../home/bank-address.ts';
import type { BankHome } from '../home/bank-home.ts';
import { describe } from '../home/describe.ts';
import type { ControlRequest } from '../control/by-command.ts';
import { refusalOf } from '../control/problem.ts';
import type { KeyFiles } from '../home/keys.ts';

/** A request to what steers a bank; `ca` is the file with the authorities of an https address besides those of the machine. */
export interface Asking {
  headers?: Readonly<Record<string, string>>;
  body?: string;
  ca?: string;
}

const silentMs = 30_000;
const longest = 256 * 1024 * 1024;

/** Sends one request below the URL of a bank and returns the whole answer. Throws SANDBOX_UNAVAILABLE where none comes. */
async function askBank(
  bank: string,
  method: string,
  path: string,
  { headers = {}, body, ca }: Asking,
): Promise<{ status: number; text: string }> {
  const options: RequestOptions = { method, agent: false, timeout: silentMs, headers };
  const url = new URL(bank + path);
  const send = url.protocol === 'http:' ? request : await secureRequest(ca);
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => {
      reject(unreachable(bank, cause));
    };
    const outgoing = send(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > longest) outgoing.destroy(new Error('the answer is too long'));
      });
      incoming.on('error', failed);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('it says nothing')));
    outgoing.on('error', failed);
    outgoing.end(body);
  });
}

/** As `request` of http; trusts the authorities of the file besides those of Node. Throws CERTIFICATE_FILE. */
async function secureRequest(
  file: string | undefined,
): Promise<(to: URL, how: RequestOptions, done: (incoming: IncomingMessage) => void) => ClientRequest> {
  const [{ request: secure }, { rootCertificates }] = await Promise.all([
    import('node:https'),
    import('node:tls'),
  ]);
  if (file === undefined) return secure;
  try {
    const given = readFileSync(file, 'utf8');
    // TLS passes over in silence what it cannot read.
    new X509Certificate(given);
    return (to, how, done) => secure(to, { ...how, ca: [...rootCertificates, given] }, done);
  } catch (cause) {
    throw new ObkError({
      code: 'CERTIFICATE_FILE',
      title: 'The CA certificates of the bank elsewhere cannot be read.',
      detail: `${file}: ${(cause as Error).message}.`,
      hint: ['--ca FILE or OBK_SANDBOX_CA=FILE   # `caPath` of its `sandbox start --json`'],
      cause,
    });
  }
}

/** What OpenSSL and Node say of a certificate that they do not trust. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ALTNAME/;

function unreachable(bank: string, cause: NodeJS.ErrnoException): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: `The bank at ${bank} does not answer.`,
    detail: `${cause.message}.`,
    hint: [
      ...(untrusted.test(cause.code ?? '')
        ? ['--ca FILE or OBK_SANDBOX_CA=FILE   # `caPath` of its `sandbox start --json`']
        : []),
      'obk sandbox status',
    ],
    cause,
  });
}

/** The path below which a tenant is made, deleted and steered. */
export const tenantOperation = (name: string): string => `/tenants/${encodeURIComponent(name)}`;

/**
 * Sends a request to the control API of a bank that runs in another process, and returns the body of the answer. Throws
 * SANDBOX_UNAVAILABLE where it does not answer, USAGE for a wrong token and for what the bank refuses.
 */
export async function askControl(
  bank: Remote,
  { method, path, body, isJson }: ControlRequest,
): Promise<unknown> {
  const token = bank.where === 'here' ? bank.house.claim().token() : bank.token.reveal();
  const { status, text } = await askBank(urlOf(bank), method, controlPath + path, {
    ...secureOf(bank),
    headers: {
      Authorization: `Bearer ${token ?? ''}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (status < 300) {
    if (text === '') return undefined;
    try {
      return isJson ? JSON.parse(text) : text;
    } catch {
      throw noBank(bank, 'Its answer is none of a control API.');
    }
  }
  if (status === 400 || status === 404 || status === 409) throw refusalIn(text) ?? lacks(bank, status);
  throw notSteered(bank, status);
}

/** The refusal of a control API; undefined for what is none, such as the page of another server. */
function refusalIn(text: string): ObkError | undefined {
  try {
    const { title, detail, next } = JSON.parse(text) as Partial<Record<'title' | 'detail' | 'next', unknown>>;
    if (typeof title !== 'string') return undefined;
    const steps = [next].flat().filter((one) => typeof one === 'string');
    return refusalOf({ title, detail: typeof detail === 'string' ? detail : '', next: steps });
  } catch {
    return undefined;
  }
}

const lacks = (bank: Remote, status: number): ObkError => noBank(bank, `It answered ${String(status)}.`);

function noBank(bank: Remote, detail: string): ObkError {
  return new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: `No control API of a bank answers at ${urlOf(bank)}${controlPath}.`,
    detail,
    hint: ['--at URL   # `baseUrl` of its `sandbox start --json`'],
  });
}

/** The public key for encrypted passwords of a bank that runs in another process. */
export async function passwordKeyOf(
  bank: Remote,
  tenant: string | undefined,
  accessKey: Secret | undefined,
): Promise<string> {
  const before = tenant === undefined ? '' : tenantPath(tenantKey(tenant));
  const path = `${before}/sandbox/password-key`;
  const { status, text } = await askBank(urlOf(bank), 'GET', path, {
    ...secureOf(bank),
    ...(accessKey !== undefined && { headers: { 'X-Access-Key': accessKey.reveal() } }),
  });
  if (status === 200) return text;
  throw notSteered(bank, status);
}

/** Where a bank that was addressed answers; the TPP is that of this home. */
export function describeAddressed(house: BankHome, keys: KeyFiles, bank: Remote): BankAddress {
  const own = describe(house, keys, false);
  if (bank.where === 'elsewhere')
    return {
      ...own,
      baseUrl: bank.url,
      formerOrigins: [],
      ...defined({ caPath: bank.ca }),
    };
  const { formerOrigins } = readAddress(bank.house.path);
  return { ...own, baseUrl: bank.running.baseUrl, formerOrigins };
}

/** The certificates that a bank elsewhere is trusted by, besides those that the machine trusts. */
function secureOf(bank: Remote): { ca?: string } {
  return bank.where === 'elsewhere' && bank.ca !== undefined ? { ca: bank.ca } : {};
}

function urlOf(bank: Remote): string {
  if (bank.where === 'elsewhere') return bank.url;
  return originOf(readAddress(bank.house.path).port ?? 0);
}

function notSteered(bank: Remote, status: number): ObkError {
  const denied = status === 401;
  return new ObkError({
    code: denied ? 'USAGE' : 'SANDBOX_UNAVAILABLE',
    title: denied
      ? `The bank at ${urlOf(bank)} does not take the token.`
      : `The bank at ${urlOf(bank)} answered ${String(status)}.`,
    hint: denied ? ['OBK_SANDBOX_TOKEN_FROM=file:PATH   # `sandbox start --json` names the file'] : [],
  });
}

/** The bank with what tells its ledger from an earlier one at the same place; as it was where the bank does not say that. */
export async function withLedger(bank: BankAddress): Promise<BankAddress> {
  const { baseUrl, caPath, tenantHeader } = bank;
  const whose = tenantHeader === undefined ? '' : `&tenant=${encodeURIComponent(tenantHeader.value)}`;
  const secure = baseUrl.startsWith('https:') ? { ca: caPath } : {};
  try {
    const { text } = await askBank(baseUrl, 'GET', `/sandbox/identity?nonce=${whose}`, secure);
    const { ledger } = JSON.parse(text) as { ledger?: unknown };
    return typeof ledger === 'string' ? { ...bank, ledger } : bank;
  } catch {
    // The call for which the bank is wanted tells what is wrong.
    return bank;
  }
}
