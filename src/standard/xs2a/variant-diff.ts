/** The differences between two variants of the interface, from the tables. */
import * as codes from './codes.ts';
import { answerHeaderOrigin, answerHeadersOf, declaredHeaders, headerOrigin } from './headers.ts';
import { linkFacts, linkOrigin } from './link-names.ts';
import { memberChanges } from './member-changes.ts';
import { operations } from './operations.ts';
import type { Need } from './header-rows.ts';
import type { Operation, QueryRule } from './operations.ts';
import {
  always,
  frameworks,
  isIn,
  newer,
  ofService,
  saidIn,
  sinceOf,
  sourceOf,
  untilOf,
  versionAfter,
} from './origin.ts';
import type { Framework, Origin, Source, Version } from './origin.ts';
import {
  absence,
  bodyOrigins,
  declaredBody,
  inVariant,
  operationName,
  operationNames,
  pathTemplate,
  queryOrigin,
  wireChanges,
  wireForm,
} from './variants.ts';
import type { Variant, WireName } from './variants.ts';

/** The subject of a difference. */
export type DifferenceKind =
  'variant' | 'operation' | 'path' | 'header' | 'query' | 'body' | 'member' | 'media' | 'link' | 'code';

/** One difference: `a` and `b` are what each side has of it, null where it has none. */
export interface VariantDifference {
  readonly kind: DifferenceKind;
  /** The operation, object or list. */
  readonly where: string;
  readonly what: string;
  readonly a: string | null;
  readonly b: string | null;
  /** The source of the difference. */
  readonly source: Source;
  /** The version of the framework that made the difference; null for one of the service. */
  readonly since: Version | null;
}

/** Every difference between two variants, in the order of the tables; empty for the same one. */
export function variantDifferences(a: Variant, b: Variant): readonly VariantDifference[] {
  const sides: Sides = [a.framework, b.framework];
  const there = (what: string, origin: Origin): Fact => [what, thereIn(a, origin), thereIn(b, origin)];
  return [
    ...differing(sides, 'variant', 'all', [
      ['framework', ofTheService(a.framework), ofTheService(b.framework)],
      ['prefix of paths', ofTheService(a.prefix), ofTheService(b.prefix)],
    ]),
    ...operations.flatMap((op) => operationDifferences(a, b, op)),
    ...(Object.keys(wireChanges) as WireName[]).flatMap((name) => {
      const { kind, where, what } = wireChanges[name];
      return differing(sides, kind, where, [[what, formIn(a, name), formIn(b, name)]]);
    }),
    ...memberChanges.flatMap(({ object, members, origin }) =>
      differing(
        sides,
        'member',
        object,
        members.map((name) => there(name, origin)),
      ),
    ),
    ...differing(
      sides,
      'link',
      '_links',
      linkFacts.map(({ name }) => there(name, linkOrigin(name))),
    ),
    ...Object.entries(codeLists).flatMap(([where, list]) =>
      differing(
        sides,
        'code',
        where,
        list.map(({ code, origin }) => there(code, origin)),
      ),
    ),
  ];
}

type Sides = readonly [a: Framework, b: Framework];
/** The value on one side, and its source. */
type Has = readonly [value: string, origin: Origin];
type Fact = readonly [what: string, a: Has | undefined, b: Has | undefined];

const ofTheService = (value: string): Has => [value, ofService];
const thereIn = ({ framework }: Variant, origin: Origin): Has | undefined =>
  isIn(framework, origin) ? ['there', origin] : undefined;

function formIn({ framework }: Variant, name: WireName): Has {
  const { form, origin } = wireForm(framework, name);
  return [form, origin];
}

function differing(
  [frameworkOfA, frameworkOfB]: Sides,
  kind: DifferenceKind,
  where: string,
  facts: readonly Fact[],
): VariantDifference[] {
  return facts.flatMap(([what, a, b]) => {
    if (a?.[0] === b?.[0]) return [];
    const said = [a && sourceIn(frameworkOfA, a[1]), b && sourceIn(frameworkOfB, b[1])];
    const source = agreed(said.filter((one) => one !== undefined));
    const missing = a === undefined ? frameworkOfA : frameworkOfB;
    const since = sinceBoth(source, missing, a?.[1], b?.[1]);
    return [{ kind, where, what, a: a?.[0] ?? null, b: b?.[0] ?? null, source, since }];
  });
}

const sourceIn = (framework: Framework, origin: Origin): Source =>
  saidIn(framework, origin) ?? sourceOf(origin);

