import type { DescribedSignature } from '../../referee/signature/signature-rules.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import type { OperationId, Operation } from '../../standard/xs2a/operations.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { withoutNotes } from '../../settings/profile/notes.ts';
import { bankRow } from '../../settings/profile/table.ts';
import { presets, variantOf } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Everybody } from '../books/ledger-doors.ts';
import type { Scenario } from '../rules/scenario.ts';
import { defined } from '../../base/defined.ts';
import { clientIdOf } from './oauth-words.ts';
import { matchRequest } from '../../standard/xs2a/request.ts';

/**
 * A bank that departs from the standard as its description says. The rules of the bank inside know nothing of it: a request is
 * put into the standard before they see it, and their answer into the words of the bank afterwards.
 */
export interface Dialect {
  settings: BankSettings;
  /** The one interface that the bank serves. */
  variant: Variant;
  /** The switches that the description holds for as long as the bank runs. */
  pins: Partial<Scenario>;
  /** What holds for every PSU. */
  everybody: Everybody;
  /** What it wants of a signature beyond its family of banks. */
  signature: DescribedSignature;
  /** The operations that the bank does not have. */
  without: readonly OperationId[];
  /** Whether a path is one of the interface of the bank; here, so that a bank of the standard starts without what tells it. */
  isInterface: (path: string) => boolean;
}

/** The framework of a description that names none. */
const usualVersion = presets.v1.framework;

/** The bank of a description. */
export function dialectOf(described: BankSettings, framework = described.framework ?? usualVersion): Dialect {
  const settings = withoutNotes(bankRow, described);
  const usual = variantOf(framework);
  const variant = { ...usual, prefix: (settings.prefix ?? usual.prefix).replace(/\/$/, '') };
  return {
    settings,
    variant,
    pins: pinsOf(settings),
    everybody: everybodyIn(settings),
    signature: signatureIn(settings),
    without: withoutIn(settings),
    isInterface: (path) => isInterface({ settings, variant }, path),
  };
}

type Standard = (typeof operations)[number];

/** The operations that a description takes away by a setting about something else. */
const takenAway: readonly (readonly [
  by: (settings: BankSettings) => boolean,
  takes: (one: Standard) => boolean,
])[] = [
  [
    ({ payments }) => payments?.cancel?.allowed === false,
    ({ id, parent }) => id === 'cancelPayment' || parent === 'cancellation',
  ],
  [({ ais }) => ais?.cardAccounts === false, ({ parent }) => parent === 'card-account'],
  [({ consent }) => consent?.none === true, ({ parent }) => parent === 'consent'],
  [({ sca }) => sca?.statusFrom === 'resource', ({ id }) => id.endsWith('ScaStatus')],
  [({ sca }) => sca?.startMode === 'skip', ({ id }) => /^start\w+Authorisation$/.test(id)],
];

function withoutIn(settings: BankSettings): OperationId[] {
  const unsupported = Object.entries(settings.spec?.operations ?? {}).flatMap(([id, one]) =>
    one.supported === false ? [id as OperationId] : [],
  );
  const rules = takenAway.filter(([by]) => by(settings));
  const also = operations.filter((one) => rules.some(([, takes]) => takes(one)));
  return [...unsupported, ...also.map(({ id }) => id)];
}

type Pins = Partial<Scenario>;

/** What holds for every PSU of such a bank. */
function everybodyIn({ sca }: BankSettings): Everybody {
  const isEncrypted = sca?.startMode === 'encrypted' || sca?.passwordEncryption !== undefined;
  return {
    ...(isEncrypted && { encrypted: true }),
    ...(sca?.startMode === 'encrypted' && { start: 'encrypted' }),
    ...(sca?.startMode === 'withPsuAuthentication' && { start: 'plain' }),
    ...(sca?.confirmationCode === true && { confirmation: true }),
  };
}

