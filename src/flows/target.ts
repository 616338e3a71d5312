import { line } from '../command-line.ts';
import { ObkError } from '../errors.ts';
import type {
  AccessToken,
  BankAddress,
  Environment,
  HttpConnection,
  HttpLimits,
  HttpRequest,
  Ports,
  Profile,
  Policy,
} from '../ports.ts';
import { Secret } from '../secret.ts';
import { hashNames } from '../signing/digest.ts';
import { localMaterial, remoteMaterial } from '../signing/material.ts';
import type { SigningMaterial } from '../signing/material.ts';
import { signingOptions } from '../signing/options.ts';
import type { SigningOptions } from '../signing/options.ts';
import { parseUrl } from '../url.ts';
import type { LinkPolicy } from '../xs2a/links.ts';
import type { Variant } from '../xs2a/variants.ts';
import type { CallTrace, Prepared } from './call.ts';
import { checkInsecure } from './connection-guard.ts';
import { needDescriptor } from './descriptor-shape.ts';
import { serviceAddresses } from './dialect.ts';
import { checkPlain } from './plain-http.ts';
import { declaredOrigins } from './own-origins.ts';
import type { Rate } from './rate.ts';
import type { Patience } from './patience.ts';
import { readProfileFile } from './profile-file.ts';
import type { Preferences } from './preferences.ts';
import type { ChosenProfile } from './profiles.ts';
import { loginsIn } from './tokens.ts';
import { needSafeCiphers } from './weak-ciphers.ts';

/** What one run wants besides the profile. */
export interface RunOptions {
  /** Print the exact request instead of sending it; no socket is opened. */
  dryRun: boolean;
  /** Take any certificate of the server; of a sandbox or this machine only. */
  insecure?: boolean;
  /** What the administrator of this machine allows. */
  policy?: Policy;
  /** What is shown of a request names the proxy on its way. */
  showsProxy?: boolean;
  /** Changes a signed request before it is sent: wrong on purpose. */
  spoil?: (request: HttpRequest) => HttpRequest;
  /** The X-Request-ID of the first call. */
  requestId?: string;
  /** Further origins that tokens, consents and passwords of the profile may go to in this run. */
  sendCredentialsTo?: readonly string[];
  timeoutMs?: number;
  /** The run waits for what the PSU does elsewhere. */
  waits?: boolean;
  /** What is left of the waits of a run that leads a PSU. */
  patience?: Patience;
  /** How often each operation may be called; without it the rate of the service, and none for a sandbox here. */
  rate?: Rate | 'off';
  psu?: Profile['psu'];
  /** What this run prefers in place of the profile; set by the creation that it begins with. */
  prefer?: Preferences;
  /** Sees every request just before it is sent. */
  onPrepared?: (prepared: Prepared) => void;
  /** Sees every exchange when it has ended. */
  onTrace?: (trace: CallTrace) => void;
  signal?: AbortSignal;
}

/** A profile made ready to call its bank. */
export interface Target {
  name: string;
  environment: Environment;
  profile: Profile;
  variant: Variant;
  links: LinkPolicy;
  limits: HttpLimits;
  psu: NonNullable<Profile['psu']>;
  signing: SigningOptions;
  /** Where tokens, consents and passwords belong; undefined for the bank inside. */
  ownOrigins: readonly string[] | undefined;
  /** Of OBK_TOKEN, or put into the credentials by hand: goes with every call. */
  token: Secret | undefined;
  /** Given for this run by OBK_TOKEN, wherever it goes. */
  tokenOfRun?: true;
  /** The tokens of OAuth pre-steps, as they were when this run began. */
  logins: readonly AccessToken[];
  /** How far the clock of the bank is ahead of ours, as its last answer said; milliseconds. */
  aheadMs: number;
  ports: Ports;
  run: RunOptions;
  /** Present for the bank inside. */
  inside: BankAddress | undefined;
  /** Read and checked at the first use. */
  material(): Promise<SigningMaterial>;
  connection(): Promise<HttpConnection>;
}

const defaultLimits: HttpLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  deadlineMs: 60_000,
  maxBytes: 10 * 1024 * 1024,
};

/** Makes a profile ready: starts or finds the bank inside, checks the base address, prepares lazy key material. */
export async function openTarget(ports: Ports, chosen: ChosenProfile, run: RunOptions): Promise<Target> {
  const inside = chosen.builtIn ? await (run.dryRun ? ports.bank.offline() : ports.bank.ensure()) : undefined;
  const profile: Profile =
    inside === undefined
      ? chosen.profile
      : {
          ...chosen.profile,
          baseUrl: inside.baseUrl,
          certificate: inside.certificatePath,
          key: inside.keyPath,
        };
  const base = checkBase(profile, chosen.name);
  needDescriptor(profile, chosen.name);
  for (const address of serviceAddresses(profile)) checkPlain(profile, chosen.name, address);
  checkInsecure({ name: chosen.name, environment: profile.environment, profile, run });
  const credentials = await ports.store.credentials(chosen.name);
  const timeout = run.timeoutMs ?? profile.timeoutMs;
  return {
    name: chosen.name,
    environment: profile.environment,
    profile,
    variant: { framework: profile.framework, prefix: profile.prefix, surface: profile.surface },
    links: {
      base,
      prefix: profile.prefix,
      origins: profile.origins ?? [],
      host: profile.links?.host ?? 'strict',
    },
    limits: timeout === undefined ? defaultLimits : within(defaultLimits, timeout),
    psu: {
      ...profile.psu,
      ...run.psu,
      ...(run.psu?.context && { context: { ...profile.psu?.context, ...run.psu.context } }),
    },
    signing: signingOptions(profile.signing),
    ownOrigins: inside === undefined ? ownOrigins(chosen, base) : undefined,
    token: chosen.builtIn ? undefined : credentials.token,
    logins: loginsIn(credentials.tokens ?? []),
    aheadMs: 0,
    ports,
    run,
    inside,
    material: once(() => readMaterial(ports, profile, chosen.name)),
    connection: once(() => readConnection(ports, profile, run)),
  };
}

