// A session of account information and payment (guidelines 6.3.1 combinedServiceIndicator, 5.3.1 Consent-ID): whole commands of
// obk against the bank inside. A wrong password shows whether the first factor was asked for.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shop } from '../helpers/obk.ts';
import { consented, ibansOf } from './account-journeys.ts';
import { startTraveller } from './journeys.ts';
import type { Traveller } from './journeys.ts';

describe.each(['v1', 'v136'] as const)('a combined session as %s', (variant) => {
  let traveller: Traveller;
  beforeAll(async () => {
    traveller = await startTraveller(variant);
  });
  afterAll(() => traveller.close());
  beforeEach(() => {
    traveller.nextMinute();
  });

  const pay = (psuId: string, ...more: readonly string[]) => {
    const [iban = ''] = ibansOf(traveller.bank, psuId);
    const payment = ['payment', 'init', ...shop, '--debtor', iban, '--amount', '1.00', '--allow-duplicate'];
    const [method] = traveller.bank.person(psuId).methods;
    const chosen = method === undefined ? [] : ['--sca-method', method.id];
    return traveller.as(psuId, { password: 'wrong' }, ...payment, ...chosen, ...more);
  };
  const sessionOf = async (psuId: string, ...more: readonly string[]) => {
    const [iban = ''] = ibansOf(traveller.bank, psuId);
    const { consentId, consentStatus } = await consented(traveller, psuId, '--iban', iban, ...more);
    expect(consentStatus).toBe('valid');
    return consentId;
  };

  it.each([
    'embedded-one',
    'embedded-one-implicit',
    'embedded-choice',
    'embedded-choice-implicit',
    'embedded-none',
  ])('needs the first factor once: %s', { timeout: 20_000 }, async (psuId) => {
    const consentId = await sessionOf(psuId, '--combined');
    expect(await pay(psuId, '--consent', consentId)).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it.each<[string, readonly string[], string]>([
    ['of a consent that is not combined', [], '+0s'],
    ['that is over', ['--combined', '--recurring'], '+21m'],
  ])('does not begin with one %s', async (_, flags, later) => {
    const consentId = await sessionOf('embedded-one', ...flags);
    traveller.bank.clock(later);
    expect(await pay('embedded-one', '--consent', consentId)).not.toMatchObject({
      transactionStatus: 'ACSC',
    });
    traveller.bank.clock('reset');
  });

  it('belongs to its PSU only, and to a consent that the bank knows', async () => {
    const consentId = await sessionOf('embedded-one', '--combined');
    expect(await pay('embedded-choice', '--consent', consentId)).not.toMatchObject({
      transactionStatus: 'ACSC',
    });
    const before = traveller.bank.payments().length;
    expect(await pay('embedded-one', '--consent', '00000000-0000-4000-8000-000000000000')).toEqual({});
    expect(traveller.bank.payments()).toHaveLength(before);
    const { exchanges } = (await traveller.obk('log', 'show', '@last')) as unknown as {
      exchanges: { answer: { status: number; messages: { code: string }[] } }[];
    };
    expect(exchanges.at(-1)?.answer).toMatchObject({ status: 400, messages: [{ code: 'CONSENT_UNKNOWN' }] });
  });
});
