// A bulk of which the bank makes a part only (PART): which payments were rejected must show wherever the payment shows. obk and
// the bank run inside this process; each exchange is held against the official files.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasOfficialFiles } from '../helpers/contract.ts';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

const csv = `creditor_name,creditor_iban,amount,end_to_end_id
Shop,DE89370400440532013000,1.00,FIRST-1
Other,DE02100100109307118603,2.50,SECOND-2
`;

describe.each(['v1', 'v136'] as const)('a partial bulk in %s', (variant) => {
  let tpp: Tpp;
  beforeAll(async () => {
    tpp = await startTpp(variant);
    tpp.bank.scenario({ bulk: 'partial' });
    tpp.file('bulk.csv', csv);
  });
  afterAll(() => tpp.close());

  const bulk = (product: string) =>
    [
      '--service',
      'bulk-payments',
      '--product',
      product,
      '--from-csv',
      'bulk.csv',
      '--sca-method',
      'sms',
    ] as const;

  it('is reported in JSON in the words of the bank', async () => {
    const made = await tpp.pay('embedded-choice', ...bulk('sepa-credit-transfers'));
    expect(made).toMatchObject({ code: 9, document: { transactionStatus: 'PART', count: 2 } });
    // The status of a payment has had words for the PSU since 1.3.5.
    const words = (document: Record<string, unknown>, told: string) => {
      if (variant === 'v1') expect(document['psuMessage'] ?? null).toBeNull();
      else expect(document['psuMessage']).toContain(told);
    };
    words(made.document, 'entry 2 (SECOND-2)');

    const id = made.document.paymentId as string;
    const status = await tpp.run(['payment', 'status', id]);
    expect(status).toMatchObject({ code: 0, document: { transactionStatus: 'PART' } });
    words(status.document, 'SECOND-2');
    expect(await tpp.run(['payment', 'status', id, '--exit-status'])).toMatchObject({ code: 9 });
    expect((await tpp.text(['payment', 'status', id])).includes('SECOND-2')).toBe(variant === 'v136');
    const got = await tpp.run(['payment', 'get', id]);
    expect(got).toMatchObject({ code: 0, document: { transactionStatus: 'PART', payments: [{}, {}] } });
    expect(tpp.bank.payments().find(({ paymentId }) => paymentId === id)).toMatchObject({ bookings: 1 });
  });

  it('is reported in pain.001 by its pain.002, payment by payment', async () => {
    const made = await tpp.pay('embedded-choice', ...bulk('pain.001-sepa-credit-transfers'));
    const rejected = [{ endToEndIdentification: 'SECOND-2', reasons: [{ code: 'AC04' }] }];
    expect(made).toMatchObject({ code: 9, document: { transactionStatus: 'PART', count: 2, rejected } });

    const id = made.document.paymentId as string;
    expect(await tpp.run(['payment', 'status', id, '--pain002'])).toMatchObject({
      code: 0,
      document: { transactionStatus: 'PART', rejected },
    });
    expect(await tpp.text(['payment', 'status', id, '--pain002'])).toContain('Rejected: SECOND-2: AC04');
    tpp.bank.scenario({ statusFormat: 'xml' });
    expect(await tpp.run(['payment', 'status', id])).toMatchObject({ document: { rejected } });
    tpp.bank.scenario({ statusFormat: 'by-accept' });
  });

  it('is reported as such where the PSU has not the funds for it', async () => {
    const { document } = await tpp.pay('no-funds-later');
    const { paymentId } = document as { paymentId: string };
    const status = await tpp.run(['payment', 'status', paymentId]);
    expect(status.document).toMatchObject({ transactionStatus: 'ACTC' });
    expect(status.document.fundsAvailable).toBe(false);
    const text = await tpp.text(['payment', 'status', paymentId]);
    expect(text).toContain('Funds available: no');
  });

  it.skipIf(!hasOfficialFiles())('is as the official files say', () => {
    expect(tpp.findings()).toEqual([]);
  });
});
