import { describe, expect, it } from 'vitest';
import {
  accountStatuses,
  allAccountsValues,
  balanceTypes,
  basketStatuses,
  bookingStatuses,
  chargeBearers,
  consentStatuses,
  executionRules,
  frequencies,
  messageCodes,
  otpFormats,
  scaApproaches,
  scaStatuses,
  transactionStatuses,
  valuesIn,
} from '../../src/xs2a/codes.ts';
import { explanations } from '../../src/xs2a/explain.ts';
import { answerHeadersOf, declaredHeaders } from '../../src/xs2a/headers.ts';
import { addedLinks } from '../../src/xs2a/link-names.ts';
import { linkFacts, canonicalLink } from '../../src/xs2a/links.ts';
import { addedMembers, newMemberNames } from '../../src/xs2a/member-changes.ts';
import { operations } from '../../src/xs2a/operations.ts';
import { paymentServices, products } from '../../src/xs2a/products.ts';
import { declaredBody, inVariant, pathTemplate, wireNames } from '../../src/xs2a/variants.ts';
import type { Framework, Variant } from '../../src/xs2a/variants.ts';
import { hasOfficialFiles, official, officialDocument } from '../helpers/official.ts';
import type { Schema } from '../helpers/official.ts';

const frameworks: readonly Framework[] = ['1.3.2', '1.3.6'];
const variantOf = (framework: Framework): Variant => ({ framework, prefix: '', surface: 'framework' });

if (!hasOfficialFiles()) {
  console.warn('SKIPPED: the official OpenAPI files are not here, set OBK_SPEC_DIR to their folder');
  it.skipIf(process.env['OBK_REQUIRE_SPEC'] === undefined)(
    'SKIPPED: the official OpenAPI files are not here, set OBK_SPEC_DIR to their folder',
    () => {
      expect.fail('OBK_REQUIRE_SPEC is set, but the official files are not here');
    },
  );
}

describe.runIf(hasOfficialFiles()).each(frameworks)('the table and the official file of %s', (framework) => {
  const variant = variantOf(framework);
  const file = hasOfficialFiles() ? official(framework).operations : [];
  const officialOf = (id: string) => file.find(({ operationId }) => operationId === id)!;

  it('have the same operations, the extended service apart', () => {
    const ours = operations.map((op) => `${op.method} ${pathTemplate(variant, op)} ${op.id}`);
    const theirs = file
      .map(({ method, path, operationId }) => `${method} ${path} ${operationId}`)
      .filter((line) => !line.endsWith('listOfTrustedBeneficiaries'));
    expect(ours.sort()).toEqual(theirs.sort());
  });

  it.each(operations.map((op) => [op.id, op] as const))('agree on %s', (id, op) => {
    const { parameters, responses, requestBody } = officialOf(id);
    const declared = (place: string) =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, required }) => `${name}${required === true ? '*' : ''}`)
        .filter((name) => name !== 'Authorization')
        .sort();
    const marked = (rules: readonly { name: string; need: string }[]) =>
      rules.map(({ name, need }) => `${name}${need === 'm' ? '*' : ''}`).sort();

    expect(op.success.map(({ status }) => String(status)).sort()).toEqual(
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .sort(),
    );
    // Accept is of the guidelines; the files leave it out on purpose.
    expect(marked(declaredHeaders(variant, op).filter(({ name }) => name !== 'Accept'))).toEqual(
      declared('header'),
    );
    expect(marked(inVariant(variant, op).query)).toEqual(declared('query'));
    expect(declaredBody(variant, op) !== 'none').toBe(requestBody !== undefined);
    for (const { status, answer } of op.success) {
      const theirs = Object.keys(responses[status]!.headers ?? {}).sort();
      // The files also declare a Location for the confirmation of funds, which creates nothing.
      const expected = theirs.filter((name) => name !== 'Location' || answer !== 'funds-confirmation');
      expect(
        answerHeadersOf(variant, op, status)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(expected);
      expect(responses[status]!.content !== undefined).toBe(answer !== 'none');
    }
  });

  it('agree on every code list', () => {
    const { schemas } = official(framework);
    const enumOf = (name: string, ...path: string[]): unknown[] =>
      path
        .reduce<Schema>((at, key) => at.properties?.[key] ?? {}, schemas[name] ?? {})
        .enum!.map(String)
        .sort();
    const known = (list: readonly { code: string; since: string }[]): string[] =>
      list
        .filter(({ since }) => since === '1.3.2' || since === framework)
        .map(({ code }) => code)
        .sort();
    const sorted = (list: readonly string[]): string[] => [...list].sort();

    expect(known(transactionStatuses)).toEqual(enumOf('transactionStatus'));
    expect(known(scaStatuses)).toEqual(enumOf('scaStatus'));
    expect(known(consentStatuses)).toEqual(enumOf('consentStatus'));
    expect(sorted(basketStatuses.accepted)).toEqual(enumOf('transactionStatus_SBS'));
    expect(sorted(valuesIn(framework, balanceTypes))).toEqual(enumOf('balanceType'));
    expect(sorted(valuesIn(framework, frequencies))).toEqual(enumOf('frequencyCode'));
    expect(sorted(valuesIn(framework, executionRules))).toEqual(enumOf('executionRule'));
    expect(sorted(valuesIn(framework, chargeBearers))).toEqual(enumOf('chargeBearer'));
    expect(sorted(valuesIn(framework, accountStatuses))).toEqual(enumOf('accountStatus'));
    expect(sorted(valuesIn(framework, otpFormats))).toEqual(enumOf('challengeData', 'otpFormat'));
    expect(sorted(valuesIn(framework, allAccountsValues))).toEqual(enumOf('accountAccess', 'allPsd2'));
    const parameter = (id: string, name: string) =>
      sorted(officialOf(id).parameters.find((row) => row.name === name)!.schema.enum as string[]);
    expect(sorted(valuesIn(framework, bookingStatuses))).toEqual(
      parameter('getTransactionList', 'bookingStatus'),
    );
    expect(sorted(products)).toEqual(parameter('initiatePayment', 'payment-product'));
    expect(sorted(paymentServices)).toEqual(parameter('initiatePayment', 'payment-service'));
    const approach = officialOf('initiatePayment').responses['201']!.headers!['ASPSP-SCA-Approach']!;
    expect(sorted(scaApproaches.map(({ code }) => code))).toEqual(sorted(approach.schema!.enum as string[]));
  });

  it('agree on the names that differ between the versions', () => {
    const { schemas } = official(framework);
    const names = wireNames[framework];
    const has = (schema: string, member: string): boolean =>
      schemas[schema]?.properties?.[member] !== undefined;
    expect(has('accountAccess', names.withBalanceAccess)).toBe(true);
    expect(has('consentsResponse-201', names.consentMessage)).toBe(true);
    expect(has('address', names.addressStreet)).toBe(true);
    expect(has('address', names.addressTown)).toBe(true);
    expect(has('address', names.addressPostCode)).toBe(true);
    expect(schemas['challengeData']!.properties!['data']!.type).toBe(names.challengeData);
    const list = officialOf('getPaymentInitiationCancellationAuthorisationInformation').responses['200']!;
    const schema = list.content!['application/json']!.schema!.$ref!.split('/').at(-1)!;
    expect(has(schema, names.cancellationList)).toBe(true);
  });

  it('agree on the names of links', () => {
    const theirs = Object.entries(official(framework).schemas)
      .filter(([name]) => name.startsWith('_links'))
      .flatMap(([, schema]) => Object.keys(schema.properties ?? {}));
    expect([...new Set(theirs)].filter((name) => canonicalLink(name) === undefined)).toEqual([]);
    if (framework === '1.3.6') {
      expect(linkFacts.filter(({ name }) => !theirs.includes(name))).toEqual([]);
    }
  });
});

