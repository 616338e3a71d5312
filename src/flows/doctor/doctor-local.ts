import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import { lintSets } from '../certificates/certificate-lint.ts';
import { certificatePaths, readCertificates, viewCertificates } from '../certificates/read-certificates.ts';
import type { CertificateSet, CertificateView } from '../certificates/read-certificates.ts';
import { readPassphrase } from '../exchange/key-material.ts';
import type { Target } from '../exchange/target.ts';
import { lowersLevel } from '../../settings/ciphers.ts';
import { fail, failOf, ok, warn } from './doctor-finding.ts';
import type { Finding, DoctorOptions } from './doctor-finding.ts';

const soonDays = 30;
const uses = { qsealc: 'signing certificate', qwac: 'TLS certificate', ca: 'CA certificate' } as const;
const mayDo: ReadonlyMap<string, string> = new Map(
  Object.entries({
    PSP_PI: 'payments',
    PSP_AI: 'accounts',
    PSP_IC: 'funds confirmations',
  }),
);

/** Variables that change what Node does with keys and connections. */
const disturbing: readonly (readonly [name: string, pattern: RegExp, effect: string])[] = [
  ['NODE_TLS_REJECT_UNAUTHORIZED', /^0$/, 'has no effect on obk, and opens other programs to anybody'],
  [
    'OBK_ALLOW_SHARED_FOLDERS',
    /^(?:1|true|yes|on)$/i,
    'lets obk use settings and state that other users of this machine may write',
  ],
  ['NODE_OPTIONS', /./, 'loads or changes code of every program of Node, obk too'],
  ['NODE_EXTRA_CA_CERTS', /./, 'adds authorities that obk trusts like those of the system'],
  ['SSLKEYLOGFILE', /./, 'is where programs write the keys of their connections'],
  ['NODE_DEBUG', /http|tls|net|undici/, 'prints tokens on the screen'],
];

/** Looks at what is on this machine: variables, files, keys and certificates. */
export async function checkLocally(target: Target, options: DoctorOptions): Promise<Finding[]> {
  const { profile, ports } = target;
  const found = disturbing
    .filter(([name, pattern]) => pattern.test(options.env[name] ?? ''))
    .map(([name, , effect]) => warn('environment', `${name} ${effect}.`, `unset ${name}`));
  if (lowersLevel(profile.tls?.ciphers)) {
    found.push(
      warn(
        'tls',
        'tls.ciphers has @SECLEVEL=1: keys of 1024 bits and signatures by SHA-1 are taken.',
        line`obk profile edit ${target.name} --tls-ciphers ${''}`,
      ),
    );
  }
  const { policy } = target.run;
  if (policy !== undefined) {
    const { path, ...bounds } = policy;
    found.push(ok('policy', `${path} bounds what is done on this machine: ${JSON.stringify(bounds)}`));
  }
  const { retention } = await ports.settings.read();
  if (retention !== undefined)
    found.push(ok('retention', `runs older than ${retention} leave the journal where nothing needs them`));
  const paths = certificatePaths(profile);
  const signs = target.signing.mode !== 'none';
  if (signs && !paths.some(({ use }) => use === 'qsealc')) {
    found.push(
      fail(
        'certificate',
        'Requests are to be signed, and there is no certificate.',
        line`obk profile edit ${target.name} --certificate FILE --key FILE`,
      ),
    );
  }
  for (const { use, path, keyPath } of paths) {
    try {
      const [read] = await readCertificates(ports, { file: path }, () => passphraseFor(target, use));
      if (read === undefined) continue;
      const set = { ...read, use, ...(keyPath === undefined ? {} : { keyPath }) };
      found.push(...(await checkSet(target, set, options)));
    } catch (error) {
      found.push(failOf(use, error));
    }
    if (keyPath !== undefined) found.push(...(await checkKeyFile(target, keyPath)));
  }
  return found;
}

async function checkSet(
  target: Target,
  set: CertificateSet & { use: keyof typeof uses },
  options: DoctorOptions,
): Promise<Finding[]> {
  const { use } = set;
  const [view] = viewCertificates(set, target.ports.clock.now());
  if (view === undefined) return [fail(use, `${set.source} holds no certificate.`)];
  if (use === 'ca')
    return [ok(use, `${uses.ca} ${set.source}: ${view.subject}, until ${view.notAfter.slice(0, 10)}`)];
  const { findings } = await lintSets(target.ports, [set], {
    needs: options.needs,
    soonDays,
    passphrase: () => passphraseFor(target, use),
    strict: false,
  });
  return [
    ok(
      use,
      `${uses[use]} ${set.source}: ${view.subject}, ${String(view.daysLeft)} days left${rolesText(view)}`,
    ),
    ...findings.map(({ severity, text, rule, hint }) =>
      (severity === 'error' ? fail : warn)(use, `${text} [${rule}]`, hint),
    ),
  ];
}

export function rolesText({ qcStatements }: CertificateView): string {
  const roles = qcStatements?.psd2?.roles.map(({ name }) => mayDo.get(name) ?? name) ?? [];
  return roles.length === 0 ? '' : `, for ${roles.join(', ')}`;
}

async function checkKeyFile(target: Target, path: string): Promise<Finding[]> {
  try {
    await target.ports.files.read(path);
  } catch (error) {
    return [failOf('key', error)];
  }
  return (await target.ports.files.isPrivate(path))
    ? [ok('key', `${path} can be read by nobody else`)]
    : [warn('key', `Others can read ${path}, which holds a private key.`, `chmod 600 '${path}'`)];
}

/** A missing person is no error here: the check of the key is left out and says so. */
async function passphraseFor(target: Target, use: keyof typeof uses) {
  const { keyPassphraseFrom, tlsKeyPassphraseFrom } = target.profile;
  const reference = use === 'qwac' ? tlsKeyPassphraseFrom : keyPassphraseFrom;
  try {
    return await readPassphrase(target.ports, reference);
  } catch (error) {
    if (error instanceof ObkError && error.code === 'INTERACTION_NEEDED') return undefined;
    throw error;
  }
}
