import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shop } from '../../../../helpers/obk.ts';
import { startTpp } from '../../../../helpers/tpp.ts';
import type { Tpp } from '../../../../helpers/tpp.ts';

let tpp: Tpp;
beforeAll(async () => {
  tpp = await startTpp('v1', ['--surface', 'framework']);
  tpp.bank.scenario({ surface: 'framework' });
});
afterAll(() => tpp.close());

const psu = ['-H', 'PSU-ID: embedded-one'];
/** Sends a request by hand that the bank takes; the body is JSON. */
async function send(what: readonly string[], body?: unknown, code = 0) {
  if (body !== undefined) tpp.file('body', JSON.stringify(body));
  const ended = await tpp.run(['api', ...what, ...(body === undefined ? [] : ['--input', 'body'])]);
  expect(ended.code, ended.stderr).toBe(code);
  return ended.document;
}
const wish = (more: object = {}) => ({
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2099-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
  ...more,
});
const newConsent = async (more: object = {}): Promise<string> =>
  (await send(['POST', 'consents', ...psu], wish(more))).consentId;
const listed = async (noun: string, id: string) => {
  const { document } = await tpp.run([noun, 'list']);
  return (document as Record<string, unknown>[]).find((row) => row[`${noun}Id`] === id);
};
const refs = ['--psu-password-from', 'env:PSU_PW', '--otp-from', 'env:PSU_OTP', '--no-input'];
const authorise = async (...words: readonly string[]) => {
  const { password, otp } = tpp.bank.person('embedded-one');
  Object.assign(tpp.env, { PSU_PW: password, PSU_OTP: otp });
  const ended = await tpp.run([...words, ...refs]);
  expect(ended.code, ended.stderr).toBe(0);
};

describe('a consent that a request by hand has made', () => {
  it('is one of here, with its terms and its PSU', async () => {
    const consentId = await newConsent({ frequencyPerDay: 3 });
    expect(await listed('consent', consentId)).toMatchObject({
      consentStatus: 'received',
      validUntil: '2099-12-31',
      psuId: 'embedded-one',
    });
    const { document } = await tpp.run(['consent', 'status', '@last']);
    expect(document).toMatchObject({ consentStatus: 'received' });
    // The PSU of the header goes on.
    await authorise('consent', 'authorise', consentId);
    const accounts = await tpp.run(['accounts', 'list', '--consent', consentId]);
    expect(accounts.code, accounts.stderr).toBe(0);
  });

  it('stands as it was read by hand', async () => {
    const sent = await send(['POST', 'consents', '-H', 'PSU-ID: decoupled'], wish());
    const { consentId } = sent;
    await send(['POST', `consents/${String(consentId)}/authorisations`, '-H', 'PSU-ID: decoupled']);
    tpp.bank.decide('approve', consentId, 'decoupled');
    await send(['GET', `consents/${consentId}/status`]);
    expect(await listed('consent', consentId)).toMatchObject({ consentStatus: 'valid' });
  });

  it('is ended as it was deleted by hand, and is no longer the one that is used', async () => {
    const consentId = await newConsent();
    await authorise('consent', 'authorise', consentId);
    await tpp.run(['consent', 'use', consentId]);
    await send(['DELETE', `consents/${consentId}`]);
    expect(await listed('consent', consentId)).toMatchObject({
      consentStatus: 'terminatedByTpp',
      active: false,
    });
  });

  it('is read whole by hand', async () => {
    const { document } = await tpp.run(['consent', 'create', '--all-psd2', '--recurring'], 'embedded-one');
    const { consentId } = document as { consentId: string };
    await send(['DELETE', `consents/${consentId}`]);
    await send(['GET', `consents/${consentId}`]);
    expect(await listed('consent', consentId)).toMatchObject({ consentStatus: 'terminatedByTpp' });
  });

  it('in an answer that was altered on its way is kept, and the outcome is unknown', async () => {
    const before = (await tpp.run(['consent', 'list'])).document as unknown[];
    tpp.bank.fault({ operation: 'createConsent', kind: 'edit', edit: 'Digest:=SHA-256=AAAA' });
    tpp.file('body', JSON.stringify(wish()));
    const { code, stderr } = await tpp.run(['api', 'POST', 'consents', ...psu, '--input', 'body']);
    expect(code, stderr).toBe(12);
    const after = (await tpp.run(['consent', 'list'])).document as { consentId: string }[];
    expect(after).toHaveLength(before.length + 1);
    expect(stderr).toContain(after[0]?.consentId);
  });

  it('that the bank refused is none', async () => {
    const before = await tpp.run(['consent', 'list']);
    await send(['POST', 'consents', ...psu], wish({ access: { allPsd2: 'everything' } }), 5);
    expect((await tpp.run(['consent', 'list'])).document).toEqual(before.document);
  });

  it('has its accounts by a list that was asked for by hand, whose access counts', async () => {
    const consentId = await newConsent({ frequencyPerDay: 1 });
    await authorise('consent', 'authorise', consentId);
    await send(['GET', 'accounts', '-H', `Consent-ID: ${consentId}`]);
    const iban = tpp.bank.person('embedded-one').accounts[0]?.iban ?? '';
    const again = await tpp.run(['accounts', 'balances', iban, '--consent', consentId]);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).not.toContain('getAccountList');
    const list = await tpp.run(['accounts', 'list', '--consent', consentId]);
    expect(list.stderr).toContain('allows 1 access a day without the PSU');
  });
});

