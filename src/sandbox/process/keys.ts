import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Secret } from '../../secret.ts';
import { ownTpp } from '../trust/own-tpp.ts';

/** The sandbox's key files, all with mode 0600. */
export interface KeyFiles {
  /** The bank's own test authority. */
  ca: string;
  /** The QSealC of the profile `sandbox` with its key. */
  certificate: string;
  key: string;
  /** Another one of the same TPP that has expired, to be refused. */
  expired: string;
  expiredKey: string;
  /** The QWAC of the profile `sandbox` with its key. */
  tlsCertificate: string;
  tlsKey: string;
  /** Certificate and key of the https listener. */
  serverCertificate: string;
  serverKey: string;
}

/** Another name whenever the files in it change: those of an earlier obk stay as they are. */
const keysFolder = 'keys-4';

const validDays = 3650;
const dayMs = 86_400_000;

function filesIn(folder: string): KeyFiles {
  return {
    ca: join(folder, 'ca.pem'),
    certificate: join(folder, 'tpp.pem'),
    key: join(folder, 'tpp-key.pem'),
    expired: join(folder, 'expired.pem'),
    expiredKey: join(folder, 'expired-key.pem'),
    tlsCertificate: join(folder, 'tpp-tls.pem'),
    tlsKey: join(folder, 'tpp-tls-key.pem'),
    serverCertificate: join(folder, 'server.pem'),
    serverKey: join(folder, 'server-key.pem'),
  };
}

/** Makes the key files where they are missing; of two processes the first one's stay. */
export async function ensureKeys(sandboxFolder: string, now: Date): Promise<KeyFiles> {
  const folder = join(sandboxFolder, keysFolder);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { mode: 0o700 });
    try {
      await makeKeys(filesIn(fresh), now);
      renameSync(fresh, folder);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return filesIn(folder);
}

async function makeKeys(files: KeyFiles, now: Date): Promise<void> {
  // Heavy, and needed once: EC keys, so that the first start stays fast.
  const { createServerCertificate, createTestCa, createTestCertificate } =
    await import('../../signing/certificate.ts');
  const issue = {
    keyType: 'ec',
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + validDays * dayMs),
  } as const;
  const ca = await createTestCa(issue);
  const server = await createServerCertificate({ ...issue, ca });
  const tpp = {
    ...issue,
    ca,
    roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
    organizationIdentifier: ownTpp,
    organizationName: 'obk test TPP',
    ncaName: 'Bundesanstalt fuer Finanzdienstleistungsaufsicht',
    ncaId: 'DE-BAFIN',
  } as const;
  const seal = await createTestCertificate({ ...tpp, type: 'qsealc' });
  const over = { notBefore: new Date(now.getTime() - 30 * dayMs), notAfter: new Date(now.getTime() - dayMs) };
  const expired = await createTestCertificate({ ...tpp, ...over, type: 'qsealc' });
  const qwac = await createTestCertificate({ ...tpp, type: 'qwac' });
  write(files.ca, ca.certificatePem);
  write(files.serverCertificate, server.certificatePem);
  write(files.serverKey, server.keyPem);
  write(files.certificate, seal.certificatePem);
  write(files.key, seal.keyPem);
  write(files.expired, expired.certificatePem);
  write(files.expiredKey, expired.keyPem);
  write(files.tlsCertificate, qwac.certificatePem);
  write(files.tlsKey, qwac.keyPem);
}

function write(path: string, content: string | Secret): void {
  writeFileSync(path, content instanceof Secret ? content.reveal() : content, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
}

/** Certificate and key of the https listener, which the bank also shows where it is the client. */
export function serverIdentity(files: KeyFiles): { cert: string; key: string } {
  return { cert: readFileSync(files.serverCertificate, 'utf8'), key: readFileSync(files.serverKey, 'utf8') };
}

/** The authorities whose certificates the bank takes: its own, and those of `trusted.pem` if that file is there. */
export function trustedAuthorities(sandboxFolder: string, files: KeyFiles): X509Certificate[] {
  const more = join(sandboxFolder, 'trusted.pem');
  const pems = readFileSync(files.ca, 'utf8') + (existsSync(more) ? readFileSync(more, 'utf8') : '');
  const blocks = pems.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((pem) => new X509Certificate(pem));
}