describe.runIf(hasOfficialFiles())('the error codes of the first official file', () => {
  it('are all known, with their status and service', () => {
    const { schemas } = officialDocument('1.3').components;
    const wrong: string[] = [];
    let seen = 0;
    for (const [name, schema] of Object.entries(schemas)) {
      const [, status, service] = /^MessageCode([0-9]{3})_(PIS|AIS|PIIS|SBS)(?:_CANC)?$/.exec(name) ?? [];
      if (status === undefined) continue;
      for (const code of (schema.enum ?? []) as string[]) {
        seen += 1;
        const fact = messageCodes.find((row) => row.code === code);
        const fits =
          fact?.http.includes(Number(status)) === true &&
          (fact.services === undefined || fact.services.includes(service as 'PIS'));
        if (!fits) wrong.push(`${code} ${status} ${service!}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(100);
  });
});

describe.runIf(hasOfficialFiles())('what 1.3.6 has added to 1.3.2 in the official files', () => {
  const membersOf = (framework: Framework, schema: string): string[] =>
    Object.keys(official(framework).schemas[schema]?.properties ?? {});
  const added = (schema: string): string[] => {
    const before = membersOf('1.3.2', schema);
    return membersOf('1.3.6', schema).filter((name) => !before.includes(name));
  };
  const { '1.3.2': was, '1.3.6': is } = wireNames;
  const renamed = Object.keys(is).flatMap((key) => {
    const name = key as keyof typeof is;
    return String(was[name]) === String(is[name]) ? [] : [String(is[name])];
  });

  it.each(addedMembers.map(({ schema, members }) => [schema, members] as const))('%s', (schema, members) => {
    // A name that came in place of another one is in `wireNames`.
    const isNew = (name: string) => !renamed.includes(name) || members.includes(name);
    expect([...members].sort()).toEqual(added(schema).filter(isNew).sort());
  });

  it('the table leaves out nothing but links, errors and what an older payment reads as', () => {
    const left = Object.keys(official('1.3.6').schemas).filter(
      (schema) =>
        added(schema).some((name) => !renamed.includes(name)) &&
        official('1.3.2').schemas[schema] !== undefined &&
        !addedMembers.some((row) => row.schema === schema),
    );
    expect(left.filter((name) => !/^_links|WithStatusResponse$/.test(name))).toEqual([]);
  });

  it('names of members, as far as people meet them', () => {
    const namesOf = (framework: Framework): Set<string> => {
      const names = new Set<string>();
      const collect = (schema: unknown): void => {
        if (typeof schema !== 'object' || schema === null) return;
        const { properties } = schema as Schema;
        for (const name of Object.keys(properties ?? {})) names.add(name);
        Object.values(schema).forEach(collect);
      };
      Object.values(official(framework).schemas).forEach(collect);
      return names;
    };
    const [before, now] = [namesOf('1.3.2'), namesOf('1.3.6')];
    expect([...newMemberNames].filter((name) => before.has(name) || !now.has(name))).toEqual([]);
    const explained = explanations.filter(({ kind }) => kind === 'field').map(({ term }) => term);
    const left = explained.filter((name) => now.has(name) && !before.has(name) && !newMemberNames.has(name));
    // It is that of a confirmation of funds, too, whose answer the older file has without a name.
    expect(left.filter((name) => name !== 'fundsAvailable')).toEqual([]);
  });

  it('links', () => {
    expect([...addedLinks].sort()).toEqual(added('_linksAll').sort());
  });
});
