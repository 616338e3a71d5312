import { describe, expect, it } from 'vitest';
import {
  accountStatuses,
  allAccountsValues,
  authenticationTypes,
  availableAccountsValues,
  balanceTypes,
  basketStatuses,
  bookingStatuses,
  cardBookingStatuses,
  chargeBearers,
  consentStatuses,
  executionRules,
  frequencies,
  scaStatuses,
  transactionStatuses,
  valuesIn,
} from '../../src/standard/xs2a/codes.ts';
import { explanations } from '../../src/standard/xs2a/explain.ts';
import { answerHeadersOf, declaredHeaders, headerOrigin } from '../../src/standard/xs2a/headers.ts';
import { linkOrigin } from '../../src/standard/xs2a/link-names.ts';
import { linkFacts, canonicalLink } from '../../src/standard/xs2a/links.ts';
import { lateNames, memberChanges, nameOrigin } from '../../src/standard/xs2a/member-changes.ts';
import { operations } from '../../src/standard/xs2a/operations.ts';
import type { OperationId } from '../../src/standard/xs2a/operations.ts';
import {
  frameworkNames,
  frameworks as sources,
  isIn,
  saidIn,
  versions,
} from '../../src/standard/xs2a/origin.ts';
import type { Origin } from '../../src/standard/xs2a/origin.ts';
import { paymentServices, products } from '../../src/standard/xs2a/products.ts';
import {
  declaredBody,
  inVariant,
  operationName,
  pathTemplate,
  wireChanges,
  wireNames,
} from '../../src/standard/xs2a/variants.ts';
import type { Framework, Variant } from '../../src/standard/xs2a/variants.ts';
import { hasDialectFiles, hasOfficialFiles, official, officialDocument } from '../helpers/official.ts';
import type { Edition, Schema } from '../helpers/official.ts';

