import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { BankDescriptor, BankHeaderRule } from '../../settings/records/bank-descriptor.ts';
import type { Header } from '../../settings/records/wire.ts';
import { queryOfBank } from '../../standard/xs2a/query-of-bank.ts';
import { namesToSign } from '../../signing/sign-request.ts';
import { headerOrigin, headersOf } from '../../standard/xs2a/headers.ts';
import type { HeaderName } from '../../standard/xs2a/header-rows.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { saidIn } from '../../standard/xs2a/origin.ts';
import type { Source } from '../../standard/xs2a/origin.ts';
import { absence, declaredBody, inVariant, pathTemplate } from '../../standard/xs2a/variants.ts';
import { baseOf, linksOf } from '../exchange/addresses.ts';
import { composeHeaders } from '../call/bank-headers.ts';
import type { Composed, OriginHeader } from '../call/bank-headers.ts';
import { psuHeaders, usualHeaders } from '../call/psu-headers.ts';
import { bodyForms, opened } from '../call/operation-of-bank.ts';
import type { BodyForm } from '../call/operation-of-bank.ts';
import { rateOf } from '../call/rate-limit.ts';
import { preferenceHeaders } from '../call/tpp-preferences.ts';
import type { Rate } from '../../settings/profile/rate.ts';
import { usualReport } from '../accounts/report-query.ts';
import type { Target } from '../exchange/target.ts';

/** A header of a request that is explained; a value in braces is made when the request is. */
export interface ExplainedHeader {
  name: string;
  value: string | null;
  /** `missing` keeps the request from being sent; `absent` ones are declared and not known here. */
  state: 'sent' | 'dropped' | 'missing' | 'absent';
  /** The source that adds or removes it: the standard, the profile, this run, the descriptor or signing. */
  origin: 'standard' | 'profile' | 'run' | 'descriptor' | 'signing' | null;
  /** How the standard demands it; null where it does not know it with this operation. */
  need: 'mandatory' | 'conditional' | 'optional' | null;
  /** The document that says that the operation has it; null if none does. */
  source: Source | null;
  signed: boolean;
  /** The rule of the descriptor behind it. */
  rule: BankHeaderRule | null;
}

/** The request that results for an operation from the standard, the descriptor of the bank and the profile. */
export interface ExplainedOperation {
  operation: string;
  service: Operation['service'];
  method: Operation['method'];
  /** With the names of path parameters in braces. */
  url: string;
  query: readonly {
    name: string;
    need: NonNullable<ExplainedHeader['need']>;
    origin: 'standard' | 'descriptor';
  }[];
  body: Operation['body'];
  /** How the descriptor wants the body written. */
  forms: readonly BodyForm[];
  headers: readonly ExplainedHeader[];
  signing: { mode: string; headers: readonly string[] };
  links: {
    base: string;
    prefix: string;
    origins: readonly string[];
    host: 'strict' | 'ignore';
    query: 'verbatim';
    aliases: NonNullable<NonNullable<BankDescriptor['links']>['aliases']>;
  };
  rate: Rate | 'off';
  requestIdSemantics: string;
}

const needs = { m: 'mandatory', c: 'conditional', o: 'optional' } as const;
const reports: Readonly<Partial<Record<Operation['id'], 'account' | 'card'>>> = {
  getTransactionList: 'account',
  getCardAccountTransactionList: 'card',
};

