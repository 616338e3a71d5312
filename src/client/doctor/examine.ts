import { checkBank, checkConnection } from './doctor-bank.ts';
import type { Finding } from '../../base/finding.ts';
import type { DoctorOptions } from './doctor-bank.ts';
import type { Target } from '../exchange/target.ts';
import { cleanLine } from '../../base/clean.ts';
import { line } from '../../base/command-line.ts';
import { presetNames, presets } from '../../standard/xs2a/variants.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import { warn, fail, failOf, ok } from '../../base/finding.ts';
import { ObkError } from '../../base/errors.ts';
import { lintSets } from '../certificates/certificate-lint.ts';
import { fileFaults, wrongAuthority } from '../certificates/profile-files.ts';
import type { FileFault } from '../certificates/profile-files.ts';
import { certificatePaths, readCertificates, viewCertificates } from '../certificates/read-certificates.ts';
import type { CertificateSet, CertificateView } from '../certificates/read-certificates.ts';
import { inspectCertificate } from '../../signing/certificate-report.ts';
import { readPassphrase } from '../exchange/key-material.ts';
import { doubledPrefix } from '../profile/doubled-prefix.ts';
import { unlikelyAddresses } from '../profile/unlikely-addresses.ts';
import { lowersLevel } from '../../settings/profile/ciphers.ts';

/** Checks a profile step by step, and moves no money; what depends on a failed step is left out. */
export async function examine(target: Target, options: DoctorOptions): Promise<Finding[]> {
  const local = await checkLocally(target, options);
  const known = [...local.findings, ...(await refusedForms(target))];
  if (options.offline || !local.connects) return known;
  const { findings, reached } = await checkConnection(target);
  const bank = reached && local.signs ? await checkBank(target, options) : [];
  return [...known, ...findings, ...bank];
}

/** What servers write where a body has members or forms of another framework. */
const anotherForm =
  /cannot deserialize|unrecognized (?:field|property)|unknown (?:field|property)|(?:field|property|parameter)\b[^.\n]{0,120}\b(?:is )?not expected/i;

/** At most this many runs with refusals are read, the newest first. */
const mostRuns = 20;

/** A refusal in the journal that says that the bank speaks another framework than the profile, with what mends the profile. */
async function refusedForms({ name, ports: { journal }, variant }: Target): Promise<Finding[]> {
  const runs = await journal.runsThat(
    ({ profile, calls }) =>
      profile === name && calls.some(({ status }) => status !== null && status >= 400 && status < 500),
  );
  let left = mostRuns;
  for await (const { run } of runs) {
    if ((left -= 1) < 0) break;
    const records: readonly JournalRecord[] = await journal.read(run).catch(() => []);
    const head = records.find((record) => record.type === 'run');
    // What was refused under another setting says nothing of the one of now.
    if (head?.profile !== name || head.framework !== variant.framework) continue;
    const answers = records.filter((record) => record.type === 'answered');
    const refusal = answers.find(
      ({ status, body }) => status >= 400 && status < 500 && anotherForm.test(body),
    );
    if (refusal === undefined) continue;
    const [says = ''] = new RegExp(`[^"\\n]*(?:${anotherForm.source})[^"\\n]*`, 'i').exec(refusal.body) ?? [];
    const other = presetNames
      .map((preset) => presets[preset].framework)
      .find((one) => one !== variant.framework);
    return [
      warn(
        'framework',
        `The bank refused a request in run ${run} ("${cleanLine(says, 160)}"): it does not speak framework ${variant.framework} of the profile.`,
        line`obk profile edit ${name} --framework ${other ?? variant.framework}`,
      ),
    ];
  }
  return [];
}

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

/** The findings on this machine, and whether connections and signatures can be made with its files at all. */
interface Local {
  findings: Finding[];
  connects: boolean;
  signs: boolean;
}

/** Looks at what is on this machine: variables, files, keys and certificates. */
async function checkLocally(target: Target, options: DoctorOptions): Promise<Local> {
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
  found.push(...missing(target));
  const faults = await fileFaults(ports, profile, (use) => passphraseFor(target, use));
  found.push(...faults.map((fault) => fail(fault.use, fault.text, mending(target.name, fault))));
  for (const { use, path, keyPath } of paths) {
    const own = faults.filter((fault) => fault.use === use);
    if (!own.some(({ code }) => code === 'CERTIFICATE_FILE')) {
      const [read] = await readCertificates(ports, { file: path }, () => passphraseIfAny(target, use));
      if (read !== undefined)
        found.push(...(await checkSet(target, { ...read, use }, { options, keyPath, faults: own })));
    }
    if (keyPath !== undefined && !own.some(({ code }) => code === 'KEY_FILE'))
      found.push(...(await checkKeyFile(target, keyPath)));
  }
  return {
    findings: found,
    connects: faults.every(({ use }) => use === 'qsealc'),
    signs: !signs || faults.every(({ use }) => use !== 'qsealc'),
  };
}

const mending = (name: string, { command, flags }: FileFault) =>
  command?.(name) ?? line`obk profile edit ${name} ${flags}`;

