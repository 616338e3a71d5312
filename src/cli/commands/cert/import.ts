import { dirname, join, parse } from 'node:path';
import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { line } from '../../../base/command-line.ts';
import { importCertificate, withImported } from '../../../client/certificates/import-certificate.ts';
import type { Imported } from '../../../client/certificates/import-certificate.ts';
import { fileFaults } from '../../../client/certificates/profile-files.ts';
import { resolved, withProfile } from '../../../client/profile/inheritance.ts';
import { oneOf, reference } from '../flags/flag-values.ts';
import { givenFor } from '../flags/prompts.ts';
import { checkOwnName, savedNamed } from '../profile/profile-name.ts';
import { passphraseOf } from './certificate-source.ts';
import { useNames } from './inspect.ts';

const flags = (command: Flags) =>
  command
    .argument('<file>', 'PKCS#12 file (.p12, .pfx) with one private key; or PEM, DER or PKCS#7')
    .optionsGroup('CERTIFICATE FLAGS')
    .option('--key <FILE>', 'private key (PEM or DER), where the file does not hold it')
    .option('--chain <FILE>', 'certificates of the authorities behind it, where the file does not hold them')
    .option(
      '--passphrase-from <REF>',
      'passphrase of the file or key (obk help references)',
      reference('--passphrase-from'),
    )
    .option('--as <USE>', 'qwac or qsealc (told from the certificate)', oneOf('--as', ['qwac', 'qsealc']))
    .option('--dir <FOLDER>', 'where the files go (certificates, beside the settings)')
    .option('--force', 'replace the files of an earlier import');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Turn PKCS#12, or certificates in any order and their key, into files that a profile takes; with --profile it takes them',
      examples: [
        'obk cert import seal.p12 --passphrase-from env:P12_PASSPHRASE --dir certificates',
        'obk cert import chain.pem --key qwac.key --as qwac --profile acme',
      ],
      exits: [3],
      more: ['obk help profile edit', 'obk help references'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { file, as, force = false } = options;
  const { ports, globals, directories } = context;
  const { profile } = globals;
  if (profile !== undefined) {
    checkOwnName(profile);
    savedNamed(await ports.settings.read(), profile);
  }
  const imported = await importCertificate(ports, {
    file,
    key: options.key,
    chain: options.chain,
    as,
    force,
    folder: options.dir ?? join(dirname(directories.settings), 'certificates'),
    name: profile ?? fileName(file),
    passphrase: () => passphraseOf(context, options),
  });
  const given = givenFor(context, 'passphrase', options.passphraseFrom) ?? 'prompt';
  // A passphrase from stdin is not there the next time.
  const lasting = given === 'stdin' ? 'prompt' : given;
  if (profile !== undefined) {
    if (imported.key === undefined) await needFitting(context, profile, imported);
    await ports.settings.update((settings) =>
      withProfile(settings, profile, withImported(savedNamed(settings, profile), imported, lasting)),
    );
  }
  const tls = imported.as === 'qwac' ? 'tls-' : '';
  const flags = [
    ...[`--${tls}certificate`, imported.certificate],
    ...(imported.key === undefined ? [] : [`--${tls}key`, imported.key]),
    ...(imported.encrypted ? [`--${tls}key-passphrase-from`, lasting] : []),
  ];
  return {
    kind: 'data',
    data: { ...imported, key: imported.key ?? null, profile: profile ?? null },
    text: () =>
      [
        `${useNames[imported.as]}       ${cleanLine(imported.subject)} (until ${imported.notAfter.slice(0, 10)})`,
        `Certificate  ${cleanLine(imported.certificate)}`,
        keyLine(imported),
        ...(profile === undefined ? [] : [`Profile      ${profile}`]),
      ].join('\n'),
    name: imported.certificate,
    next: [
      line`obk cert lint ${imported.certificate}`,
      ...(profile === undefined
        ? [line`obk profile edit NAME ${flags}`]
        : [line`obk whoami --profile ${profile}`]),
    ],
  };
};

/** Refuses a certificate that the key of the profile does not belong to. */
async function needFitting({ ports }: Context, name: string, imported: Imported): Promise<void> {
  const settings = await ports.settings.read();
  const whole = resolved(settings, name, withImported(savedNamed(settings, name), imported, 'prompt'));
  const faults = await fileFaults(ports, whole, () => Promise.resolve(undefined));
  const fault = faults.find(({ use, code }) => use === imported.as && code === 'KEY_MISMATCH');
  if (fault === undefined) return;
  throw new ObkError({
    code: 'KEY_MISMATCH',
    title: fault.text,
    detail: `The certificate is in ${imported.certificate}; the profile ${name} stays as it is.`,
    hint: [
      line`obk cert import ${imported.certificate} --key FILE --as ${imported.as} --profile ${name} --force`,
    ],
  });
}

function keyLine({ key, encrypted }: Imported): string {
  if (key === undefined) return 'Private key  none in the file; --key FILE takes one along';
  return `Private key  ${cleanLine(key)} (mode 0600, ${encrypted ? 'encrypted with the same passphrase' : 'not encrypted'})`;
}

function fileName(path: string): string {
  return parse(path).name.replace(/[^A-Za-z0-9_-]+/g, '-') || 'certificate';
}