const open = async (psuId: string, ...more: readonly string[]): Promise<string> => {
  const iban = tpp.bank.person(psuId).accounts[0]?.iban ?? '';
  const words = ['payment', 'init', ...shop, '--amount', '1.00', '--debtor', iban, '--allow-duplicate'];
  const { document } = await tpp.run([...words, '--psu-id', psuId, '--authorise-later', ...more]);
  return (document as { paymentId: string }).paymentId;
};

describe('a signing basket that a request by hand has made', () => {
  it('is one of here, with its members, until it is deleted by hand', async () => {
    const paymentId = await open('embedded-one', '--explicit', 'yes');
    const { basketId } = await send(['POST', 'signing-baskets', ...psu], { paymentIds: [paymentId] });
    expect(await listed('basket', basketId)).toMatchObject({ transactionStatus: 'RCVD' });
    expect((await tpp.run(['basket', 'status', '@last'])).document).toMatchObject({
      transactionStatus: 'RCVD',
    });
    await send(['DELETE', `signing-baskets/${basketId}`]);
    expect(await listed('basket', basketId)).toMatchObject({ transactionStatus: 'CANC' });
  });

  it('whose answer was lost is not sent again by the same bytes', async () => {
    const paymentId = await open('embedded-one', '--explicit', 'yes');
    tpp.bank.fault({ operation: 'createSigningBasket', kind: 'drop-after-commit' });
    const line = ['POST', 'signing-baskets', ...psu];
    await send(line, { paymentIds: [paymentId] }, 12);
    await send(line, { paymentIds: [paymentId] }, 12);
    expect(tpp.take().filter(({ path }) => path.endsWith('/signing-baskets')).length).toBeLessThanOrEqual(2);
  });
});

describe('a payment of here', () => {
  const at = (id: string, more = '') => `payments/sepa-credit-transfers/${id}${more}`;

  it('is cancelled as it was cancelled by hand', async () => {
    const id = await open('embedded-one');
    await send(['DELETE', at(id)]);
    expect(await listed('payment', id)).toMatchObject({ transactionStatus: 'CANC' });
  });

  it('stands as it was read by hand', async () => {
    const id = await open('decoupled');
    await send(['POST', at(id, '/authorisations'), '-H', 'PSU-ID: decoupled']);
    tpp.bank.decide('refuse', id, 'decoupled');
    await send(['GET', at(id, '/status')]);
    expect(await listed('payment', id)).toMatchObject({ transactionStatus: 'RJCT' });
  });

  it('stays what it was where its status is none that obk reads, and the answer is shown', async () => {
    const id = await open('embedded-one');
    tpp.bank.fault({
      ...{ operation: 'getPaymentInitiationStatus', kind: 'edit' },
      edit: 'Content-Type:=application/xml',
    });
    const { code, stderr } = await tpp.run(['api', 'GET', at(id, '/status')]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('stays as it was');
    expect(await listed('payment', id)).toMatchObject({ transactionStatus: 'RCVD' });
  });

  it('goes on with the authorisation that was started and led on by hand', async () => {
    const id = await open('embedded-one', '--explicit', 'yes');
    const { _links, authorisationId = '' } = await send(['POST', at(id, '/authorisations'), ...psu]);
    expect(_links).toBeDefined();
    const known = await tpp.run(['sca', 'status', authorisationId]);
    expect(known.code, known.stderr).toBe(0);
    expect(known.document).toMatchObject([{ authorisationId, psuId: 'embedded-one' }]);
    const { password } = tpp.bank.person('embedded-one');
    await send(['PUT', at(id, `/authorisations/${authorisationId}`)], { psuData: { password } });
    tpp.take();
    await authorise('sca', 'submit', authorisationId);
    const paths = tpp.take().map(({ method }) => method);
    expect(paths.filter((method) => method === 'POST')).toEqual([]);
  });

  it('is in the cancellation that was begun by hand', async () => {
    const id = await tpp.accepted('next-day');
    await send(['DELETE', at(id)]);
    const { authorisationId } = await send([
      'POST',
      at(id, '/cancellation-authorisations'),
      '-H',
      'PSU-ID: next-day',
    ]);
    const seen = await send(['GET', at(id, `/cancellation-authorisations/${String(authorisationId)}`)]);
    const { document } = await tpp.run(['sca', 'status', String(authorisationId)]);
    expect(document).toMatchObject([{ of: 'cancellation', authorisationId, scaStatus: seen.scaStatus }]);
  });
});
