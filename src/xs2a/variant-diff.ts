/** What differs between two variants of the interface, from the tables. */
import * as codes from './codes.ts';
import { answerHeadersOf, declaredHeaders } from './headers.ts';
import { addedLinks } from './link-names.ts';
import { addedMembers } from './member-changes.ts';
import { operations } from './operations.ts';
import type { Need, Operation, QueryRule } from './operations.ts';
import { absence, declaredBody, inVariant, pathTemplate, wireNames } from './variants.ts';
import type { Framework, Variant } from './variants.ts';

/** One difference: `a` and `b` are what each side has of it, null where it has none. */
export interface VariantDifference {
  readonly kind: 'variant' | 'operation' | 'path' | 'header' | 'query' | 'body' | 'member' | 'link' | 'code';
  /** The operation, object or list. */
  readonly where: string;
  readonly what: string;
  readonly a: string | null;
  readonly b: string | null;
}

/** Every difference between two variants, in the order of the tables; empty for the same one. */
export function variantDifferences(a: Variant, b: Variant): readonly VariantDifference[] {
  return [
    ...differing('variant', 'all', [
      ['framework', a.framework, b.framework],
      ['prefix of paths', a.prefix, b.prefix],
    ]),
    ...operations.flatMap((op) => operationDifferences(a, b, op)),
    ...memberDifferences(a.framework, b.framework),
    ...listed('link', '_links', addedLinks, a.framework, b.framework),
    ...codeDifferences(a.framework, b.framework),
  ];
}

type Fact = readonly [what: string, a: string | null, b: string | null];

function differing(
  kind: VariantDifference['kind'],
  where: string,
  facts: readonly Fact[],
): VariantDifference[] {
  return facts.filter(([, a, b]) => a !== b).map(([what, a, b]) => ({ kind, where, what, a, b }));
}

function operationDifferences(a: Variant, b: Variant, op: Operation): VariantDifference[] {
  const offered = (variant: Variant) => (absence(variant, op.id) === undefined ? 'offered' : null);
  const [inA, inB] = [offered(a), offered(b)];
  if (inA === null || inB === null) {
    return differing('operation', op.id, [[`${op.method} ${op.path}`, inA, inB]]);
  }
  const path = (variant: Variant) => pathTemplate({ ...variant, prefix: '' }, op);
  const body = (variant: Variant) => (declaredBody(variant, op) === 'none' ? null : op.body);
  return [
    ...differing('path', op.id, [['path', path(a), path(b)]]),
    ...differing('header', op.id, paired(headersOf(a, op), headersOf(b, op))),
    ...differing('query', op.id, paired(queryOf(a, op), queryOf(b, op))),
    ...differing('body', op.id, [['body of the request', body(a), body(b)]]),
  ];
}

type Facts = ReadonlyMap<string, string>;

function paired(a: Facts, b: Facts): Fact[] {
  return [...new Set([...a.keys(), ...b.keys()])].map((name) => [
    name,
    a.get(name) ?? null,
    b.get(name) ?? null,
  ]);
}

const needs: Readonly<Record<Need, string>> = { m: 'mandatory', o: 'optional', c: 'conditional' };

/** Headers of the request, and of the answer in so many words. */
function headersOf(variant: Variant, op: Operation): Facts {
  return new Map([
    ...declaredHeaders(variant, op).map(({ name, need }) => [name, needs[need]] as const),
    ...op.success
      .flatMap(({ status }) => answerHeadersOf(variant, op, status))
      .map(({ name, need }) => [`${name} of the answer`, needs[need]] as const),
  ]);
}

function queryOf(variant: Variant, op: Operation): Facts {
  const said = ({ need, ifSupported }: QueryRule) =>
    ifSupported === true ? `${needs[need]}, if the bank supports it` : needs[need];
  return new Map(inVariant(variant, op).query.map((rule) => [rule.name, said(rule)] as const));
}

/** What the rows of `wireNames` are about. */
const renamed: Readonly<Record<keyof (typeof wireNames)['1.3.2'], readonly [where: string, what: string]>> = {
  cancellationList: ['list of cancellation authorisations', 'name of the list'],
  withBalanceAccess: ['access of a consent', 'all accounts with balances'],
  consentMessage: ['answer to a consent', 'text for the PSU'],
  addressStreet: ['address', 'street'],
  addressTown: ['address', 'town'],
  addressPostCode: ['address', 'post code'],
  challengeData: ['challengeData', 'type of data'],
  textLimit: ['tppMessages, psuMessage', 'longest text'],
  singleReads: ['one account, card account or transaction', 'object of the answer'],
};

function memberDifferences(a: Framework, b: Framework): VariantDifference[] {
  const names = Object.keys(renamed) as (keyof typeof renamed)[];
  return [
    ...names.flatMap((name) => {
      const [where, what] = renamed[name];
      return differing('member', where, [[what, String(wireNames[a][name]), String(wireNames[b][name])]]);
    }),
    ...addedMembers.flatMap(({ object, members }) => listed('member', object, members, a, b)),
  ];
}

/** What only 1.3.6 has. */
function listed(
  kind: VariantDifference['kind'],
  where: string,
  names: readonly string[],
  a: Framework,
  b: Framework,
): VariantDifference[] {
  const has = (framework: Framework) => (framework === '1.3.6' ? 'there' : null);
  return differing(
    kind,
    where,
    names.map((name) => [name, has(a), has(b)]),
  );
}

const codeLists: Readonly<
  Record<string, readonly { code: string; since: codes.Since; until?: Framework }[]>
> = {
  transactionStatus: codes.transactionStatuses,
  scaStatus: codes.scaStatuses,
  consentStatus: codes.consentStatuses,
  tppMessages: codes.messageCodes.filter(({ foreign }) => foreign !== true),
  authenticationType: codes.authenticationTypes,
  balanceType: codes.balanceTypes,
  bookingStatus: codes.bookingStatuses,
  frequency: codes.frequencies,
  executionRule: codes.executionRules,
  chargeBearer: codes.chargeBearers,
  'status of an account': codes.accountStatuses,
  'values of all accounts': codes.allAccountsValues,
};

function codeDifferences(a: Framework, b: Framework): VariantDifference[] {
  return Object.entries(codeLists).flatMap(([where, list]) =>
    differing(
      'code',
      where,
      list.map((row) => [
        row.code,
        codes.isKnown(a, row) ? 'there' : null,
        codes.isKnown(b, row) ? 'there' : null,
      ]),
    ),
  );
}