/** Settings without which some calls cannot be made, or lead nobody back. */
function missing({ name, profile, psu, ownBank }: Target): Finding[] {
  if (ownBank !== undefined) return [];
  const { flags } = doubledPrefix(profile) ?? {};
  return [
    ...(flags === undefined
      ? []
      : [
          warn(
            'prefix',
            `The address ${profile.baseUrl ?? ''} holds a version, and the prefix ${profile.prefix} adds another.`,
            line`obk profile edit ${name} ${flags}`,
          ),
        ]),
    ...(profile.redirectUri === undefined
      ? [
          warn(
            'redirect',
            'There is no redirect URI: a bank that sends the PSU to its own page does not know the way back.',
            line`obk profile edit ${name} --redirect-uri https://tpp.example/back`,
          ),
        ]
      : []),
    ...(psu.ipAddress === undefined
      ? [
          warn(
            'psu-ip',
            'There is no PSU-IP-Address, which every payment and consent must have: each asks for it.',
            line`obk profile edit ${name} --psu-ip ADDRESS`,
          ),
        ]
      : []),
    ...unlikelyAddresses(name, profile).map(({ check, text, hint }) => warn(check, text, hint)),
  ];
}

/** What the check of the files has said already. */
const said = new Set(['key-mismatch', 'expired', 'not-yet-valid', 'weak-key', 'chain-order']);

async function checkSet(
  target: Target,
  read: CertificateSet & { use: keyof typeof uses },
  {
    options,
    keyPath,
    faults,
  }: { options: DoctorOptions; keyPath: string | undefined; faults: readonly FileFault[] },
): Promise<Finding[]> {
  const { use } = read;
  const [view] = viewCertificates(read, target.ports.clock.now());
  if (view === undefined) return [fail(use, `${read.source} holds no certificate.`)];
  if (use === 'ca') return authorityFindings(target, read);
  const isKeyBad = faults.some(({ code }) => code.startsWith('KEY_') || code === 'SECRET_REFERENCE');
  const set = isKeyBad || keyPath === undefined ? read : { ...read, keyPath };
  const { findings } = await lintSets(target.ports, [set], {
    needs: options.needs,
    soonDays,
    passphrase: () => passphraseIfAny(target, use),
    strict: false,
    authorities: await authoritiesOf(target),
  });
  return [
    ok(
      use,
      `${uses[use]} ${set.source}: ${view.subject}, ${String(view.daysLeft)} days left${rolesText(view)}`,
    ),
    ...findings
      .filter(({ rule, severity }) => severity !== 'note' && (faults.length === 0 || !said.has(rule)))
      .map(({ severity, text, rule, hint }) =>
        (severity === 'error' ? fail : warn)(
          use,
          `${text} [${rule}]`,
          incomplete.has(rule) ? completing(target, use, { rule, keyPath: set.keyPath }) : hint,
        ),
      ),
  ];
}

/** Each authority of the file that is trusted; of several, one that cannot be is worth a warning. */
function authorityFindings({ name, ports }: Target, { source, certificates }: CertificateSet): Finding[] {
  const reports = certificates.map((der) => inspectCertificate(der));
  const wrong = reports.flatMap((report) => wrongAuthority(report, ports.clock.now()) ?? []);
  const [first] = reports.filter((report) => wrongAuthority(report, ports.clock.now()) === undefined);
  // That none can be trusted has been said.
  if (first === undefined) return [];
  const until = first.notAfter.toISOString().slice(0, 10);
  return [
    ok('ca', `${uses.ca} ${source}: ${first.subject}, until ${until}`),
    ...wrong.map((text) => warn('ca', `${source}: ${text}.`, line`obk profile edit ${name} --ca FILE`)),
  ];
}

const incomplete = new Set([
  'chain-missing',
  'chain-gap',
  'chain-double',
  'chain-expired',
  'chain-not-yet-valid',
  'chain-no-authority',
]);

/** The command that makes a chain whole, from the certificates of the authorities that the trust service publishes. */
function completing(
  { name, profile }: Target,
  use: 'qsealc' | 'qwac',
  { rule, keyPath }: { rule: string; keyPath: string | undefined },
): string {
  const file = (use === 'qwac' ? profile.tlsCertificate : profile.certificate) ?? 'FILE';
  const from = use === 'qwac' ? profile.tlsKeyPassphraseFrom : profile.keyPassphraseFrom;
  const key = keyPath === undefined ? [] : ['--key', keyPath];
  const phrase = from === undefined ? [] : ['--passphrase-from', from];
  const more = rule === 'chain-double' ? [] : ['--chain', 'ISSUER.pem'];
  const flags = [...more, ...key, ...phrase];
  return line`obk cert import ${file} ${[...flags, '--as', use]} --profile ${name} --force`;
}

/** The authorities that the profile trusts; none where their file cannot be read, which is said elsewhere. */
async function authoritiesOf({ ports, profile }: Target): Promise<Uint8Array[]> {
  const file = profile.caCertificates;
  if (file === undefined) return [];
  try {
    const sets = await readCertificates(ports, { file }, () => Promise.resolve(undefined));
    return sets.flatMap(({ certificates }) => [...certificates]);
  } catch (error) {
    if (error instanceof ObkError) return [];
    throw error;
  }
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
  const { certificate, key, keyPassphraseFrom, tlsCertificate, tlsKey, tlsKeyPassphraseFrom } =
    target.profile;
  const reference = use === 'qwac' ? tlsKeyPassphraseFrom : keyPassphraseFrom;
  const file = use === 'qwac' ? (tlsKey ?? tlsCertificate) : (key ?? certificate);
  try {
    return await readPassphrase(target.ports, reference, file ?? '');
  } catch (error) {
    if (error instanceof ObkError && error.code === 'INTERACTION_NEEDED') return undefined;
    throw error;
  }
}

/** As `passphraseFor`, where the check of the files has said already that its reference leads nowhere. */
async function passphraseIfAny(target: Target, use: keyof typeof uses) {
  try {
    return await passphraseFor(target, use);
  } catch (error) {
    if (error instanceof ObkError && /^SECRET_/.test(error.code)) return undefined;
    throw error;
  }
}
