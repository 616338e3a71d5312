import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { isFailure, ObkError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { Secret } from '../../base/secret.ts';
import { certificateFormat, readCertificateFile } from '../../signing/certificate-file.ts';
import { mayNotSign } from '../../signing/certificate-chain.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import type { CertificateReport } from '../../signing/certificate-report.ts';
import { isReversed } from '../../signing/chain-order.ts';
import { certificateText, keyText } from '../../signing/file-text.ts';
import { checkDates, keyFits, readCertificate, weakness } from '../../signing/material.ts';
import { certificatePem, certificatesIn, holdsKey, isEncrypted } from '../../signing/pem.ts';
import type { CertificateUse } from './read-certificates.ts';

/** What is wrong with a certificate file of a profile, or with its key, so that no call could use it. */
export interface FileFault {
  use: CertificateUse;
  code: ErrorCode;
  text: string;
  /** The flags of `profile create` and `profile edit` that mend it. */
  flags: readonly string[];
  /** A command that mends it in their place, for a profile that is saved, or before there is one. */
  command?: (profile?: string) => string;
}

/** A certificate and its key, as the settings and flags name them. */
export interface Pair {
  use: 'qsealc' | 'qwac';
  what: string;
  certificate?: string | undefined;
  key?: string | undefined;
  passphraseFrom?: string | undefined;
  /** Their settings. */
  keys: readonly (keyof Profile)[];
  flags: { certificate: string; key: string; passphrase: string };
}

/** The passphrase of a key, where it can be had; undefined leaves the key unchecked. */
export type PassphraseOf = (use: 'qsealc' | 'qwac') => Promise<Secret | undefined>;

/** The two pairs of a profile, present or not. */
export const pairsOf = (profile: Partial<Profile>): readonly Pair[] => [
  {
    use: 'qsealc',
    what: 'signing certificate',
    certificate: profile.certificate,
    key: profile.key,
    passphraseFrom: profile.keyPassphraseFrom,
    keys: ['certificate', 'key', 'keyPassphraseFrom'],
    flags: { certificate: '--certificate', key: '--key', passphrase: '--key-passphrase-from' },
  },
  {
    use: 'qwac',
    what: 'TLS certificate',
    certificate: profile.tlsCertificate,
    key: profile.tlsKey,
    passphraseFrom: profile.tlsKeyPassphraseFrom,
    keys: ['tlsCertificate', 'tlsKey', 'tlsKeyPassphraseFrom'],
    flags: { certificate: '--tls-certificate', key: '--tls-key', passphrase: '--tls-key-passphrase-from' },
  },
];

/** Finds what is wrong with the files that a profile names: each is read, and each key tried on its certificate. */
export async function fileFaults(
  ports: Ports,
  profile: Partial<Profile>,
  passphrase: PassphraseOf,
): Promise<FileFault[]> {
  const pairs = pairsOf(profile);
  const faults: FileFault[] = [];
  for (const pair of pairs) {
    const other = pairs.find((one) => one !== pair && one.certificate !== pair.certificate);
    faults.push(...(await pairFaults(ports, pair, { profile, passphrase, other })));
  }
  const ca = profile.caCertificates;
  if (ca !== undefined) {
    try {
      const { certificates } = await readCertificateFile(await ports.files.read(ca), ca);
      const wrong = certificates.map((der) => wrongAuthority(inspectCertificate(der), ports.clock.now()));
      if (wrong.every((text) => text !== undefined)) {
        const text = `None of the authorities in ${ca} can be trusted: ${wrong.join('; ')}.`;
        faults.push({ use: 'ca', code: 'CERTIFICATE_FILE', text, flags: ['--ca', 'FILE'] });
      }
    } catch (error) {
      faults.push(faultOf(error, 'ca', ['--ca', 'FILE']));
    }
  }
  return faults;
}

/** Why no chain can end at a certificate that is to be trusted; undefined where one can. A server's own may stand there too. */
export function wrongAuthority(report: CertificateReport, now: Date): string | undefined {
  const { subject, notAfter, notBefore, isCa } = report;
  if (now > notAfter) return `${subject} expired on ${notAfter.toISOString().slice(0, 10)}`;
  if (now < notBefore) return `${subject} is not valid before ${notBefore.toISOString()}`;
  return isCa && mayNotSign(report) ? `${subject} may sign no certificates (no keyCertSign)` : undefined;
}

/** Whether a file with certificates holds a private key too: PKCS#12, or PEM with both. False where it cannot be read. */
export async function bringsKey({ files }: Pick<Ports, 'files'>, path: string): Promise<boolean> {
  try {
    const bytes = await files.read(path);
    return certificateFormat(bytes) === 'pkcs12' || holdsKey(certificateText(bytes));
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
}

interface Around {
  profile: Partial<Profile>;
  passphrase: PassphraseOf;
  other: Pair | undefined;
}

async function pairFaults(ports: Ports, pair: Pair, around: Around): Promise<FileFault[]> {
  const { use, what, certificate, flags } = pair;
  const both = [flags.certificate, 'FILE', flags.key, 'FILE'];
  const fault = (code: ErrorCode, text: string, mend: readonly string[] = both): FileFault[] => [
    { use, code, text, flags: mend },
  ];
  if (certificate === undefined) {
    if (pair.key === undefined) return [];
    return fault('PROFILE_INVALID', `There is a key for the ${what}, and no certificate.`, [
      flags.certificate,
      'FILE',
    ]);
  }
  let text: string;
  try {
    const bytes = await ports.files.read(certificate);
    if (certificateFormat(bytes) === 'pkcs12') return [await isPkcs12(bytes, certificate, pair, around)];
    text = certificateText(bytes);
    readCertificate(text, certificate);
  } catch (error) {
    return [faultOf(error, use, [flags.certificate, 'FILE'])];
  }
  const key = pair.key ?? (holdsKey(text) ? certificate : undefined);
  if (key === undefined) {
    if (use === 'qsealc' && around.profile.signer !== undefined) return validityFaults(ports, pair, text);
    return fault('PROFILE_INVALID', `There is a ${what} and no key for it.`, [flags.key, 'FILE']);
  }
  const tried = await tryKey(ports, pair, { certificate, text, key }, around);
  return [...tried, ...validityFaults(ports, pair, text)];
}

/** Tries the key on the certificates of the file, the first of which is to be its own. */
async function tryKey(
  ports: Ports,
  pair: Pair,
  at: { certificate: string; text: string; key: string },
  around: Around,
): Promise<FileFault[]> {
  const { use, what, flags } = pair;
  const { certificate, text, key } = at;
  let keyPem: string;
  try {
    const bytes = await ports.files.read(key);
    if (certificateFormat(bytes) === 'pkcs12') return [await isPkcs12(bytes, key, pair, around)];
    keyPem = keyText(bytes);
  } catch (error) {
    return [faultOf(error, use, [flags.key, 'FILE'], 'KEY_FILE')];
  }
  const { certificates } = await readCertificateFile(Buffer.from(text), certificate);
  try {
    const fits = await opened({ keyPem, names: { certificate, key } }, pair, around.passphrase);
    if (fits === undefined) return [];
    const own = certificates.findIndex(fits);
    if (own < 0) return [await mismatch(ports, pair, at, { around, fits })];
    if (own === 0 && !isReversed(certificates)) return [];
    const { passphraseFrom: from } = pair;
    const phrase = from === undefined ? [] : ['--passphrase-from', from];
    const where = own === 0 ? 'is not in order' : 'begins with an authority';
    return [
      {
        use,
        code: 'CERTIFICATE_FILE',
        text: `The chain in ${certificate} ${where}: the ${what} comes first, then each issuer.`,
        flags: [flags.certificate, 'FILE'],
        command: (name) =>
          line`obk cert import ${certificate} --key ${key} --as ${use}${[...phrase, ...saved(name)]}`,
      },
    ];
  } catch (error) {
    const isPhrase = error instanceof ObkError && /^(KEY_PASSPHRASE|SECRET_)/.test(error.code);
    return [faultOf(error, use, isPhrase ? [flags.passphrase, 'REF'] : [flags.key, 'FILE'], 'KEY_FILE')];
  }
}

/** Whether the key belongs to a certificate; undefined where it stays closed, since nobody is there to say the passphrase. */
async function opened(
  { keyPem, names }: { keyPem: string; names: { certificate: string; key: string } },
  { use, passphraseFrom }: Pair,
  ask: PassphraseOf,
): Promise<((der: Uint8Array) => boolean) | undefined> {
  const belongs = (der: Uint8Array, passphrase?: Secret) =>
    keyFits(der, { keyPem: new Secret(keyPem), names, ...defined({ passphrase }) });
  if (!isEncrypted(keyPem) || passphraseFrom === undefined) return (der) => belongs(der);
  const passphrase = await ask(use);
  return passphrase === undefined ? undefined : (der) => belongs(der, passphrase);
}

/** The key of another certificate, named where that one is the other of the profile. */
async function mismatch(
  ports: Ports,
  { use, what, flags }: Pair,
  { certificate, key }: { certificate: string; key: string },
  { around: { other }, fits }: { around: Around; fits: (der: Uint8Array) => boolean },
): Promise<FileFault> {
  const text = `The key ${key} does not belong to the ${what} ${certificate}`;
  const fault = { use, code: 'KEY_MISMATCH' as const };
  const theirs =
    other?.certificate === undefined ? [] : await certificatesOf(ports, other.certificate).catch(() => []);
  if (other === undefined || !theirs.some(fits))
    return { ...fault, text: `${text}.`, flags: [flags.key, 'FILE'] };
  const swapped = other.key === undefined || other.key === key ? 'FILE' : other.key;
  const more = swapped === 'FILE' ? [] : [other.flags.key, key];
  return {
    ...fault,
    text: `${text}: it is the one of the ${other.what}.`,
    flags: [flags.key, swapped, ...more],
  };
}

async function certificatesOf(ports: Ports, path: string): Promise<readonly Uint8Array[]> {
  return (await readCertificateFile(Buffer.from(certificateText(await ports.files.read(path))), path))
    .certificates;
}

/** What every bank refuses of the certificate in a text, whatever its place in it: out of date, or too weak. */
export function validityFaults(
  { clock }: Pick<Ports, 'clock'>,
  { use, what, certificate = '', flags }: Pair,
  text: string,
): FileFault[] {
  const all = certificatesIn(text, certificate).map((der) =>
    readCertificate(certificatePem(der), certificate),
  );
  const leaf = all.find(({ ca }) => !ca) ?? readCertificate(text, certificate);
  const mend = [flags.certificate, 'FILE', flags.key, 'FILE'];
  try {
    checkDates(leaf, clock.now(), certificate, what);
  } catch (error) {
    return [faultOf(error, use, mend)];
  }
  const weak = weakness(leaf.publicKey);
  if (weak !== undefined)
    return [{ use, code: 'CERTIFICATE_WEAK', text: `The ${what} ${certificate} has ${weak}.`, flags: mend }];
  const wrong = all
    .map(({ raw }) => inspectCertificate(raw))
    .filter(({ isCa }) => isCa)
    .flatMap((report) => wrongAuthority(report, clock.now()) ?? []);
  return wrong.map((why) => ({
    use,
    code: 'CERTIFICATE_FILE',
    text: `The chain in ${certificate} cannot be checked: ${why}.`,
    flags: [flags.certificate, 'FILE'],
  }));
}

const saved = (name?: string) => (name === undefined ? [] : ['--profile', name]);

/** PKCS#12 where a profile was saved with it as it is; a passphrase that opens it goes along with the command. */
async function isPkcs12(
  bytes: Uint8Array,
  path: string,
  { use, passphraseFrom: from }: Pair,
  { passphrase }: Around,
): Promise<FileFault> {
  const text = `${path} is PKCS#12, and a profile takes the certificate and its key in files of their own.`;
  let wrong: ObkError | undefined;
  try {
    const given = from === undefined ? undefined : await passphrase(use);
    if (given !== undefined) await readCertificateFile(bytes, path, given);
  } catch (error) {
    if (!isFailure(error)) throw error;
    wrong = error;
  }
  const phrase = from === undefined || wrong !== undefined ? [] : ['--passphrase-from', from];
  return {
    use,
    code: 'CERTIFICATE_FILE',
    text: wrong === undefined ? text : `${text} ${told(wrong)}`,
    flags: [],
    command: (name) => line`obk cert import ${path} --as ${use}${[...phrase, ...saved(name)]}`,
  };
}

/** Title and detail of an error as sentences. */
const told = ({ title, detail }: ObkError): string =>
  detail === undefined ? title : `${title}${/[.!?:]$/.test(title) ? '' : ':'} ${detail}`;

/** An error of reading as a fault; a file that is not there is one of the certificate or key, not of the command line. */
export function faultOf(
  error: unknown,
  use: CertificateUse,
  flags: readonly string[],
  unread: ErrorCode = 'CERTIFICATE_FILE',
): FileFault {
  if (!isFailure(error)) throw error;
  return { use, text: told(error), code: error.code === 'INPUT_INVALID' ? unread : error.code, flags };
}