/** Returns the source that both sides share, or `both` if they share none. */
function agreed(sources: readonly Source[]): Source {
  const narrow = [...new Set(sources)].filter((source) => source !== 'both');
  return narrow.length === 1 ? (narrow[0] ?? 'both') : 'both';
}

/** The version that brought the newer side, or that dropped what only one has; as the source has it. */
function sinceBoth(
  source: Source,
  missing: Framework,
  a: Origin | undefined,
  b: Origin | undefined,
): Version | null {
  const origins = [a, b]
    .flatMap((origin) => origin ?? [])
    .map(({ file, guidelines }): Origin => ({
      ...(source !== 'guidelines' && file !== undefined && { file }),
      ...(source !== 'file' && guidelines !== undefined && { guidelines }),
    }));
  const [only, other] = origins;
  const until = only !== undefined && other === undefined ? untilOf(only) : undefined;
  if (until !== undefined && newer(until, frameworks[missing].file) !== until)
    return versionAfter(until) ?? null;
  const brought = origins.flatMap((origin) => sinceOf(origin) ?? []);
  return brought.length === 0 ? null : brought.reduce(newer);
}

function operationDifferences(a: Variant, b: Variant, op: Operation): VariantDifference[] {
  const sides: Sides = [a.framework, b.framework];
  const offered = (variant: Variant) =>
    absence(variant, op.id) === undefined ? ofTheService('offered') : undefined;
  const [inA, inB] = [offered(a), offered(b)];
  if (inA === undefined && inB === undefined) return [];
  const path = (variant: Variant): Has => ofTheService(pathTemplate({ ...variant, prefix: '' }, op));
  const body = (variant: Variant): Has | undefined =>
    declaredBody(variant, op) === 'none' ? undefined : [op.body, bodyOrigins[op.id] ?? always];
  // An operation that only one variant offers is compared all the same: the frameworks may differ in it.
  return [
    ...differing(sides, 'operation', op.id, [[`${op.method} ${op.path}`, inA, inB]]),
    ...differing(sides, 'operation', op.id, [['operationId', named(a, op), named(b, op)]]),
    ...(inA === undefined || inB === undefined
      ? []
      : differing(sides, 'path', op.id, [['path', path(a), path(b)]])),
    ...differing(sides, 'header', op.id, paired(headersOf(a, op), headersOf(b, op))),
    ...differing(sides, 'query', op.id, paired(queryOf(a, op), queryOf(b, op))),
    ...differing(sides, 'body', op.id, [['body of the request', body(a), body(b)]]),
  ];
}

function named({ framework }: Variant, { id }: Operation): Has {
  const name = operationName(framework, id);
  return [name, name === id ? always : (operationNames[id]?.origin ?? always)];
}

type Facts = ReadonlyMap<string, Has>;

function paired(a: Facts, b: Facts): Fact[] {
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => [name, a.get(name), b.get(name)]);
}

const needs: Readonly<Record<Need, string>> = { m: 'mandatory', o: 'optional', c: 'conditional' };

/** Headers of the request, and of the answer in so many words. */
function headersOf(variant: Variant, op: Operation): Facts {
  return new Map([
    ...declaredHeaders(variant, op).map(
      ({ name, need }) => [name, [needs[need], headerOrigin(variant, op, name)]] as const,
    ),
    ...op.success
      .flatMap(({ status }) => answerHeadersOf(variant, op, status))
      .map(({ name, need }) => [`${name} of the answer`, [needs[need], answerHeaderOrigin(name)]] as const),
  ]);
}

function queryOf(variant: Variant, op: Operation): Facts {
  const said = ({ need, ifSupported }: QueryRule) =>
    ifSupported === true ? `${needs[need]}, if the bank supports it` : needs[need];
  return new Map(
    inVariant(variant, op).query.map(
      (rule) => [rule.name, [said(rule), queryOrigin(op.id, rule.name)]] as const,
    ),
  );
}

const codeLists: Readonly<Record<string, readonly { code: string; origin: Origin }[]>> = {
  transactionStatus: codes.transactionStatuses,
  scaStatus: codes.scaStatuses,
  consentStatus: codes.consentStatuses,
  tppMessages: codes.messageCodes,
  authenticationType: codes.authenticationTypes,
  balanceType: codes.balanceTypes,
  bookingStatus: codes.bookingStatuses,
  'bookingStatus of cards': codes.cardBookingStatuses,
  frequency: codes.frequencies,
  executionRule: codes.executionRules,
  chargeBearer: codes.chargeBearers,
  'status of an account': codes.accountStatuses,
  'values of all accounts': codes.allAccountsValues,
  availableAccounts: codes.availableAccountsValues.filter((row) => !codes.allAccountsValues.includes(row)),
};
