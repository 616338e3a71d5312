import type { Flags, OptionsOf } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError, isFailure } from '../../../base/errors.ts';
import { readCertificates } from '../../../client/certificates/read-certificates.ts';
import type { CertificateSet, CertificateSource } from '../../../client/certificates/read-certificates.ts';
import { nearest } from '../../../base/nearest.ts';
import type { Ports } from '../../../client/ports.ts';
import { bankOfProfile, isBuiltIn, tenantOfProfile } from '../../../base/profile-name.ts';
import { parseUrl } from '../../../base/url.ts';
import { reference, usageError } from '../flags/flag-values.ts';
import { givenFor, question } from '../flags/prompts.ts';
import { profileNamed } from '../profile/profile-name.ts';
import { chosenProfile } from '../run/with-target.ts';

/** Options of every command that reads certificates. */
export type SourceOptions = OptionsOf<typeof sourceOptions>;

/** Adds the argument that names certificates, and the flag that opens a PKCS#12 file. */
export function sourceOptions(command: Flags) {
  return command
    .argument('[source]', 'PEM, DER or PKCS#12 file, - for stdin, a profile, or https://host[:port]')
    .optionsGroup('CERTIFICATE FLAGS')
    .option(
      '--passphrase-from <REF>',
      'passphrase of a PKCS#12 file (obk help references)',
      reference('--passphrase-from'),
    );
}

/** The certificates that the argument names: a server, a saved profile of that name, or else a file. */
export async function openCertificates(context: Context, options: SourceOptions): Promise<CertificateSet[]> {
  const source = await sourceOf(context, options.source);
  const { ports, signal } = context;
  try {
    return await readCertificates(ports, source, () => passphraseOf(context, options), signal);
  } catch (error) {
    const { source: typed = '' } = options;
    if (!isFailure(error) || !('file' in source) || /[/\\.]/.test(typed)) throw error;
    throw await orProfile(ports, error, typed);
  }
}

/** A word that names no file may be meant for a profile. */
async function orProfile({ settings }: Ports, error: ObkError, typed: string): Promise<ObkError> {
  const names = Object.keys((await settings.read()).profiles);
  return new ObkError({
    code: error.code,
    title: error.title,
    detail: `${error.detail ?? ''} There is no profile of that name either.`.trim(),
    hint: [...error.hint, 'obk profile list   # profiles, whose certificates are looked at by name'],
    choices: { typed, among: nearest(typed, names).map((id) => ({ id })) },
  });
}

async function sourceOf(context: Context, text: string | undefined): Promise<CertificateSource> {
  const { ports } = context;
  if (text === undefined) {
    const { profile, builtIn } = await chosenProfile(context);
    return { profile, ownBank: builtIn ? await ports.bank.offline() : undefined };
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return serverOf(text);
  const settings = await ports.settings.read();
  if (isBuiltIn(text) || Object.hasOwn(settings.profiles, text)) {
    if (isBuiltIn(text)) await ports.bank.place(bankOfProfile(text), tenantOfProfile(text));
    const ownBank = isBuiltIn(text) ? await ports.bank.offline() : undefined;
    return { profile: profileNamed(settings, text), ownBank };
  }
  return { file: text };
}

function serverOf(text: string): CertificateSource {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:' || url.username !== '') {
    throw usageError(`A server is named as https://host[:port]; not ${JSON.stringify(text)}.`);
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 443 : Number(url.port),
  };
}

/** The passphrase from a flag, a variable or a person. */
export async function passphraseOf(context: Context, options: SourceOptions) {
  const { person } = context.ports;
  if (givenFor(context, 'passphrase', options.passphraseFrom) === undefined && !person.present)
    return undefined;
  return person.askSecret({ ...question('passphrase', 'Passphrase of the file'), again: false });
}
