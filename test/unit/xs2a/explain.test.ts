import { describe, expect, it } from 'vitest';
import { tree } from '../../../src/commands/tree.ts';
import { consentAdvice, messageAdvice, scaAdvice, transactionAdvice } from '../../../src/xs2a/advice.ts';
import { consentStatuses, messageCodes, scaStatuses, transactionStatuses } from '../../../src/xs2a/codes.ts';
import { explain, explanations } from '../../../src/xs2a/explain.ts';
import { misspellings } from '../../../src/xs2a/link-names.ts';

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
      if (advice !== undefined) expect(advice).toMatch(/\.$/);
    }
  });

  it('name commands that exist', () => {
    const isCommand = (words: string) =>
      tree.some(({ path, load, verb }) => path === words && (load ?? verb) !== undefined);
    const named = explanations.flatMap(({ meaning, advice }) =>
      [...`${meaning} ${advice ?? ''}`.matchAll(/\bobk ([a-z]+)(?: ([a-z]+))?/g)].map(
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
  ])('%s means %j', (word, kinds) => {
    expect(explain(word).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('are found by the spellings of official files, too', () => {
    for (const [wrong, right] of Object.entries(misspellings)) {
      expect(explain(wrong).map(({ term }) => term)).toContain(right);
    }
  });

  it('say which operations need a header', () => {
    const facts = Object.fromEntries(explain('Consent-ID')[0]?.facts ?? []);
    expect(facts['needed by']).toContain('getAccountList');
    expect(facts['needed by']).not.toContain('createConsent');
    expect(facts['taken by']).toContain('initiatePayment');
    expect(Object.fromEntries(explain('X-Request-ID')[0]?.facts ?? [])['needed by']).toBe('every operation');
  });
});