/** The switches of the bank inside that say what a description says: its rules know these departures already. */
function pinsOf(settings: BankSettings): Pins {
  return {
    ...signing(settings),
    ...authentication(settings),
    ...access(settings.limits),
    ...resources(settings),
    ...reports(settings),
    ...(settings.errors?.shapes?.[0] === 'problem' && { errors: 'problem' }),
    ...defined({ surface: settings.surface }),
    ...(settings.requestIdSemantics !== undefined &&
      settings.requestIdSemantics !== 'unknown' && { requestId: settings.requestIdSemantics }),
  };
}

function signing({ signing: wanted }: BankSettings): Pins {
  if (wanted === undefined) return {};
  const { mode, preset, date } = wanted;
  // A detached JWS is no matter of the rules: the dialect verifies it.
  if (mode === 'none' || mode === 'jws') return { signature: 'off' };
  return {
    signature: 'required',
    ...((preset === 'adorsys' || preset === 'wso2') && { signatureProfile: preset }),
    ...(preset === undefined && date?.sign === true && { dateHeader: 'required' }),
  };
}

function authentication({ sca, auth }: BankSettings): Pins {
  const [only, ...others] = sca?.approaches ?? [];
  const integrated = auth?.mode === 'integrated' && only === undefined ? 'oauth' : undefined;
  const approach = sca?.preferred ?? (others.length === 0 ? only : undefined) ?? integrated;
  const { startMode, redirectLifetimeS } = sca ?? {};
  return {
    ...defined({ approach }),
    ...(auth?.mode === 'preStep' && { oauthPreStep: 'required' }),
    ...(auth?.mode === 'integrated' && { oauthToken: 'required' }),
    ...((startMode === 'implicit' || startMode === 'skip') && { explicitPreferred: 'ignored' }),
    ...(redirectLifetimeS !== undefined && { redirectLink: `${String(redirectLifetimeS)}-seconds` }),
  };
}

function resources({ consent, payments }: BankSettings): Pins {
  const { validDays, maxFrequency } = consent ?? {};
  const { needsSca, allowed } = payments?.cancel ?? {};
  return {
    ...(validDays !== undefined && { validUntil: `${String(validDays)}-days` }),
    ...(maxFrequency !== undefined && { frequencyPerDay: `up-to-${String(maxFrequency)}` }),
    ...(payments?.statusFormat === 'pain.002' && { statusFormat: 'xml' }),
    ...(payments?.statusFormat === 'json' && { statusFormat: 'json' }),
    ...(allowed !== false &&
      needsSca !== undefined && { cancellation: needsSca ? 'always-sca' : 'never-sca' }),
  };
}

const formats: Readonly<Record<string, string>> = { mt940: 'text', 'camt.054': 'camt.052' };

function reports({ ais, reports: pages }: BankSettings): Pins {
  const known = [...new Set((ais?.transactionFormats ?? []).map((format) => formats[format] ?? format))];
  const statuses = (ais?.bookingStatus ?? []).filter((status) => status !== 'all');
  return {
    ...(known.length > 0 && { reportFormats: known.join(',') }),
    ...(statuses.length > 0 && { bookingStatuses: statuses.join(',') }),
    ...(pages?.paging === 'index' && { pageNumbers: 'accept' }),
  };
}

/** A day is counted under each consent. A rate by the minute is told by the switch too; all others the dialect alone knows. */
function access({ perDayPerAccess, rate }: NonNullable<BankSettings['limits']> = {}): Pins {
  const isByMinute = rate !== undefined && /^[1-9]\d{0,5}$/.test(rate);
  return {
    ...(perDayPerAccess !== undefined && { frequencyPerDay: `up-to-${String(perDayPerAccess)}` }),
    ...(rate === 'off' && { rateLimit: rate }),
    ...(isByMinute && { rateLimit: `${Number(rate)}-per-minute` }),
  };
}

type Signing = NonNullable<BankSettings['signing']>;

/** The names that the guidelines want signed, for a description that says nothing of them. */
const usualNames = ['digest', 'x-request-id', 'psu-id?', 'psu-corporate-id?', 'tpp-redirect-uri?'];

