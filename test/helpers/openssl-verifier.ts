import type { RawRequest } from './wire-tap.ts';
import { execFileSync } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const openssl = (args: readonly string[], input?: Buffer) =>
  execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'ignore'] });

const conditional = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'];

/** What openssl tells of a certificate. */
interface Told {
  publicKey: string;
  serial: bigint;
  commonName: string;
  algorithm: string;
}

const told = new Map<string, Told>();

function tell(base64: string): Told {
  const known = told.get(base64);
  if (known !== undefined) return known;
  const x509 = (...args: string[]) =>
    openssl(['x509', '-inform', 'DER', '-noout', ...args], Buffer.from(base64, 'base64')).toString();
  const made = {
    publicKey: x509('-pubkey'),
    serial: BigInt(`0x${x509('-serial').trim().replace('serial=', '')}`),
    commonName: /CN=([^,\n]+)/.exec(x509('-issuer', '-nameopt', 'RFC2253'))?.[1] ?? 'none',
    algorithm: /id-ecPublicKey/.test(x509('-text')) ? 'ecdsa-sha256' : 'rsa-sha256',
  };
  told.set(base64, made);
  return made;
}

/** The two things that cost a process each, by openssl or by another implementation that is not ours. */
interface Oracle {
  digest(body: Buffer): string;
  verifies(text: string, signature: Buffer, publicKey: string): boolean;
}

const byOpenssl: Oracle = {
  digest: (body) => openssl(['dgst', '-sha256', '-binary'], body).toString('base64'),
  verifies(text, signature, publicKey) {
    const folder = mkdtempSync(join(tmpdir(), 'obk-openssl-'));
    const [key, signed] = [join(folder, 'key.pem'), join(folder, 'signature')];
    writeFileSync(key, publicKey);
    writeFileSync(signed, signature);
    try {
      openssl(['dgst', '-sha256', '-verify', key, '-signature', signed], Buffer.from(text));
      return true;
    } catch {
      return false;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const byNode: Oracle = {
  digest: (body) => createHash('sha256').update(body).digest('base64'),
  verifies: (text, signature, publicKey) => verify('sha256', Buffer.from(text), publicKey, signature),
};

/**
 * What is wrong with the signature of a request, by section 12 of the guidelines (since the errata, SHA-256); nothing of
 * obk takes part.
 */
export function signatureFaults({ headers, body }: RawRequest, how: 'openssl' | 'node'): string[] {
  const oracle = how === 'openssl' ? byOpenssl : byNode;
  const all = (name: string) => headers.filter(([other]) => other === name).map(([, value]) => value);
  const faults: string[] = [];
  const one = (name: string) => {
    const values = all(name);
    if (values.length !== 1) faults.push(`${name} stands there ${String(values.length)} times`);
    return values[0] ?? '';
  };
  const fault = (text: string, found: boolean) => {
    if (found) faults.push(text);
  };
  fault('the Digest is not that of the body', one('digest') !== `SHA-256=${oracle.digest(body)}`);
  const certificate = tell(one('tpp-signature-certificate'));
  const [, serial = '0', issuer = '', algorithm = '', names = '', signature = ''] =
    /^keyId="SN=([0-9a-f]+),CA=([^"]+)",algorithm="([^"]*)",headers="([^"]*)",signature="([A-Za-z0-9+/]+=*)"$/.exec(
      one('signature'),
    ) ?? [];
  fault(`keyId has the serial ${serial}`, BigInt(`0x${serial}`) !== certificate.serial);
  fault(
    `keyId has the issuer ${issuer}`,
    !decodeURIComponent(issuer).includes(`CN=${certificate.commonName}`),
  );
  fault(`the algorithm is ${algorithm}`, algorithm !== certificate.algorithm);
  const due = ['digest', 'x-request-id', ...conditional.filter((name) => all(name).length > 0)].join(' ');
  fault(`signed are ${names}, not ${due}`, names !== due);
  const text = names
    .split(' ')
    .map((name) => `${name}: ${one(name)}`)
    .join('\n');
  const good = oracle.verifies(text, Buffer.from(signature, 'base64'), certificate.publicKey);
  fault('the signature does not verify', !good);
  return faults;
}