/** Explains what a call of the operation would be; nothing is signed or sent. Throws NOT_OFFERED. */
export function explainOperation(target: Target, row: Operation): ExplainedOperation {
  const { variant, profile, signing } = target;
  const why = absence(variant, row.id);
  if (why !== undefined) {
    throw new ObkError({
      code: 'NOT_OFFERED',
      title: `${row.id} is not part of this profile's interface: ${why}.`,
      hint: [line`obk profile edit ${target.name} --surface framework   # where the bank offers more`],
    });
  }
  const whole = opened(target, row);
  const op = inVariant(variant, whole);
  const standardQuery = new Set(inVariant(variant, row).query.map(({ name }) => name));
  const own = profile.spec?.operations?.[op.id] ?? {};
  const { allow, forbid, add } = queryOfBank(profile, op.id);
  const isTaken = (name: string) =>
    !forbid.includes(name) &&
    (allow?.includes(name) ?? true) &&
    !(name === 'withBalance' && profile.ais?.withBalance === false);
  const hasBody = declaredBody(variant, op) !== 'none';
  const report = reports[op.id];
  const composed = composeHeaders(target, op, {
    requestId: '{new UUID}',
    date: '{now}',
    contentType: hasBody ? (op.body === 'payment' ? '{that of the payment}' : 'application/json') : undefined,
    qwac: (profile.tlsCertificate ?? profile.certificate) === undefined ? undefined : '{its TLS certificate}',
    input: {
      headers: givenHeaders(target, op),
      ...(report === undefined ? {} : { usualAccept: usualReport(profile, report) }),
    },
  });
  const signed = signedNames(target, op, composed, hasBody);
  const { host, origins, base, prefix } = linksOf(target, op);
  return {
    operation: op.id,
    service: op.service,
    method: own.method ?? op.method,
    url: baseOf(target, op.service) + (own.path ?? pathTemplate(variant, op)),
    query: [
      ...op.query
        .filter(({ name }) => isTaken(name))
        .map(({ name, need }) => ({
          name,
          need: needs[need],
          origin: standardQuery.has(name) ? ('standard' as const) : ('descriptor' as const),
        })),
      ...Object.keys(add)
        .filter((name) => op.query.every((one) => one.name !== name))
        .map((name) => ({ name, need: needs.m, origin: 'descriptor' as const })),
    ],
    body: op.body,
    forms: [...bodyForms(target, op.id), ...wishes(target, op)],
    headers: headerRows(target, { row, whole }, composed, signed),
    signing: { mode: signing.mode, headers: signed },
    links: { base, prefix, origins, host, query: 'verbatim', aliases: profile.links?.aliases ?? {} },
    rate: rateOf(target, op.id),
    requestIdSemantics: profile.requestIdSemantics ?? 'unknown',
  };
}

/** What else the descriptor wants of an operation, by its settings. */
function wishes({ profile }: Target, op: Operation): BodyForm[] {
  const { first } = profile.headers?.psuId ?? {};
  const { tokenHeader, mode, operations = {} } = profile.auth ?? {};
  const form = (setting: string, value: string | number | undefined): BodyForm[] =>
    value === undefined ? [] : [{ setting, value: String(value) }];
  const namesPsu = op.headers.some((set) => set.startsWith('PSU4'));
  const products = Object.entries(profile.payments?.matrix ?? {}).map(
    ([service, of]) => `${service}: ${Object.keys(of).join(', ')}`,
  );
  return [
    ...form('auth.mode', operations[op.id] ?? mode),
    ...form('auth.tokenHeader', tokenHeader),
    ...(namesPsu ? form('headers.psuId.first', first) : []),
    ...(op.id === 'initiatePayment' ? form('payments.matrix', products.join('; ') || undefined) : []),
    ...form('headers.contentType', profile.headers?.contentType?.[op.id]),
  ];
}

/** The headers that a flow would send: all values known from the profile, and ids as the call would supply them. */
function givenHeaders(target: Target, op: Operation): Header[] {
  const known = target.psu.ipAddress !== undefined || target.environment === 'sandbox';
  const reads = op.headers.includes('CIDm');
  // For account data only the call decides whether the PSU is present, and so whether there is an address.
  const asked = { ...op, headers: op.headers.filter((set) => !set.startsWith('IP') || (known && !reads)) };
  return [
    ...usualHeaders(target, asked),
    ...(op.method === 'PUT' ? psuHeaders(target) : []),
    ...preferenceHeaders(target, op.id),
    ...(reads ? [['Consent-ID', '{consentId}'] as const] : []),
  ];
}

function signedNames(target: Target, op: Operation, { headers }: Composed, hasBody: boolean): string[] {
  const { signing } = target;
  if (signing.mode === 'none' || signing.requiredFor?.includes(op.id) === false) return [];
  const hasDigest = hasBody || signing.digest.emptyBody !== 'omit';
  if (signing.mode === 'jws') return signing.jws.pars.map((name) => name.replace('?', ''));
  return namesToSign(
    signing,
    headers.map(({ name, value }) => [name, value] as const),
    hasDigest,
  );
}

