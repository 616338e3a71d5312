import { headerRule } from '../../../settings/profile/header-rule.ts';
import {
  any,
  each,
  list,
  map,
  number,
  numberOrNull,
  object,
  oneOf,
  orNull,
  text,
  textOrNull,
  truth,
} from '../../../base/schema.ts';
import { where } from '../output/shapes.ts';
import { printedBy } from './schema.ts';
import type { Outputs } from './schema.ts';
import type { SettingRow } from '../../../settings/profile/row.ts';
import { profileRows } from '../../../settings/profile/table.ts';
import type { Schema } from '../../../base/schema.ts';

/** The schema of a setting, from its row. */
function schemaOf(row: SettingRow): Schema {
  switch (row.kind) {
    case 'choice':
      return oneOf(...row.values);
    case 'yes-no':
      return truth;
    case 'number':
    case 'duration':
      return number;
    case 'list':
      return list(schemaOf(row.of));
    case 'map':
      return map(schemaOf(row.of));
    case 'group': {
      const names = Object.keys(row.members);
      const members = (some: readonly string[]) => schemasOf(row.members, some);
      return object(members(row.needs), members(names.filter((name) => !row.needs.includes(name))));
    }
    default:
      return text;
  }
}

function schemasOf(
  rows: Readonly<Record<string, SettingRow>>,
  names: readonly string[],
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, row]) =>
      names.includes(name) ? [[name, schemaOf(row)] as const] : [],
    ),
  );
}

const rows: Readonly<Record<string, SettingRow>> = profileRows;
const needed = ['environment', 'framework', 'prefix', 'surface'];

/** The settings that every profile has, and the others. */
const settings = {
  required: schemasOf(rows, needed),
  optional: schemasOf(
    rows,
    Object.keys(rows).filter((name) => !needed.includes(name)),
  ),
};

const token = {
  kind: oneOf('pre-step', 'payment', 'consent', 'basket', 'resource'),
  ...each(textOrNull, 'resource authorisationId psuId scope expiresAt'),
  refreshable: truth,
  sha256: text,
  stored: text,
};
const tokens = object({ ...where, ...token }, {}, 'An access token; never the token itself.');
const site = { store: oneOf('files', 'postgres'), place: text, schema: textOrNull };
const migrated = { ...site, ...each(number, 'before after') };
const finding = object({ check: text, state: oneOf('ok', 'warn', 'fail'), text, hint: textOrNull });
const severity = oneOf('error', 'warning', 'note');
const need = { enum: ['mandatory', 'conditional', 'optional', null] };
const summary = object({ ...each(text, 'path subject issuer serial notBefore notAfter'), daysLeft: number });
const qcStatements = object(
  {
    compliance: truth,
    types: list(text),
    sscd: truth,
    pds: list(object(each(text, 'url language'))),
    others: list(text),
  },
  {
    retentionYears: number,
    psd2: object({ roles: list(object(each(text, 'oid name'))), ...each(text, 'ncaName ncaId') }),
  },
);

