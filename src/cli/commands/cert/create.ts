import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { makeCertificate } from '../../../client/certificates/make-certificates.ts';
import { days, demand, oneOf, several, usageError } from '../flags/flag-values.ts';
import { rolesOf } from './lint.ts';

const keyTypes = ['rsa-2048', 'rsa-3072', 'ec-p256'] as const;

const flags = (command: Flags) =>
  command
    .optionsGroup('CERTIFICATE FLAGS')
    .option('--type <USE>', 'qsealc (signing) or qwac (TLS)', oneOf('--type', ['qwac', 'qsealc']))
    .option('--org-id <ID>', 'registration number of the TPP: PSDDE-BAFIN-123456')
    .option('--name <NAME>', 'name of the TPP (Test TPP)')
    .option('--dir <FOLDER>', 'where the files go (here); an authority in it is used again')
    .option('--roles <ROLES>', 'roles of the TPP (PI,AI,IC)', rolesOf('--roles'))
    .option('--nca-name <NAME>', 'name of the authority that granted the roles')
    .option('--key-type <T>', 'rsa-2048 (if not given), rsa-3072 or ec-p256', oneOf('--key-type', keyTypes))
    .option('--days <N>', 'how long it is valid (365d)', days('--days'))
    .option('--dns <NAME>', 'DNS name in the certificate (several; localhost in a QWAC)', several)
    .option('--force', 'replace the certificate and key of that type in the folder');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Make a test certificate of a test authority; marked as a test, and trusted by nobody',
      usage: '--type qsealc --org-id PSDDE-BAFIN-123456',
      examples: [
        'obk cert create --type qsealc --roles PSP_PI,PSP_AI,PSP_IC --org-id PSDDE-BAFIN-123456 --name "Test TPP" --dir certificates',
        'obk cert create --type qwac --key-type ec-p256 --org-id PSDDE-BAFIN-123456',
      ],
      exits: [3],
      more: ['obk help cert lint', 'obk help profile create'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const { type, orgId } = options;
  demand([type === undefined && '--type', !orgId && '--org-id'], 'obk cert create --help');
  if (type === undefined || !orgId) throw usageError('Something is missing.');
  const [keyType, bits] = (options.keyType ?? 'rsa-2048').split('-');
  const made = await makeCertificate(context.ports, {
    type,
    organizationIdentifier: orgId,
    organizationName: options.name ?? 'Test TPP',
    folder: options.dir ?? '.',
    roles: options.roles ?? ['PSP_PI', 'PSP_AI', 'PSP_IC'],
    key: keyType === 'rsa' ? { keyType: 'rsa', rsaBits: Number(bits) } : { keyType: 'ec' },
    days: options.days ?? 365,
    ncaName: options.ncaName,
    dnsNames: options.dns ?? [],
    force: options.force === true,
  });
  const flags =
    type === 'qsealc'
      ? ['--certificate', made.certificate, '--key', made.key]
      : ['--tls-certificate', made.certificate, '--tls-key', made.key];
  return {
    kind: 'data',
    data: { type, ...made },
    text: () =>
      [
        `Certificate  ${cleanLine(made.certificate)} (until ${made.notAfter.slice(0, 10)})`,
        `Private key  ${cleanLine(made.key)} (mode 0600)`,
        `Authority    ${cleanLine(made.ca)}${made.newAuthority ? '' : ' (as it was)'}`,
      ].join('\n'),
    name: made.certificate,
    next: [line`obk cert lint ${made.certificate}`, line`obk profile edit NAME ${flags}`],
  };
};
