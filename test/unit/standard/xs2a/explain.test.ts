import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { tree } from '../../../../src/cli/commands/catalogue/tree.ts';
import {
  consentAdvice,
  messageAdvice,
  scaAdvice,
  transactionAdvice,
} from '../../../../src/standard/xs2a/advice.ts';
import {
  consentStatuses,
  messageCodes,
  scaStatuses,
  transactionStatuses,
} from '../../../../src/standard/xs2a/codes.ts';
import { explain, explanations } from '../../../../src/standard/xs2a/explain.ts';
import { headerRows } from '../../../../src/standard/xs2a/header-rows.ts';
import { linkFacts, misspellings } from '../../../../src/standard/xs2a/link-names.ts';
import { operations } from '../../../../src/standard/xs2a/operations.ts';
import { products } from '../../../../src/standard/xs2a/products.ts';
import { versions } from '../../../../src/standard/xs2a/origin.ts';

const codes = (facts: readonly { code: string }[]) => facts.map(({ code }) => code).sort();

describe('the words of the interface', () => {
  it('have advice for each code and no other', () => {
    expect(Object.keys(messageAdvice).sort()).toEqual(codes(messageCodes));
    expect(Object.keys(transactionAdvice).sort()).toEqual(codes(transactionStatuses));
    expect(Object.keys(scaAdvice).sort()).toEqual(codes(scaStatuses));
    expect(Object.keys(consentAdvice).sort()).toEqual(codes(consentStatuses));
  });

  it('are each explained once in their kind, by a sentence', () => {
    const keys = explanations.map(({ kind, term }) => `${kind} ${term}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { kind, meaning, advice } of explanations) {
      expect(meaning).not.toBe('');
      if (kind !== 'operation') expect(meaning).toMatch(/\.$/);
      expect(advice).toMatch(/\.$/);
    }
  });

  it('name commands that exist', () => {
    const isCommand = (words: string) =>
      tree.some(({ path, load, verb }) => path === words && (load ?? verb) !== undefined);
    const named = explanations.flatMap(({ meaning, advice }) =>
      [...`${meaning} ${advice}`.matchAll(/\bobk ([a-z]+)(?: ([a-z]+))?/g)].map(
        ([, noun = '', verb = '']) => [noun, `${noun} ${verb}`],
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((words) => !words.some(isCommand))).toEqual([]);
  });

  it.each([
    ['consent_invalid', ['tppMessage']],
    ['actc', ['transactionStatus']],
    ['received', ['scaStatus', 'consentStatus']],
    ['scaStatus', ['link', 'field']],
    ['psu-ip-address', ['header']],
    ['pain.001-target-2-payments', ['product']],
    ['getConsentStatus', ['operation']],
    ['XYZ', []],
  ])('include %s, which means %j', (word, kinds) => {
    expect(explain(word).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('are found by the spellings of official files, too', () => {
    for (const [wrong, right] of Object.entries(misspellings)) {
      expect(explain(wrong).map(({ term }) => term)).toContain(right);
    }
  });

  it('state which operations need a header', () => {
    const facts = Object.fromEntries(explain('Consent-ID')[0]?.facts ?? []);
    expect(facts['needed by']).toContain('getAccountList');
    expect(facts['needed by']).not.toContain('createConsent');
    expect(facts['taken by']).toContain('initiatePayment');
    expect(Object.fromEntries(explain('X-Request-ID')[0]?.facts ?? [])['needed by']).toBe('every operation');
  });
});

describe('the explanation of the tables', () => {
  const termsOf = (kind: string) => explanations.filter((one) => one.kind === kind).map(({ term }) => term);
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

  it.each<[string, Iterable<string>]>([
    ['transactionStatus', transactionStatuses.map(({ code }) => code)],
    ['scaStatus', scaStatuses.map(({ code }) => code)],
    ['consentStatus', consentStatuses.map(({ code }) => code)],
    ['tppMessage', messageCodes.map(({ code }) => code)],
    ['header', Object.keys(headerRows)],
    ['link', linkFacts.map(({ name }) => name)],
    ['product', products],
    ['operation', operations.map(({ id }) => id)],
  ])('covers each %s', (kind, names) => {
    expect(sorted(termsOf(kind))).toEqual(sorted(names));
  });

  it('covers each member of the wire types, and each parameter of a query', () => {
    const queries = operations.flatMap(({ query }) => query);
    const wanted = [
      ...membersOf('wire.ts'),
      ...membersOf('wire-accounts.ts'),
      ...queries.map(({ name }) => name),
    ];
    expect(wanted.length).toBeGreaterThan(150);
    // They stand in paths and lists of 1.3.2, in the links to pages of a dialect, and in entries of cards, which have no type.
    expect(sorted(termsOf('field'))).toEqual(
      sorted([...wanted, 'cancellationId', 'pageIndex', 'itemsPerPage', 'grandTotalAmount']),
    );
  });

  it('covers everything', () => {
    for (const { term, kind, who, advice, since, source } of explanations) {
      expect([term, ['TPP', 'PSU', 'ASPSP', 'nobody'].includes(who), advice.length > 10]).toEqual([
        term,
        true,
        true,
      ]);
      expect(['both', 'file', 'guidelines', 'service', 'dialect']).toContain(source);
      // What no framework has came with none of its versions.
      // The faults of servers and gateways are of no framework.
      const isOfHttp = kind === 'httpStatus' && since === undefined;
      if (isOfHttp) continue;
      if (source === 'dialect') expect([term, since]).toEqual([term, undefined]);
      else expect(versions).toContain(since);
    }
  });

  it.each([
    ['SCA_INVALID', '1.3.6', 'both'],
    ['ROLE_INVALID', '1.3.3', 'both'],
    ['CERTIFICATE_REVOKED', '1.3.2', 'guidelines'],
    ['CERTIFICATE_REVOKE', '1.3.2', 'file'],
    ['KID_MISSING', '1.3.11', 'file'],
    ['FORBIDDEN', undefined, 'dialect'],
    ['TPP-Brand-Logging-Information', '1.3.6', 'both'],
    ['ASPSP-Notification-Support', '1.3.4', 'both'],
    ['TPP-Rejection-NoFunds-Preferred', '1.3.2', 'both'],
    ['Authorization', '1.3.2', 'guidelines'],
    ['Accept', '1.3.2', 'guidelines'],
    ['confirmation', '1.3.6', 'both'],
    ['updatePsuAuthentication', '1.3.2', 'both'],
    ['updateAdditionalPsuAuthentication', '1.3.3', 'both'],
    ['confirmationCode', '1.3.6', 'both'],
    ['additionalPassword', '1.3.3', 'both'],
    ['chargeBearer', '1.3.2', 'guidelines'],
    ['instructionIdentification', '1.3.5', 'guidelines'],
    ['availableAccountsWithBalances', '1.3.2', 'guidelines'],
    ['pageIndex', undefined, 'dialect'],
    ['psuMessage', '1.3.2', 'both'],
    ['street', '1.3.2', 'both'],
    ['streetName', '1.3.3', 'both'],
  ])('shows that %s is of %s, by %s', (word, since, source) => {
    expect(explain(word)[0]).toMatchObject({ source });
    expect(explain(word)[0]?.since).toBe(since);
  });

  it('shows for each place where a word came later, or has one source only', () => {
    const facts = (word: string) => Object.fromEntries(explain(word).at(-1)?.facts ?? []);
    expect(facts('fundsAvailable')).toMatchObject({
      'in status of a payment': 'since 1.3.3 (file and guidelines)',
    });
    expect(facts('creditLimitIncluded')).not.toHaveProperty('in balance');
    expect(facts('creditorId')).toMatchObject({ 'in payment': 'since 1.3.2 (guidelines only)' });
    expect(facts('TPP-Redirect-URI')).toMatchObject({
      cancelPayment: 'guidelines since 1.3.4, file since 1.3.5',
    });
    expect(facts('REQUESTED_FORMATS_INVALID')).toMatchObject({
      services: 'AIS',
      'adorsys dialect': 'also 406 of PIS',
    });
    expect(facts('CANCELLATION_INVALID')).toMatchObject({ operation: 'cancelPayment' });
    expect(facts('ROLE_INVALID')).toMatchObject({ versions: 'guidelines since 1.3.3, file since 1.3.4' });
  });

  it('names for a renamed word the other', () => {
    const facts = (word: string) => Object.fromEntries(explain(word)[0]?.facts ?? []);
    expect(facts('street')).toMatchObject({ 'in 1.3.6': 'streetName' });
    expect(facts('streetName')).toMatchObject({ 'in 1.3.2': 'street' });
    expect(facts('message')).toMatchObject({ 'in 1.3.6': 'psuMessage' });
    expect(facts('psuMessage')).not.toHaveProperty('in 1.3.2');
  });
});

/** The names of members in a file of wire types, as the compiler reads them. */
function membersOf(file: string): string[] {
  const text = readFileSync(join('src/standard/xs2a', file), 'utf8');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) found.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}