export const setup = {
  stateInit: printedBy('state init', object({ ...migrated, role: text, statements: list(text) })),
  stateMigrated: printedBy('state migrate', object(migrated)),
  stateStatus: printedBy(
    'state status',
    object({
      ...{ ...site, engine: text },
      ...each(number, 'schemaVersion supportedVersion bytes'),
      kinds: list(object({ kind: text, count: number, bytes: numberOrNull })),
      profiles: list(text),
      keys: list(object({ key: text, values: number, ...each(truth, 'known current') })),
      sessions: list(
        object({
          pid: number,
          ...each(text, 'application user'),
          ...each(textOrNull, 'address since'),
          self: truth,
        }),
      ),
      unknown: object({
        count: number,
        oldest: orNull(object({ run: text, ...each(textOrNull, 'profile operation at') })),
      }),
    }),
  ),
  stateMoved: printedBy(
    ['state import', 'state export'],
    object({
      moved: list(object({ kind: text, ...each(number, 'moved same') }, { note: text })),
    }),
  ),
  stateRekeyed: printedBy('state rekey', object({ sealed: list(object({ kind: text, sealed: number })) })),
  stateVerified: printedBy(
    'state verify',
    object({
      ok: truth,
      places: list(object({ place: text, there: truth, rows: number })),
      faults: list(object({ ...each(text, 'place text hint'), ...each(textOrNull, 'table key') })),
    }),
  ),
  stateBackup: printedBy('state backup', object({ file: text })),
  stateDoctor: printedBy('state doctor', object({ ok: truth, findings: list(finding) })),
  login: printedBy('auth login', {
    description: 'The access token, or where the PSU must go for it.',
    anyOf: [tokens, object({ ...where, psuId: textOrNull, url: text, next: text })],
  }),
  token: printedBy('auth refresh', tokens),
  tokens: printedBy(
    'auth status',
    list(
      object({ ...token, state: oneOf('good', 'to be refreshed', 'over'), profile: text }),
      'The access tokens kept for a profile; never the tokens themselves.',
    ),
  ),
  logout: printedBy(
    'auth logout',
    object(
      { ...where, erased: numberOrNull, revoked: number },
      {},
      'How many tokens were erased here, and taken back at the bank.',
    ),
  ),
  profile: printedBy(
    ['profile show', 'profile create', 'profile edit', 'profile import'],
    object(
      { name: text, ...settings.required },
      { ...settings.optional, extends: text, without: list(text), inherited: map(text) },
      'A profile with its settings, inherited ones too; secrets only as references.',
    ),
  ),
  profiles: printedBy(
    'profile list',
    list(
      object({
        active: truth,
        name: text,
        ...Object.fromEntries(Object.entries(settings.required).map(([key, one]) => [key, orNull(one)])),
        ...each(textOrNull, 'baseUrl extends error'),
      }),
      'Profiles; of one that cannot be used, `error` says why, and what cannot be read is null.',
    ),
  ),
  profileInUse: printedBy(
    'profile use',
    object({ name: text, environment: where.environment, baseUrl: textOrNull }),
  ),
  profileFile: printedBy(
    'profile export',
    object(
      { obkProfile: oneOf(1), name: text, settings: object(settings.required, settings.optional) },
      {},
      'A profile for another machine, as profile import takes it.',
    ),
  ),
  profileDeleted: printedBy('profile delete', object({ name: text, deleted: oneOf(true), wasActive: truth })),
  bankLint: printedBy(
    'bank lint',
    object({
      of: oneOf('profile', 'bank'),
      name: text,
      ...each(number, 'errors warnings'),
      findings: list(
        object(
          { setting: text, severity: oneOf('error', 'warning'), text },
          { place: text, ...each(number, 'line column') },
        ),
        'place: where config.json says it, such as profiles.acme.lint.charset; line and column: where a file does.',
      ),
    }),
  ),
  bankExplanation: printedBy(
    'bank explain',
    object(
      {
        ...where,
        ...each(text, 'operation url body requestIdSemantics'),
        service: oneOf('PIS', 'AIS', 'PIIS', 'SBS'),
        method: oneOf('GET', 'POST', 'PUT', 'DELETE'),
        query: list(object({ name: text, need, origin: oneOf('standard', 'descriptor') })),
        forms: list(object(each(text, 'setting value'))),
        headers: list(
          object({
            name: text,
            value: textOrNull,
            state: oneOf('sent', 'dropped', 'missing', 'absent'),
            origin: { enum: ['standard', 'profile', 'run', 'descriptor', 'signing', null] },
            need,
            source: { enum: ['file', 'guidelines', 'both', null] },
            signed: truth,
            rule: orNull(schemaOf(headerRule)),
          }),
        ),
        signing: object({ mode: text, headers: list(text) }),
        links: object({ ...each(text, 'base prefix host query'), origins: list(text), aliases: map(text) }),
        rate: { anyOf: [oneOf('off'), object(each(number, 'calls windowMs'))] },
      },
      {},
      'The request of an operation; values in braces are made when it is sent.',
    ),
  ),
  bankDescription: printedBy(
    'bank show',
    map(any, 'The file of a bank with all that it extends (obk bank schema).'),
  ),
  descriptorSchema: printedBy(
    'bank schema',
    map(any, 'A JSON Schema (draft 2020-12) of the file that describes a bank.'),
  ),
  settingChanged: printedBy(
    ['config set', 'config unset'],
    object({ key: text, value: any, profile: textOrNull }),
  ),
  projectFile: printedBy(
    'config trust',
    object({
      ...each(text, 'path sha256'),
      trusted: truth,
      settings: orNull(object({}, { profile: text, requireEnvironment: where.environment })),
    }),
  ),
  whoami: printedBy(
    'whoami',
    object({
      ...where,
      origin: oneOf('flag', 'env', 'project', 'active', 'built-in'),
      ...each(textOrNull, 'from baseUrl psuId consentId'),
      ...each(text, 'framework prefix surface settings credentials state version'),
      policy: any,
      certificate: orNull({ anyOf: [summary, object({ error: text })] }),
      token: orNull(truth),
      tokenStore: oneOf('file', 'keyring', 'database'),
      stateStore: oneOf('files', 'postgres'),
      stateUrlFrom: textOrNull,
    }),
  ),
  doctor: printedBy('doctor', {
    anyOf: [
      object({
        ...where,
        ok: truth,
        findings: list(finding),
      }),
      list(
        object({
          profile: text,
          state: oneOf('ok', 'soon', 'bad'),
          ...each(textOrNull, 'environment certificate consentUntil tokenUntil lastGoodCall error'),
          ...each(number, 'consents tokens pending'),
          certificateDaysLeft: numberOrNull,
        }),
      ),
    ],
  }),
  certificateMade: printedBy(
    'cert create',
    object({
      type: oneOf('qsealc', 'qwac'),
      ...each(text, 'certificate key ca caKey notAfter'),
      newAuthority: truth,
    }),
  ),
  certificateImported: printedBy(
    'cert import',
    object({
      as: oneOf('qsealc', 'qwac'),
      ...each(text, 'subject notAfter certificate'),
      key: textOrNull,
      encrypted: truth,
      profile: textOrNull,
    }),
  ),
  certificates: printedBy(
    'cert inspect',
    list(
      object({
        ...each(
          text,
          'source format subject issuer serial serialDecimal notBefore notAfter signatureAlgorithm pem',
        ),
        ...each(number, 'position of daysLeft'),
        ...each(truth, 'selfSigned isCa'),
        ...each(list(text), 'keyUsages extendedKeyUsages policies odd'),
        use: { enum: ['qsealc', 'qwac', 'ca', null] },
        organizationIdentifier: textOrNull,
        organization: orNull(object(each(text, 'scheme country number'), { authority: text })),
        cabfOrganizationIdentifier: orNull(object(each(text, 'scheme country reference'), { state: text })),
        key: object({ type: text }, { size: number, curve: text }),
        alternativeNames: list(object({ type: text, value: text })),
        qcStatements: orNull(qcStatements),
        fingerprints: object(each(text, 'sha256 sha1')),
        keyIds: map(text),
      }),
      'Certificates, the leaf of each chain first.',
    ),
  ),
  certificateLint: printedBy(
    'cert lint',
    object({
      certificates: list(object(each(text, 'source as subject'))),
      ...each(number, 'errors warnings'),
      findings: list(
        object(
          { source: text, rule: text, severity, text, hint: text, certificate: number },
          { bankCode: text },
        ),
      ),
    }),
  ),
  completion: printedBy('completion', object(each(text, 'shell file script'))),
} as const satisfies Outputs;
