import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { viewCertificates } from '../../../client/certificates/read-certificates.ts';
import type { CertificateView } from '../../../client/certificates/read-certificates.ts';
import type { Style } from '../../render/style.ts';
import { definitions } from '../../render/wrap.ts';
import { openCertificates, sourceOptions } from './certificate-source.ts';

const flags = (command: Flags) => sourceOptions(command);

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Show what certificates say: of a file, of a profile, or those that a server offers',
      examples: [
        'obk cert inspect',
        'obk cert inspect certificates/qsealc.pem',
        'obk cert inspect certificates/qsealc.pem --json',
      ],
      exits: [3, 7],
      more: ['obk help cert lint', 'obk help references'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  const now = context.ports.clock.now();
  const sets = await openCertificates(context, options);
  const views = sets.flatMap((set) => viewCertificates(set, now));
  return {
    kind: 'data',
    data: views,
    text: (style) => views.map((view) => certificateText(view, now, style)).join('\n\n'),
    name: views.map(({ fingerprints }) => fingerprints.sha256).join('\n'),
  };
};

export const useNames = { qsealc: 'QSealC', qwac: 'QWAC', ca: 'CA', server: 'server' } as const;

const formatNames = {
  pem: 'PEM',
  base64: 'base64',
  der: 'DER',
  pkcs7: 'PKCS#7',
  pkcs12: 'PKCS#12',
  tls: 'as the server offers it',
} as const;

/** Wide enough for the longest spelling of the keyId. */
const column = 28;

function certificateText(view: CertificateView, now: Date, style: Style): string {
  const place = view.of === 1 ? '' : ` · ${String(view.position)} of ${String(view.of)}`;
  const use = view.use === null ? '' : ` · ${useNames[view.use]}`;
  const head = `${cleanLine(view.source)} · ${formatNames[view.format]}${use}${place}`;
  const facts = [...identity(view, now), ...abilities(view), ...qualified(view), ...prints(view)]
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name, cleanLine(text, 2000)] as const);
  // The keyIds are copied by the person who sets up signing, so they are not wrapped.
  const keyIds = view.isCa ? [] : Object.entries(view.keyIds);
  const lines = keyIds.map(([spelling, text]) => [`keyId ${spelling}`, cleanLine(text, 2000)] as const);
  return [
    style.bold(head),
    ...definitions(facts, { indent: 2, width: Math.max(style.width, 60), column }),
    ...definitions(lines, { indent: 2, width: Infinity, column }),
    ...view.odd.map((line) => `  ${style.warn('odd')} ${cleanLine(line)}`),
  ].join('\n');
}

type Facts = [name: string, text: string][];

function repeatedText({ cabfOrganizationIdentifier: repeated }: CertificateView): string {
  if (repeated === null) return '';
  const { scheme, country, state, reference } = repeated;
  const parts = [scheme, `country ${country}`, ...(state === undefined ? [] : [`state ${state}`])];
  return [...parts, `reference ${reference}`].join(', ');
}

const dayMs = 86_400_000;

/** Never "days left" of what is not valid. */
function ageText({ notBefore, notAfter, daysLeft }: CertificateView, now: Date): string {
  const days = (ms: number) => `${Math.floor(ms / dayMs)} days`;
  const early = new Date(notBefore).getTime() - now.getTime();
  if (early > 0) return `not yet valid: from ${notBefore}, in ${days(early)}`;
  const late = now.getTime() - new Date(notAfter).getTime();
  return late > 0 ? `expired ${days(late)} ago` : `${String(daysLeft)} days left`;
}

function identity(view: CertificateView, now: Date): Facts {
  const { organization, organizationIdentifier } = view;
  const parts = organization && [
    organization.scheme,
    `country ${organization.country}`,
    ...(organization.authority === undefined ? [] : [`authority ${organization.authority}`]),
    `number ${organization.number}`,
  ];
  return [
    ['Subject', view.subject],
    [
      'Organization',
      organizationIdentifier === null
        ? ''
        : `${organizationIdentifier} (${parts?.join(', ') ?? 'of no known form'})`,
    ],
    ['cabfOrganizationIdentifier', repeatedText(view)],
    ['Issuer', view.selfSigned ? 'itself' : view.issuer],
    ['Serial', `${view.serial} (${view.serialDecimal} in decimal)`],
    ['Valid', `${view.notBefore.slice(0, 10)} to ${view.notAfter.slice(0, 10)}, ${ageText(view, now)}`],
  ];
}

function abilities({ key, ...view }: CertificateView): Facts {
  const size = key.curve ?? (key.size === undefined ? '' : `${String(key.size)} bits`);
  return [
    ['Key', `${key.type.toUpperCase()} ${size}`.trim()],
    ['Signed with', view.signatureAlgorithm],
    ['Authority', view.isCa ? 'yes' : ''],
    ['Key usage', view.keyUsages.join(', ')],
    ['Extended key usage', view.extendedKeyUsages.join(', ')],
    ['Policies', view.policies.join(', ')],
    ['Names', view.alternativeNames.map(({ type, value }) => `${type}:${value}`).join(', ')],
  ];
}

function qualified({ qcStatements }: CertificateView): Facts {
  if (qcStatements === null) return [];
  const { compliance, types, sscd, pds, retentionYears, psd2, others } = qcStatements;
  const statements = [
    ...(compliance ? ['QcCompliance'] : []),
    ...types.map((type) => `QcType ${type}`),
    ...(sscd ? ['QcSSCD'] : []),
    ...others,
  ];
  return [
    ['QCStatements', statements.join(', ')],
    ['QcPDS', pds.map(({ url, language }) => `${language}: ${url}`).join(', ')],
    ['QcRetentionPeriod', retentionYears === undefined ? '' : `${retentionYears} years`],
    [
      'PSD2 roles',
      psd2?.roles.map(({ oid, name }) => `${name === '' ? 'no name' : name} (${oid})`).join(', ') ?? '',
    ],
    ['Authority (NCA)', psd2 === undefined ? '' : `${psd2.ncaName} (${psd2.ncaId})`],
  ];
}

function prints({ fingerprints }: CertificateView): Facts {
  return [
    ['SHA-256', fingerprints.sha256],
    ['SHA-1', fingerprints.sha1],
  ];
}
