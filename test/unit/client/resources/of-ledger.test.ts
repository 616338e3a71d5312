import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insideOf } from '../../../helpers/inside.ts';
import { createObk } from '../../../helpers/obk.ts';

const obk = createObk();
const { run, json } = insideOf(obk);
afterAll(() => {
  obk.close();
});

const iban = async (psuId: string): Promise<string> => {
  const { accounts } = (await json(['sandbox', 'people', psuId])) as { accounts: [{ iban: string }] };
  return accounts[0].iban;
};
const pay = async (psuId: string) =>
  (await json([
    ...['payment', 'init', '--product', 'sepa-credit-transfers', '--creditor-name', 'Shop', '--no-input'],
    ...['--creditor-account', 'DE89370400440532013000', '--amount', '1.00', '--psu-id', psuId],
    ...['--debtor', await iban(psuId)],
  ])) as { paymentId: string };
const consentOf = async (psuId: string) =>
  (await json(['consent', 'create', '--psu-id', psuId, '--iban', await iban(psuId), '--no-input'])) as {
    consentId: string;
  };

describe('a resource of a ledger of the built-in bank that was reset', () => {
  let before: { payment: string; consent: string };
  let after: string;
  beforeAll(async () => {
    const { paymentId } = await pay('decoupled');
    const { consentId } = await consentOf('decoupled');
    await run(['sandbox', 'psu', 'approve', consentId]);
    await json(['consent', 'status', consentId]);
    await json(['consent', 'use', consentId]);
    before = { payment: paymentId, consent: consentId };
    await run(['sandbox', 'reset', '--yes']);
    after = (await pay('redirect')).paymentId;
  }, 30_000);

  it('is listed as such, and so by JSON', async () => {
    const listed = (await json(['payment', 'list'])) as { paymentId: string; earlier?: true }[];
    expect(listed.map(({ paymentId, earlier }) => [paymentId, earlier])).toEqual([
      [after, undefined],
      [before.payment, true],
    ]);
    const consents = (await json(['consent', 'list'])) as { consentId: string; earlier?: true }[];
    expect(consents).toMatchObject([{ consentId: before.consent, earlier: true }]);
    const { stdout } = await run(['payment', 'list', '-o', 'table'], { env: { OBK_FORCE_TTY: '100' } });
    expect(stdout).toMatch(/in an earlier ledger/);
  });

  it('is not meant by @last-1, nor by a prefix', async () => {
    expect(await json(['payment', 'status', '@last', '--meta'])).toMatchObject({
      _obk: { next: [`obk payment authorise ${after}`] },
    });
    const last = await run(['payment', 'status', '@last-1']);
    expect([last.code, last.stderr]).toEqual([
      2,
      expect.stringContaining('does not have that many payments'),
    ]);
    const prefix = await run(['payment', 'status', before.payment.slice(0, 8)]);
    expect([prefix.code, prefix.stderr]).toEqual([2, expect.stringContaining('No payment')]);
  });

  it('is not pending', async () => {
    const pending = JSON.stringify(await json(['pending', 'list']));
    expect([pending.includes(after), pending.includes(before.payment)]).toEqual([true, false]);
  });

  it('is not approved as @last of the PSU', async () => {
    await run(['sandbox', 'reset', '--yes']);
    await run(['consent', 'list', '--json']);
    after = (await pay('decoupled')).paymentId;
    expect(await json(['sandbox', 'psu', 'approve', '@last'])).toMatchObject({ id: after });
  });

  it('is not a consent to read with, though it was chosen', async () => {
    const accounts = await run(['accounts', '--psu-id', 'decoupled', '--no-input', '--json']);
    expect([accounts.code, accounts.stderr]).toEqual([4, expect.stringContaining('CONSENT_NEEDED')]);
  });

  it('is requested by its whole id, and the bank answers that it is unknown', async () => {
    const status = await run(['payment', 'status', before.payment, '--json']);
    expect([status.code, status.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('"httpStatus":40'),
    ]);
  });
});
