import { isFailure } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { leafOf } from '../../signing/certificate-chain.ts';
import { certificateFormat, readCertificateFile } from '../../signing/certificate-file.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { prepareImport } from './import-certificate.ts';
import type { PreparedImport } from './import-certificate.ts';
import { faultOf, fileFaults, pairsOf, validityFaults } from './profile-files.ts';
import type { FileFault, Pair, PassphraseOf } from './profile-files.ts';

/** Where the files go that are made of PKCS#12, and who says the passphrases. */
export interface TakeOptions {
  folder: string;
  name: string;
  /** `file` is the PKCS#12 file, where it is one. */
  passphrase: (use: Pair['use'], file?: string) => ReturnType<PassphraseOf>;
}

/**
 * Tries the files that a profile names, as `fileFaults`; PKCS#12 in the place of a certificate is read, and can be written in
 * files that a profile takes.
 */
export async function takeFiles(
  ports: Ports,
  profile: Partial<Profile>,
  options: TakeOptions,
): Promise<{ imports: PreparedImport[]; faults: FileFault[] }> {
  const imports: PreparedImport[] = [];
  const faults: FileFault[] = [];
  const rest = { ...profile };
  for (const pair of pairsOf(profile)) {
    if (!(await isPkcs12(ports, pair))) continue;
    for (const key of pair.keys) Reflect.deleteProperty(rest, key);
    try {
      const { use, certificate: file = '' } = pair;
      const { folder, name } = options;
      const passphrase = () => options.passphrase(use, file);
      const key = pair.key === file ? undefined : pair.key;
      const order = { file, key, as: use, folder, name, passphrase, force: false };
      const prepared = await prepareImport(ports, order);
      imports.push(prepared);
      if (prepared.key === undefined && (use === 'qwac' || profile.signer === undefined))
        faults.push(noKey(use, file, pair.flags.key));
      faults.push(...validityFaults(ports, pair, Buffer.from(prepared.chain).toString()));
    } catch (error) {
      faults.push(faultOf(error, pair.use, [pair.flags.passphrase, 'REF']));
    }
  }
  return { imports, faults: [...faults, ...(await fileFaults(ports, rest, options.passphrase))] };
}

const noKey = (use: Pair['use'], file: string, flag: string): FileFault => ({
  ...{ use, code: 'PROFILE_INVALID', text: `${file} holds no private key.`, flags: [flag, 'FILE'] },
});

/** By what a person recognises a certificate that was taken; texts of other people (clean before printing). */
export interface Recognised {
  subject: string;
  organizationIdentifier: string | undefined;
  /** Of the PSD2 statement; undefined where there is none. */
  roles: readonly string[] | undefined;
  notAfter: Date;
}

/** Tells whose the certificate of a use is that `takeFiles` found nothing wrong with; undefined where there is none. */
export async function recognised(
  { files }: Pick<Ports, 'files'>,
  profile: Partial<Profile>,
  use: Pair['use'],
  imports: readonly PreparedImport[],
): Promise<Recognised | undefined> {
  const path = pairsOf(profile).find((pair) => pair.use === use)?.certificate;
  if (path === undefined) return undefined;
  const chain = imports.find(({ imported }) => imported.as === use)?.chain ?? (await files.read(path));
  const { certificates } = await readCertificateFile(chain, path);
  const own = certificates[leafOf(certificates)];
  if (own === undefined) return undefined;
  const { subject, organizationIdentifier, qcStatements, notAfter } = inspectCertificate(own);
  const roles = qcStatements?.psd2?.roles.map(({ oid, name }) => (name === '' ? oid : name));
  return { subject, organizationIdentifier, roles, notAfter };
}

/** True for PKCS#12; a file that cannot be read is none. */
async function isPkcs12({ files }: Ports, { certificate }: Pair): Promise<boolean> {
  if (certificate === undefined) return false;
  try {
    return certificateFormat(await files.read(certificate)) === 'pkcs12';
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
}
