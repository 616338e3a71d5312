import { defined } from '../../base/defined.ts';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { ownTpp } from '../trust/own-tpp.ts';

/** The sandbox's key files, all with mode 0600. */
export interface KeyFiles {
  /** The bank's own test authority, and the key with which it issues further certificates. */
  ca: string;
  caKey: string;
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
const rsaOf = (folder: string) => `${folder}-rsa`;

const validDays = 3650;
const dayMs = 86_400_000;

function filesIn(folder: string): KeyFiles {
  return {
    ca: join(folder, 'ca.pem'),
    caKey: join(folder, 'ca-key.pem'),
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

/** The QSealC and the QWAC of the TPP of the profile `sandbox` with RSA keys. */
export type RsaFiles = Pick<KeyFiles, 'certificate' | 'key' | 'tlsCertificate' | 'tlsKey'>;

/** Makes the key files where they are missing; of two processes the first one's stay. */
export async function ensureKeys(sandboxFolder: string, now: Date): Promise<KeyFiles> {
  const folder = join(sandboxFolder, keysFolder);
  await ensureFolder(folder, (fresh) => makeKeys(filesIn(fresh), now));
  return filesIn(folder);
}

/** The same TPP with RSA keys, made when somebody starts the bank to look at it: they take long to make. */
export async function ensureRsaKeys(sandboxFolder: string, files: KeyFiles, now: Date): Promise<RsaFiles> {
  const folder = join(sandboxFolder, rsaOf(keysFolder));
  await ensureFolder(folder, (fresh) => makeRsaKeys(files, filesIn(fresh), now));
  return filesIn(folder);
}

async function ensureFolder(folder: string, make: (fresh: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  const fresh = `${folder}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  try {
    await make(fresh);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

async function makeKeys(files: KeyFiles, now: Date): Promise<void> {
  // Heavy, and needed once: EC keys, so that the first start stays fast.
  const { createServerCertificate, createTestCa, createTestCertificate } =
    await import('../../signing/certificate.ts');
  const issue = { keyType: 'ec', ...validFrom(now) } as const;
  const ca = await createTestCa(issue);
  const server = await createServerCertificate({ ...issue, ca });
  const tpp = { ...issue, ...ownIdentity, ca };
  const seal = await createTestCertificate({ ...tpp, type: 'qsealc' });
  const over = { notBefore: new Date(now.getTime() - 30 * dayMs), notAfter: new Date(now.getTime() - dayMs) };
  const expired = await createTestCertificate({ ...tpp, ...over, type: 'qsealc' });
  const qwac = await createTestCertificate({ ...tpp, type: 'qwac', dnsNames: ['localhost'] });
  write(files.ca, ca.certificatePem);
  write(files.caKey, ca.keyPem);
  write(files.serverCertificate, server.certificatePem);
  write(files.serverKey, server.keyPem);
  write(files.certificate, seal.certificatePem);
  write(files.key, seal.keyPem);
  write(files.expired, expired.certificatePem);
  write(files.expiredKey, expired.keyPem);
  write(files.tlsCertificate, qwac.certificatePem);
  write(files.tlsKey, qwac.keyPem);
}

async function makeRsaKeys(files: KeyFiles, made: RsaFiles, now: Date): Promise<void> {
  const { createTestCertificate } = await import('../../signing/certificate.ts');
  const tpp = { ...validFrom(now), ...ownIdentity, ca: authorityIn(files), keyType: 'rsa' } as const;
  const [seal, qwac] = await Promise.all([
    createTestCertificate({ ...tpp, type: 'qsealc' }),
    createTestCertificate({ ...tpp, type: 'qwac', dnsNames: ['localhost'] }),
  ]);
  write(made.certificate, seal.certificatePem);
  write(made.key, seal.keyPem);
  write(made.tlsCertificate, qwac.certificatePem);
  write(made.tlsKey, qwac.keyPem);
}

/** Certificate and key of the https listener where it is known by further names. */
export async function identityFor(
  files: KeyFiles,
  names: readonly string[],
  now: Date,
): Promise<{ cert: string; key: string }> {
  if (names.length === 0) return serverIdentity(files);
  const { createServerCertificate } = await import('../../signing/certificate.ts');
  const addresses = names.map((name) => name.replace(/^\[(.*)\]$/, '$1'));
  const { certificatePem, keyPem } = await createServerCertificate({
    keyType: 'ec',
    ...validFrom(now),
    ca: authorityIn(files),
    dnsNames: [...new Set(['localhost', ...addresses.filter((name) => isIP(name) === 0)])],
    ipAddresses: [...new Set(['127.0.0.1', '::1', ...addresses.filter((name) => isIP(name) !== 0)])],
  });
  return { cert: certificatePem, key: keyPem.reveal() };
}

const authorityIn = ({ ca, caKey }: KeyFiles) => ({
  certificatePem: readFileSync(ca, 'utf8'),
  keyPem: new Secret(readFileSync(caKey, 'utf8')),
});

const validFrom = (now: Date) => ({
  notBefore: new Date(now.getTime() - dayMs),
  notAfter: new Date(now.getTime() + validDays * dayMs),
});

const ownIdentity = {
  roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
  organizationIdentifier: ownTpp,
  organizationName: 'obk test TPP',
  ncaName: 'Bundesanstalt fuer Finanzdienstleistungsaufsicht',
  ncaId: 'DE-BAFIN',
} as const;

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

/**
 * The authorities whose certificates the bank takes, and certificates that it takes as they are: its own authority, what stands
 * in `trusted.pem` if that file is there, and the files of `--trust`. Throws CERTIFICATE_FILE.
 */
export function trustedAuthorities(
  sandboxFolder: string,
  files: KeyFiles,
  given: readonly string[] = [],
  from: (path: string) => string = () => '--trust',
): X509Certificate[] {
  const more = join(sandboxFolder, 'trusted.pem');
  const usual = [files.ca, ...(existsSync(more) ? [more] : [])];
  return [
    ...usual.flatMap((path) => certificatesOf(readFileSync(path, 'utf8'))),
    ...given.flatMap((path) => certificatesIn(path, from(path))),
  ];
}

/** The certificates with which the profile `sandbox` signs, which the bank need not be shown. */
export function ownSeals({ certificate, expired }: KeyFiles): X509Certificate[] {
  const rsa = filesIn(rsaOf(dirname(certificate)));
  return [certificate, expired, rsa.certificate]
    .filter((path) => existsSync(path))
    .flatMap((path) => certificatesOf(readFileSync(path, 'utf8')));
}

const certificatesOf = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (block) => new X509Certificate(block),
  );

function certificatesIn(path: string, from: string): X509Certificate[] {
  const wrong = (why: string, cause?: unknown) =>
    new ObkError({
      code: 'CERTIFICATE_FILE',
      title: `${from} names a file without certificates that can be read.`,
      detail: `${path}: ${why}`,
      hint: [
        'obk cert create --type qsealc --org-id PSDDE-BAFIN-123456   # makes certificates and their authority',
      ],
      ...defined({ cause }),
    });
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    throw wrong(cause instanceof Error ? cause.message : String(cause), cause);
  }
  try {
    const found = certificatesOf(pem);
    if (found.length > 0) return found;
  } catch (cause) {
    throw wrong('a certificate in it is damaged.', cause);
  }
  throw wrong('it holds no certificate in PEM (-----BEGIN CERTIFICATE-----).');
}
