import { cleanLine } from '../../base/clean.ts';
import type { Register, Run } from '../command.ts';
import type { Context } from '../context.ts';
import { isFailure } from '../../base/errors.ts';
import { summariseCertificate } from '../../client/certificates/read-certificates.ts';
import type { CertificateSummary } from '../../client/certificates/read-certificates.ts';
import { loginsIn } from '../../client/exchange/logins.ts';
import { needSound } from '../../client/profile/check-settings.ts';
import type { Policy } from '../../settings/records/policy.ts';
import { definitions } from '../render/wrap.ts';
import { projectOf } from './run/project.ts';
import { chosenProfile } from './run/with-target.ts';

export const register: Register = (command, start) =>
  start(
    command,
    {
      about: 'Show which bank and certificate are used, and where things are stored',
      examples: ['obk whoami', 'obk whoami --json', 'obk whoami --profile sandbox'],
      exits: [3],
      more: ['obk help profile'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const { ports, directories } = context;
  const { name, profile, origin, builtIn } = await chosenProfile(context);
  const project = await projectOf(context);
  const originText = {
    flag: 'from --profile',
    env: 'from OBK_PROFILE',
    project: `from ${cleanLine(project?.path ?? '')}`,
    active: 'the active one',
    'built-in': 'built in, nothing is configured',
  };
  if (!builtIn) needSound(await ports.settings.read(), name, profile);
  const ownBank = builtIn ? await readable(context, () => ports.bank.offline()) : undefined;
  const path = ownBank?.certificatePath ?? profile.certificate;
  const certificate = path === undefined ? null : await summary(() => summariseCertificate(ports, path));
  const tokenStore = await ports.credentials.tokenStore(name);
  const place = await context.statePlace(name);
  const credentials = await readable(context, () => ports.credentials.read(name));
  const data = {
    profile: name,
    origin,
    from: origin === 'project' ? (project?.path ?? null) : null,
    environment: profile.environment,
    baseUrl: ownBank?.baseUrl ?? profile.baseUrl ?? null,
    framework: profile.framework,
    prefix: profile.prefix,
    surface: profile.surface,
    certificate,
    psuId: profile.psu?.id ?? null,
    token:
      credentials === undefined
        ? null
        : credentials.token !== undefined || loginsIn(credentials.tokens ?? []).length > 0,
    consentId: credentials?.consentId ?? null,
    tokenStore,
    settings: directories.settings,
    credentials: directories.credentials,
    state: directories.state,
    stateStore: place.store,
    stateUrlFrom: place.store === 'postgres' ? place.urlFrom : null,
    policy: context.policy() ?? null,
    version: context.process.version,
  };
  return {
    kind: 'data',
    data,
    name,
    text: (style) => {
      const environment =
        profile.environment === 'production' ? style.bad('PRODUCTION') : profile.environment;
      return definitions(
        [
          ['Profile', `${name} (${originText[origin]})`],
          ['Environment', environment],
          ['Bank', `${data.baseUrl ?? 'no address'} · ${data.prefix} · framework ${data.framework}`],
          ['Certificate', certificateText(certificate)],
          ['PSU-ID', data.psuId ?? 'none'],
          ['Token', data.token === null ? 'not readable' : data.token ? 'stored' : 'none'],
          ['Settings', data.settings],
          [
            'Tokens',
            tokenStore === 'keyring'
              ? `keyring of the system (service obk); ${data.credentials} refers to them`
              : tokenStore === 'database'
                ? 'in the database with the state, sealed'
                : `${data.credentials} (file, mode 0600)`,
          ],
          [
            'Journal',
            place.store === 'files'
              ? data.state
              : `PostgreSQL (${cleanLine(place.urlFrom)}), schema ${place.schema ?? 'obk'}`,
          ],
          ['Policy', policyText(context.policy())],
        ],
        { indent: 0, width: 400 },
      ).join('\n');
    },
  };
};

/** The limits of the administrator's policy. */
function policyText(policy: Policy | undefined): string {
  if (policy === undefined) return 'none; nothing is bounded on this machine';
  const { path, ...bounds } = policy;
  return `${path}: ${JSON.stringify(bounds)}`;
}

/** Without a writable home or a keyring much cannot be read; who asks where things are must be told all the same. */
function readable<T>({ ports }: Context, read: () => Promise<T>): Promise<T | undefined> {
  return read().catch((error: unknown) => {
    if (!isFailure(error)) throw error;
    ports.notices.warn(`${error.title} ${error.detail ?? ''}`.trim());
    return undefined;
  });
}

/** A certificate that cannot be read must not keep anybody from seeing the rest. */
async function summary(
  read: () => Promise<CertificateSummary>,
): Promise<CertificateSummary | { error: string }> {
  try {
    return await read();
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { error: [error.title, error.detail].filter((part) => part !== undefined).join(' ') };
  }
}

function certificateText(certificate: CertificateSummary | { error: string } | null): string {
  if (certificate === null) return 'none';
  if ('error' in certificate) return certificate.error;
  const { subject, notAfter, daysLeft, path } = certificate;
  const until =
    daysLeft < 0 ? `EXPIRED on ${notAfter.slice(0, 10)}` : `until ${notAfter.slice(0, 10)}, ${daysLeft} days`;
  return `${subject} (${until}) · ${path}`;
}