/** A profile without an address of its own belongs to the one that it is used with. */
function ownOrigins({ profile, declared = declaredOrigins(profile) }: ChosenProfile, base: string) {
  return declared.length === 0 ? [new URL(base).origin] : declared;
}

function checkBase(profile: Profile, name: string): string {
  const base = profile.baseUrl;
  if (base === undefined || parseUrl(base) === undefined) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The profile ${name} has no usable base URL.`,
      detail: base === undefined ? 'baseUrl is not set.' : `${JSON.stringify(base)} is not a URL.`,
      hint: [line`obk profile edit ${name} --base-url https://api.bank.example/psd2`],
    });
  }
  const url = new URL(base);
  const shown = JSON.stringify(base.replace(/\/\/[^/]*@/, '//[secret]@'));
  if (
    (url.protocol !== 'http:' && url.protocol !== 'https:') ||
    url.username !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The base URL of the profile ${name} is not usable.`,
      detail: `${shown} must be an https address without user, query and fragment.`,
    });
  }
  checkPlain(profile, name, base);
  return base.replace(/\/+$/, '');
}

function within(limits: HttpLimits, deadlineMs: number): HttpLimits {
  return {
    ...limits,
    deadlineMs,
    connectMs: Math.min(limits.connectMs, deadlineMs),
    firstByteMs: Math.min(limits.firstByteMs, deadlineMs),
  };
}

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
  if (certificate === undefined || key === undefined) {
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
  const passphrase = await readPassphrase(ports, keyPassphraseFrom);
  await warnOfReaders(ports, key);
  return localMaterial({
    certificatePem: await readProfileFile(ports, certificate, 'CERTIFICATE_FILE', 'certificate'),
    keyPem: new Secret(await readProfileFile(ports, key, 'KEY_FILE', 'key')),
    ...(passphrase === undefined ? {} : { passphrase }),
    now,
    names: { certificate, key },
  });
}

async function signerMaterial(
  ports: Ports,
  certificate: string,
  signer: string,
  now: Date,
): Promise<SigningMaterial> {
  const pem = await readProfileFile(ports, certificate, 'CERTIFICATE_FILE', 'certificate');
  const material = remoteMaterial(pem, now, certificate, ({ hash, encoding }, bytes) => {
    const { keyType } = material.certificate;
    const algorithm = `${keyType === 'rsa' ? 'rsa' : 'ecdsa'}-${hashNames[hash]}`;
    return ports.signer.sign(signer, { algorithm, ...(keyType === 'ec' ? { encoding } : {}), bytes });
  });
  return material;
}

async function warnOfReaders(ports: Ports, key: string): Promise<void> {
  if (await ports.files.isPrivate(key)) return;
  ports.notices.warn(`Others can read ${key}, which holds a private key (chmod 600 helps).`);
}

/** The passphrase of a key that a profile names; undefined where it has none. */
export async function readPassphrase(
  ports: Ports,
  reference: string | undefined,
): Promise<Secret | undefined> {
  if (reference === undefined) return undefined;
  if (reference !== 'prompt') return ports.secrets.read(reference, 'the passphrase of the key');
  return ports.person.askSecret({
    id: 'key-passphrase',
    flag: '--key-passphrase-from',
    env: 'OBK_KEY_PASSPHRASE_FROM',
    text: 'Passphrase of the key',
    again: false,
  });
}

async function readConnection(ports: Ports, profile: Profile, run: RunOptions): Promise<HttpConnection> {
  const { caCertificates, tlsCertificate, tlsKey, tlsKeyPassphraseFrom, tls = {} } = profile;
  if (tls.ciphers !== undefined) await needSafeCiphers(ports, tls.ciphers);
  const passphrase = tlsKey === undefined ? undefined : await readPassphrase(ports, tlsKeyPassphraseFrom);
  if (tlsKey !== undefined) await warnOfReaders(ports, tlsKey);
  return {
    ...(caCertificates === undefined
      ? {}
      : { ca: await readProfileFile(ports, caCertificates, 'CERTIFICATE_FILE', 'CA certificate') }),
    ...(tlsCertificate === undefined
      ? {}
      : { certificate: await readProfileFile(ports, tlsCertificate, 'CERTIFICATE_FILE', 'TLS certificate') }),
    ...(tlsKey === undefined
      ? {}
      : { key: new Secret(await readProfileFile(ports, tlsKey, 'KEY_FILE', 'TLS key')) }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...tls,
    ...(run.insecure === true ? { insecure: true } : {}),
    ...(profile.allowHttp === true ? { plain: true } : {}),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
