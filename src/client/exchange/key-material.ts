import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { NotificationPlace } from '../ports/notifications.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { Secret } from '../../base/secret.ts';
import { hashNames } from '../../signing/digest.ts';
import { holdsKey } from '../../signing/pem.ts';
import { localMaterial, remoteMaterial } from '../../signing/material.ts';
import type { SigningMaterial } from '../../signing/material.ts';
import { readProfileFile } from '../profile/profile-file.ts';
import type { Target } from './target.ts';

/** The certificate and key of a profile, valid at `now`. Throws PROFILE_INVALID, CERTIFICATE_..., KEY_... */
export async function readMaterial(
  ports: Ports,
  profile: Profile,
  name: string,
  now = ports.clock.now(),
): Promise<SigningMaterial> {
  const { certificate, key, keyPassphraseFrom, signer } = profile;
  if (certificate !== undefined && signer !== undefined)
    return signerMaterial(ports, certificate, signer, now);
  const certificatePem =
    certificate === undefined
      ? undefined
      : await readProfileFile(ports, certificate, 'CERTIFICATE_FILE', 'certificate');
  const keyPath = key ?? (certificatePem !== undefined && holdsKey(certificatePem) ? certificate : undefined);
  if (certificate === undefined || certificatePem === undefined || keyPath === undefined) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The profile ${name} has no ${certificate === undefined ? 'certificate' : 'key'} to sign with.`,
      detail: 'Requests are signed with the QSealC of the TPP.',
      hint: [
        line`obk profile edit ${name} --certificate FILE --key FILE`,
        line`obk profile edit ${name} --signing none`,
      ],
    });
  }
  const passphrase = await readPassphrase(ports, keyPassphraseFrom, keyPath);
  await warnOfReaders(ports, keyPath);
  return localMaterial({
    certificatePem,
    keyPem: new Secret(await readProfileFile(ports, keyPath, 'KEY_FILE', 'key')),
    ...defined({ passphrase }),
    now,
    names: { certificate, key: keyPath },
  });
}

async function signerMaterial(
  ports: Ports,
  certificate: string,
  signer: string,
  now: Date,
): Promise<SigningMaterial> {
  const pem = await readProfileFile(ports, certificate, 'CERTIFICATE_FILE', 'certificate');
  const material = remoteMaterial(pem, now, certificate, ({ hash, encoding, padding }, bytes) => {
    const { keyType } = material.certificate;
    const algorithm = `${keyType === 'rsa' ? 'rsa' : 'ecdsa'}${padding === undefined ? '' : '-pss'}-${hashNames[hash]}`;
    return ports.signer.sign(signer, { algorithm, ...(keyType === 'ec' ? { encoding } : {}), bytes });
  });
  return material;
}

export async function warnOfReaders(ports: Ports, key: string): Promise<void> {
  if (await ports.files.isPrivate(key)) return;
  ports.notices.warn(`Others can read ${key}, which holds a private key (chmod 600 helps).`);
}

/** Passphrases that a person has said in this run, by their keys: each is asked for once. */
const saidFor = new WeakMap<Ports['secrets'], Map<string, Promise<Secret>>>();

/** The passphrase of a key that a profile names; undefined where it has none. `key` is the file, which a question names. */
export async function readPassphrase(
  ports: Ports,
  reference: string | undefined,
  key: string,
): Promise<Secret | undefined> {
  if (reference === undefined) return undefined;
  if (reference !== 'prompt') return ports.secrets.read(reference, 'the passphrase of the key');
  const said = saidFor.get(ports.secrets) ?? new Map<string, Promise<Secret>>();
  saidFor.set(ports.secrets, said);
  const answer =
    said.get(key) ??
    ports.person.askSecret({
      id: 'key-passphrase',
      flag: '--key-passphrase-from',
      env: 'OBK_KEY_PASSPHRASE_FROM',
      text: `Passphrase of the key ${key}`,
      again: false,
    });
  said.set(key, answer);
  return answer;
}

/** The certificate and key that a run itself names to listen with. */
export interface GivenTls {
  tlsCertificate?: string;
  tlsKey?: string;
  tlsKeyPassphraseFrom?: string;
}

/** The certificate (QWAC) and key to listen with by TLS: those given, else those of the bank inside, else of the profile. Throws USAGE. */
export async function listeningTls(
  { ports, profile, ownBank, name }: Target,
  wish: GivenTls = {},
): Promise<NonNullable<NotificationPlace['tls']>> {
  const given = wish.tlsCertificate !== undefined || wish.tlsKey !== undefined;
  const certificate = given ? wish.tlsCertificate : (ownBank?.tlsCertificatePath ?? profile.tlsCertificate);
  const key = given ? wish.tlsKey : (ownBank?.tlsKeyPath ?? profile.tlsKey);
  if (certificate === undefined || key === undefined)
    throw new ObkError({
      code: 'USAGE',
      title: given
        ? 'Certificate and key go together.'
        : `The profile ${name} has no TLS certificate (QWAC) to listen with.`,
      hint: [line`obk listen --tls-certificate ${'qwac.pem'} --tls-key ${'qwac-key.pem'}`],
    });
  const from = given ? wish.tlsKeyPassphraseFrom : profile.tlsKeyPassphraseFrom;
  const passphrase = from === undefined ? undefined : await readPassphrase(ports, from, key);
  return {
    certificate: await readProfileFile(ports, certificate, 'CERTIFICATE_FILE', 'TLS certificate'),
    key: new Secret(await readProfileFile(ports, key, 'KEY_FILE', 'TLS key')),
    ...(passphrase && { passphrase }),
  };
}
