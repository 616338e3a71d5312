import { isFailure } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import type { Profile } from '../../records/profile.ts';
import { certificateFormat } from '../../signing/certificate-file.ts';
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
      const prepared = await prepareImport(ports, { file, as: use, folder, name, passphrase, force: false });
      imports.push(prepared);
      faults.push(...validityFaults(ports, pair, Buffer.from(prepared.chain).toString()));
    } catch (error) {
      faults.push(faultOf(error, pair.use, [pair.flags.passphrase, 'REF']));
    }
  }
  return { imports, faults: [...faults, ...(await fileFaults(ports, rest, options.passphrase))] };
}

/** True for PKCS#12 that is not contradicted by a key of its own; a file that cannot be read is none. */
async function isPkcs12({ files }: Ports, { certificate, key }: Pair): Promise<boolean> {
  if (certificate === undefined || (key !== undefined && key !== certificate)) return false;
  try {
    return certificateFormat(await files.read(certificate)) === 'pkcs12';
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
}
