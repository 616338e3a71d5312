import { describe, expect, it } from 'vitest';
import { checksOf, whyOf } from '../../../../src/tester/journeys/checks.ts';
import type { Came } from '../../../../src/tester/journeys/checks.ts';
import type { Condition } from '../../../../src/tester/journeys/condition.ts';
import type { JourneyStep } from '../../../../src/tester/journeys/journey.ts';

const is = (text: string): Condition => [{ operator: 'is', wanted: [text] }];

const cameWith = (document: unknown): Came => ({
  ...{ exit: 0, document, durationMs: 1 },
  ...{ last: undefined, findings: undefined, ledger: undefined },
});
const step = (of: Partial<JourneyStep> = {}): Pick<JourneyStep, 'psu' | 'command'> => ({
  command: 'payment cancel',
  ...of,
});

function judged(document: unknown, pointer: string, condition: Condition = is('x')): string {
  const expected = { pointer, condition, line: 1, column: 1 };
  return checksOf({ body: [expected] }, cameWith(document), String).at(-1)?.is ?? '';
}

describe('the check of a step', () => {
  it.each<[string, unknown, string, string]>([
    [
      'a member of a list',
      [{ a: 1 }, {}],
      'transactions',
      'it is a list of 2: 0 is the first, * is each of them',
    ],
    ['an element that is not there', { a: [1, 2] }, 'a.2', 'the list has 2'],
    ['a misspelt member', { consentStatus: 'valid' }, 'consentStaus', 'did you mean consentStatus?'],
    [
      'a member that stands deeper than many others',
      { ...Object.fromEntries(Array.from('abcdefghijklmn').map((k) => [k, 1])), sca: { scaStatus: 'x' } },
      'scaStatus',
      'not there; did you mean sca.scaStatus?',
    ],
    [
      'a member that stands deeper, and is misspelt',
      { transactions: { booked: [{ amount: { currency: 'EUR' } }, { amount: {} }] } },
      'curency',
      'did you mean transactions.booked.*.amount.currency?',
    ],
    [
      'a member at several places',
      [{ a: { id: 1 }, b: { id: 2 }, _links: { id: {} } }],
      '0.id',
      'did you mean *.a.id or *.b.id?',
    ],
    [
      'a member of a member that is not there',
      { sca: { scaStatus: 1 } },
      'auth.scaStatus',
      'did you mean sca.scaStatus?',
    ],
    ['another member', { iban: 'DE', name: 'x' }, 'amount', 'there are iban, name'],
    ['a member of an inner map', { sca: { scaStatus: 'x' } }, 'sca.status', 'did you mean sca.scaStatus?'],
    [
      'a member of very many',
      Object.fromEntries(Array.from('abcdefghijklmn').map((k) => [k, 1])),
      'zzzz',
      'j, k, l …',
    ],
  ])('shows what is there instead of %s', (_case, document, pointer, instead) => {
    expect(judged(document, pointer)).toMatch(/^not there; /);
    expect(judged(document, pointer).endsWith(instead)).toBe(true);
  });

  it('reports a member that no element has', () => {
    expect(judged([{ iban: 'DE' }, { iban: 'NL' }], '*.ibna')).toBe('[]; did you mean *.iban?');
    const exists: Condition = [{ operator: 'exists', wanted: ['false'] }];
    expect(judged([{ iban: 'DE' }], '*.bban', exists)).toBe('[]');
  });

  it('suggests a header and an account that were probably meant', () => {
    const came = {
      ...{ exit: 0, document: undefined, durationMs: 1, findings: undefined },
      last: { status: 200, headers: [['Content-Type', 'application/json']] as const },
      ledger: new Map([['DE25990010000000001999', '0.00']]),
    };
    const at = (pointer: string) => [{ pointer, condition: is('x'), line: 1, column: 1 }];
    const checks = checksOf(
      { headers: at('content-typ'), ledger: at('DE25990010000000001998') },
      came,
      String,
    );
    expect(checks.slice(1).map((one) => one.is)).toEqual([
      'not there; did you mean Content-Type?',
      'not there; did you mean DE25990010000000001999?',
    ]);
  });

  it.each<[string, unknown, string, Condition?]>([
    ['a member of a text', { a: 'x' }, 'a.b'],
    ['no document', undefined, 'a'],
    ['a member that is null', { a: null }, 'a'],
    ['a member that must not be there', { a: 1 }, 'b', [{ operator: 'exists', wanted: ['false'] }]],
  ])('shows no more of %s', (_case, document, pointer, condition) => {
    expect(judged(document, pointer, condition)).toBe('not there');
  });

  it.each<[string, unknown, string | undefined]>([
    [
      'a refusal that is a result',
      {
        transactionStatus: 'ACSC',
        sca: null,
        tppMessages: [
          { category: 'ERROR', code: 'CANCELLATION_INVALID', text: 'too late' },
          { code: 'FORMAT_ERROR' },
        ],
      },
      'transactionStatus ACSC; CANCELLATION_INVALID: too late; FORMAT_ERROR',
    ],
    [
      'a status that is another',
      { transactionStatus: 'PATC', sca: { scaStatus: 'finalised' } },
      'transactionStatus PATC; sca.scaStatus finalised',
    ],
    ['a consent', { consentStatus: 'rejected' }, 'consentStatus rejected'],
    ['a result without statuses', [{ iban: 'DE' }], undefined],
    ['texts of another kind', { tppMessages: 'no' }, undefined],
    ['nothing', undefined, undefined],
  ])('gives the reason: %s', (_case, document, why) => {
    expect(whyOf(step(), cameWith(document)).why).toBe(why);
  });

  it.each<[string, Partial<JourneyStep>, number, string | undefined]>([
    ['one that may need the PSU', {}, 8, 'the PSU has to agree, and .* such as psu: approve'],
    ['one whose PSU leaves', { psu: { does: 'leave' } }, 8, undefined],
    ['one that reads', { command: 'payment status' }, 8, undefined],
    ['one that ended otherwise', {}, 9, undefined],
  ])('names what a waiting step lacks: %s', (_case, of, exit, why) => {
    expect(whyOf(step(of), { ...cameWith(undefined), exit })).toEqual(
      why === undefined ? {} : { why: expect.stringMatching(new RegExp(`^${why}$`)) as string },
    );
  });
});