/** What a description wants of a signature beyond the family of banks that it names (signing.preset). */
function signatureIn({ signing = {}, auth }: BankSettings): DescribedSignature {
  const { mode, hash, algorithmLabel, signatureEncoding, order, requiredFor } = signing;
  if (mode === 'none') return {};
  if (mode === 'jws') return digestIn(signing);
  const { certificateHeader } = signing;
  return {
    ...digestIn(signing),
    ...namesIn(signing),
    ...keyIdIn(signing),
    ...defined({ order, hash, label: algorithmLabel, encoding: signatureEncoding }),
    ...(certificateHeader !== undefined && { certificate: certificateForms[certificateHeader] }),
    ...defined({ requiredFor }),
    ...(auth?.clientId === 'tokenReply' && { clientIdOf }),
  };
}

const certificateForms = {
  bare: 'bare',
  pemOneLine: 'pem-line',
  pemUrlEncoded: 'pem-url',
  'base64-of-pem': 'pem-base64',
  none: 'none',
} as const;

function digestIn({ digest }: Signing): Pick<DescribedSignature, 'digest' | 'emptyBody'> {
  const { algorithm, emptyBody } = digest ?? {};
  return {
    ...defined({ digest: algorithm }),
    ...(emptyBody !== undefined && { emptyBody: emptyBody === 'empty' ? '' : emptyBody }),
  };
}

/** The names in their order: method and path first and Date last, where the list does not say it. */
function namesIn(signing: Signing): Pick<DescribedSignature, 'names'> {
  const { preset, headers, requestTarget, date, digest, order } = signing;
  const isOmitted = digest?.emptyBody === 'omit';
  const says = [headers, requestTarget, date?.sign, order].some((one) => one !== undefined) || isOmitted;
  if (!says) return {};
  const listed = (headers ?? usualNames).map((name) => name.toLowerCase());
  const hasDate = date?.sign ?? preset === 'adorsys';
  const names = [
    ...(requestTarget === true && !listed.includes('(request-target)') ? ['(request-target)'] : []),
    ...listed.map((name) => (isOmitted && name === 'digest' ? 'digest?' : name)),
    ...(hasDate && !listed.includes('date') ? ['date'] : []),
  ];
  return { names };
}

function keyIdIn({ preset, keyId }: Signing): Pick<DescribedSignature, 'keyId'> {
  if (keyId === undefined) return {};
  const { template = 'SN={serial},CA={issuer}', serial = 'hex' } = keyId;
  return {
    keyId: { template, serial, issuer: keyId.issuer ?? (preset === 'wso2' ? 'rfc2253' : 'rfc2253-%20') },
  };
}

/** What tells the places of a bank. */
interface Described {
  settings: BankSettings;
  variant: Variant;
}

/** The values of a template's parameters in a path; undefined where the path is another one. */
export function valuesIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [template.split('/'), path.replace(/\/$/, '').split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const own = given[at] ?? '';
    const [, name] = /^\{(.+)\}$/.exec(part) ?? [];
    if (name === undefined ? part !== own : own === '') return undefined;
    if (name !== undefined) values[name] = own;
  }
  return values;
}

/** The operations that the bank has at places of its own. */
export function movedIn({ settings }: Described): { operation: Operation; method: string; path: string }[] {
  const own = settings.spec?.operations ?? {};
  return operations.flatMap((operation) => {
    const { path, method } = own[operation.id] ?? {};
    if (path === undefined && method === undefined) return [];
    return [{ operation, method: method ?? operation.method, path: path ?? '' }];
  });
}

/** Whether a path is one of the interface of the bank. */
function isInterface(described: Described, path: string): boolean {
  const { prefix } = described.variant;
  if (prefix !== '' && path.startsWith(`${prefix}/`)) return true;
  if (movedIn(described).some((moved) => moved.path !== '' && valuesIn(moved.path, path) !== undefined))
    return true;
  if (prefix !== '') return false;
  const match = matchRequest({ ...described.variant, surface: 'framework' }, 'GET', path);
  return !('known' in match);
}