/** The document that says, in this framework, that the operation has the header. */
function sourceOfHeader({ variant }: Target, op: Operation, name: HeaderName): Source | null {
  return saidIn(variant.framework, headerOrigin(variant, op, name)) ?? null;
}

/** The rows of an operation: as the framework has it, and as a whole with what the descriptor adds. */
function headerRows(
  target: Target,
  { row: standard, whole }: { row: Operation; whole: Operation },
  composed: Composed,
  signed: readonly string[],
): ExplainedHeader[] {
  const declared = headersOf(target.variant, standard);
  const isDeclared = (name: string) =>
    declared.some((header) => header.name.toLowerCase() === name.toLowerCase());
  const added = headersOf(target.variant, whole).filter(({ name }) => !isDeclared(name));
  const isAdded = (name: string) => added.some((header) => header.name.toLowerCase() === name.toLowerCase());
  const row = (name: string, rest: Partial<ExplainedHeader>): ExplainedHeader => {
    const lower = name.toLowerCase();
    const known = declared.find((header) => header.name.toLowerCase() === lower);
    const need = known?.need;
    return {
      name,
      value: null,
      state: 'sent',
      origin: null,
      need: need === undefined ? null : needs[need],
      source: known === undefined ? null : sourceOfHeader(target, standard, known.name),
      signed: signed.includes(lower),
      rule: null,
      ...rest,
    };
  };
  const rows = [
    ...composed.headers.map((header) =>
      row(header.name, {
        value: header.value,
        origin: isAdded(header.name) ? 'descriptor' : originOf(target, header),
        rule: header.rule ?? null,
      }),
    ),
    ...(target.token !== undefined || target.logins.length > 0
      ? [row('Authorization', { value: 'Bearer {token}', origin: 'profile' })]
      : []),
    ...composed.secrets.map(({ name, rule }) => row(name, { value: '[secret]', origin: 'descriptor', rule })),
    ...madeBySigning(target, signed).map((name) => row(name, { value: '{made}', origin: 'signing' })),
    ...composed.dropped.map(({ name, rule }) => row(name, { state: 'dropped', origin: 'descriptor', rule })),
    ...composed.missing.map((rule) => row(rule.name, { state: 'missing', origin: 'descriptor', rule })),
  ];
  const named = new Set(rows.map(({ name }) => name.toLowerCase()));
  const isOther = ({ name }: { name: string }) => !named.has(name.toLowerCase());
  return [
    ...rows,
    ...declared
      .filter(isOther)
      .map(({ name, need }) =>
        row(name, need === 'm' ? { state: 'missing', origin: 'standard' } : { state: 'absent' }),
      ),
    ...added.filter(isOther).map(({ name }) => row(name, { state: 'absent', origin: 'descriptor' })),
  ];
}

function madeBySigning({ signing }: Target, signed: readonly string[]): string[] {
  if (signing.mode === 'none' || signed.length === 0) return [];
  return [
    ...(signed.includes('digest') ? ['Digest'] : []),
    signing.mode === 'jws' ? 'x-jws-signature' : signing.carrier,
    ...(signing.certificateHeader === 'none' ? [] : ['TPP-Signature-Certificate']),
  ];
}

/** Whether this run or the profile knows it; what the flow makes is the standard's. */
function originOf(
  { run, profile }: Target,
  { name, value, origin }: OriginHeader,
): ExplainedHeader['origin'] {
  if (origin !== 'call') return origin;
  const given = [
    run.psu?.id,
    run.psu?.idType,
    run.psu?.corporateId,
    run.psu?.corporateIdType,
    run.psu?.ipAddress,
  ];
  if (value.startsWith('{')) return 'standard';
  if (
    name.toLowerCase() === 'psu-ip-address' &&
    profile.psu?.ipAddress === undefined &&
    run.psu?.ipAddress === undefined
  )
    return 'standard';
  return /^psu-/i.test(name) && given.includes(value) ? 'run' : 'profile';
}