const frameworks = frameworkNames;
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
  const officialOf = (id: OperationId) =>
    file.find(({ operationId }) => operationId === operationName(framework, id))!;

  it('have the same operations, the extended service apart', () => {
    const ours = operations.map(
      (op) => `${op.method} ${pathTemplate(variant, op)} ${operationName(framework, op.id)}`,
    );
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
        .sort();
    const marked = (rules: readonly { name: string; need: string }[]) =>
      rules.map(({ name, need }) => `${name}${need === 'm' ? '*' : ''}`).sort();

    expect(op.success.map(({ status }) => String(status)).sort()).toEqual(
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .sort(),
    );
    const byFile = declaredHeaders(variant, op).filter(({ name }) => {
      const said = saidIn(framework, headerOrigin(variant, op, name));
      return said === 'file' || said === 'both';
    });
    expect(marked(byFile)).toEqual(declared('header'));
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
    const known = (list: readonly { code: string; origin: Origin }[]): string[] =>
      list
        .filter(({ origin }) => isIn(framework, origin))
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
    expect(sorted(valuesIn(framework, authenticationTypes))).toEqual(enumOf('authenticationType'));
    expect(sorted(valuesIn(framework, allAccountsValues))).toEqual(enumOf('accountAccess', 'allPsd2'));
    expect(sorted(valuesIn(framework, availableAccountsValues))).toEqual(
      enumOf('accountAccess', 'availableAccounts'),
    );
    const parameter = (id: OperationId, name: string) =>
      sorted(officialOf(id).parameters.find((row) => row.name === name)!.schema.enum as string[]);
    expect(sorted(valuesIn(framework, bookingStatuses))).toEqual(
      parameter('getTransactionList', 'bookingStatus'),
    );
    expect(sorted(valuesIn(framework, cardBookingStatuses))).toEqual(
      parameter('getCardAccountTransactionList', 'bookingStatus'),
    );
    expect(sorted(products)).toEqual(parameter('initiatePayment', 'payment-product'));
    expect(sorted(paymentServices)).toEqual(parameter('initiatePayment', 'payment-service'));
  });

  it('agree on the names, forms and limits that differ between the versions', () => {
    // As the file is, without its repairs.
    const { schemas, responses } = officialDocument(framework)!.components;
    const names = wireNames[framework];
    const has = (schema: string, member: string): boolean =>
      schemas[schema]?.properties?.[member] !== undefined;
    const answer = (name: string, type = 'application/json') => responses[name]?.content?.[type]?.schema;
    const pointed = (name: string): Schema => schemas[answer(name)?.$ref?.split('/').at(-1) ?? ''] ?? {};

    const [member = '', value] = names.withBalanceAccess.split(' = ');
    expect(has('accountAccess', member)).toBe(true);
    if (value !== undefined) expect(schemas['accountAccess']!.properties![member]!.enum).toContain(value);
    expect(has('consentsResponse-201', names.consentMessage)).toBe(true);
    expect(has('address', names.addressStreet)).toBe(true);
    expect(has('address', names.addressTown)).toBe(true);
    expect(has('address', names.addressPostCode)).toBe(true);
    expect(schemas['challengeData']!.properties!['data']!.type).toBe('array');

    const lists = officialOf('getPaymentInitiationCancellationAuthorisationInformation').responses['200']!;
    const listed = lists.content!['application/json']!.schema!.$ref!.split('/').at(-1)!;
    const list = schemas[listed]!;
    expect(list.type === 'array' ? 'bare array' : list.type).toBe(names.cancellationListForm);
    if (list.type === 'object') expect(has(listed, names.cancellationList)).toBe(true);
    expect(schemas['tppMessageText']!.maxLength).toBe(Number(names.textLimit));
    expect(schemas['psuMessageText']!.maxLength).toBe(Number(names.textLimit));
    for (const account of ['accountDetails', 'cardAccountDetails']) {
      expect(schemas[account]!.properties!['name']!.maxLength).toBe(Number(names.accountNameLimit));
    }
    const limitOf = (name: string, member: string) =>
      schemas[name]!.properties![member]!.maxLength ?? schemas[member]?.maxLength ?? 'none';
    expect(limitOf('accountDetails', 'details')).toBe(Number(names.accountDetailsLimit));
    expect(limitOf('cardAccountDetails', 'details')).toBe(Number(names.cardAccountDetailsLimit));
    expect(limitOf('cardTransaction', 'transactionDetails')).toBe(Number(names.cardTransactionDetailsLimit));
    expect(limitOf('paymentInitiation_json', 'creditorAgentName')).toBe(Number(names.creditorAgentNameLimit));
    expect(String(limitOf('reportExchangeRate', 'contractIdentification'))).toBe(
      names.contractIdentificationLimit,
    );
    const wrapped = JSON.stringify(answer('OK_200_TransactionDetails')).includes('transactionDetailsBody');
    expect(wrapped).toBe(isIn(framework, wireChanges.transactionDetails.forms[1]?.[1] ?? {}));
    expect(has('_linksCardAccountReport', 'card')).toBe(
      isIn(framework, wireChanges.cardReportLink.forms[1]?.[1] ?? {}),
    );
    for (const single of ['AccountDetails', 'CardAccountDetails', 'TransactionDetails']) {
      const isBare = pointed(`OK_200_${single}`).properties !== undefined;
      expect([single, isBare ? 'bare' : 'wrapped']).toEqual([single, names.singleReads]);
    }
    expect(answer('OK_200_AccountsTransactions', names.plainReports)).toBeDefined();
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

const said = (framework: Framework, origin: Origin): boolean =>
  ['file', 'both'].includes(saidIn(framework, origin) ?? '');

/** Schemas that got another name in a later file: two were misspelt, one stands for more than details. */
const renamedSchemas: Readonly<Record<string, string>> = {
  transactionDetails: 'transactions',
  'paymentInitationRequestResponse-201': 'paymentInitiationRequestResponse-201',
  updatePsuIdenticationResponse: 'updatePsuIdentificationResponse',
};

describe.runIf(hasOfficialFiles())('members in the official files', () => {
  const membersOf = (framework: Framework, schema: string): string[] => {
    const { schemas } = official(framework);
    return Object.keys((schemas[schema] ?? schemas[renamedSchemas[schema] ?? ''])?.properties ?? {});
  };
  const added = (schema: string, from: Framework, to: Framework): string[] => {
    const before = membersOf(from, schema);
    return membersOf(to, schema).filter((name) => !before.includes(name));
  };
  const { '1.3.2': was, '1.3.6': is } = wireNames;
  const renamed = (Object.keys(is) as (keyof typeof is)[]).flatMap((name) =>
    was[name] === is[name] ? [] : [is[name]],
  );

  it.each(memberChanges.map((row) => [row.schema, row.members, row.origin] as const))(
    'are in the files that have them, and in no other: %s: %j',
    (schema, members, origin) => {
      for (const framework of frameworks) {
        const theirs = membersOf(framework, schema).filter((name) => members.includes(name));
        expect([framework, theirs.sort()]).toEqual([
          framework,
          said(framework, origin) ? [...members].sort() : [],
        ]);
      }
    },
  );

  const steps = [
    ['1.3.2', '1.3.6'],
    ['1.3.6', '1.3.8'],
    ['1.3.8', '1.3.11'],
    ['1.3.11', '1.3.12'],
  ] as const;

  it.each(steps)(
    'are left out of the table from %s to %s only for links, errors and multipart',
    (from, to) => {
      const left = Object.keys(official(from).schemas).flatMap((schema) => {
        if (/^_links|_xml-Part2/.test(schema)) return [];
        const known = memberChanges.flatMap((row) =>
          [row.schema, renamedSchemas[row.schema]].includes(schema) ? row.members : [],
        );
        return added(schema, from, to)
          .filter((name) => !known.includes(name) && !renamed.includes(name))
          .map((name) => `${schema} ${name}`);
      });
      expect(left).toEqual([]);
    },
  );

  it('names, as far as people meet them', () => {
    const namesOf = (framework: Framework): Set<string> => {
      const names = new Set<string>();
      const collect = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        const { properties } = value as Schema;
        for (const name of Object.keys(properties ?? {})) names.add(name);
        Object.values(value).forEach(collect);
      };
      const { schemas, responses } = officialDocument(framework)!.components;
      Object.values(schemas).forEach(collect);
      Object.values(responses).forEach(collect);
      for (const { parameters } of official(framework).operations)
        for (const { name } of parameters) names.add(name);
      return names;
    };
    const explained = explanations.filter(({ kind }) => kind === 'field').map(({ term }) => term);
    for (const framework of frameworks) {
      const theirs = namesOf(framework);
      const wrong = [...explained, ...lateNames].filter(
        (name) => theirs.has(name) !== said(framework, nameOrigin(name)),
      );
      expect([framework, wrong]).toEqual([framework, []]);
    }
  });

  it('links', () => {
    for (const framework of frameworks) {
      const theirs = membersOf(framework, '_linksAll');
      const ours = linkFacts.filter(({ name }) => said(framework, linkOrigin(name))).map(({ name }) => name);
      expect([framework, [...ours].sort()]).toEqual([framework, theirs.sort()]);
    }
  });
});

describe.runIf(hasDialectFiles())('the copies of the official files that adorsys edited', () => {
  const queryOf = (edition: Edition): string[] =>
    official('1.3.6', edition)
      .operations.find(({ operationId }) => operationId === 'getTransactionList')!
      .parameters.filter((parameter) => parameter.in === 'query')
      .map(({ name }) => name);
  const namesOf = (): string[] =>
    explanations.filter(({ source }) => source === 'dialect').map(({ term }) => term);

  it('have what is marked as of the dialect, and the framework has not', () => {
    const paging = ['pageIndex', 'itemsPerPage'];
    expect(queryOf('adorsys')).toEqual(expect.arrayContaining(paging));
    expect(queryOf('genuine').filter((name) => paging.includes(name))).toEqual([]);
    expect(namesOf()).toEqual(expect.arrayContaining(paging));
    const plural = 'availableAccountsWithBalances';
    expect(official('1.3.2', 'adorsys').schemas['accountAccess']!.properties).toHaveProperty(plural);
    expect(official('1.3.2').schemas['accountAccess']!.properties).not.toHaveProperty(plural);
    expect(official('1.3.6', 'adorsys').schemas).toHaveProperty('Error406_PIS');
    expect(official('1.3.6').schemas).not.toHaveProperty('Error406_PIS');
  });
});

it('every framework has a file and guidelines that are versions', () => {
  for (const { file, guidelines } of Object.values(sources)) {
    expect(versions).toContain(file);
    expect(versions).toContain(guidelines);
  }
});
