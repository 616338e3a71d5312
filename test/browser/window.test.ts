import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { payment, tppOf } from '../unit/bank/tpp.ts';
import { startPayment } from './journey.ts';
import { part, ranTable } from '../helpers/trials.ts';

const payments = '/v1/payments/sepa-credit-transfers';

describeInBrowser('the window', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startBank();
  });
  afterAll(async () => {
    ranTable('wrong addresses in the window');
    await bank.close();
  });
  const link = () => `${bank.windowUrl}#token=${readFileSync(bank.tokenFile, 'utf8')}`;
  const opened = async () => {
    const guest = await visitor();
    await guest.page.goto(link());
    await guest.page.getByText('Live', { exact: true }).waitFor();
    return guest;
  };

  it('shows a call within a second, with headers, body and signing string', async () => {
    const { page } = await opened();
    const { paymentId } = await startPayment(bank, 'redirect', { creditorName: 'Shop' });
    const row = page.getByRole('link', { name: `POST ${payments}` }).first();
    await row.waitFor({ timeout: 1000 });
    await row.click();
    const call = page.getByRole('region', { name: 'The call' });
    await call.getByText('The bank accepted it').waitFor();
    const text = await call.innerText();
    expect(text).toContain('"creditorName":"Shop"');
    expect(text).toContain(paymentId);
    expect(text).toMatch(/\nx-request-id: [0-9a-f-]{36}\n/);
  });

  it.each<{
    name: string;
    tamper: (headers: Record<string, string>) => void;
    says: string;
    more: string;
  }>([
    {
      name: 'of another body',
      tamper: (headers) => {
        headers['Digest'] = `SHA-256=${'A'.repeat(43)}=`;
      },
      says: 'Digest is not that of the body received.',
      more: 'The Digest is not that of the body which the bank received.',
    },
    {
      name: 'of other bytes',
      tamper: (headers) => {
        headers['X-Request-ID'] = '11111111-2222-4333-8444-555555555555';
      },
      says: 'The signature is not that of these headers and this key.',
      more: 'The signature was made of other bytes than the signing string below',
    },
    {
      name: 'of too few headers',
      tamper: (headers) => {
        headers['PSU-ID'] = 'redirect';
      },
      says: 'The list of signed headers lacks psu-id.',
      more: 'psu-id: redirect',
    },
    {
      name: 'that is not there',
      tamper: (headers) => {
        delete headers['Signature'];
        delete headers['Digest'];
      },
      says: 'The request has no ',
      more: 'The request has none: neither Digest nor Signature.',
    },
  ])('explains what is wrong with a signature $name', async ({ tamper, says, more }) => {
    const { page } = await opened();
    const { iban } = bank.person('redirect').accounts[0]!;
    const answer = await tppOf(bank)('POST', payments, { body: payment(iban), tamper });
    expect(answer.status).toBe(401);
    const row = page.getByRole('link', { name: '401' }).first();
    await row.waitFor({ timeout: 1000 });
    await expect.poll(() => row.innerText()).toContain(says);
    await row.click();
    const verdict = page.locator('#verdict');
    await verdict.waitFor();
    await expect.poll(() => verdict.innerText()).toContain(says);
    await expect.poll(() => page.getByRole('region', { name: 'The call' }).innerText()).toContain(more);
  });

  it('shows the findings of the referee, also on a call that the bank accepted', async () => {
    const { page } = await opened();
    const { iban } = bank.person('redirect').accounts[0]!;
    const answer = await tppOf(bank)('POST', payments, {
      body: { ...payment(iban), unheardOf: 'x' },
      headers: { 'PSU-ID': 'redirect' },
    });
    expect(answer.status).toBe(201);
    // Other calls have findings as well, and this one may still be on its way to the page.
    await page
      .getByRole('link', { name: /finding.*201/s })
      .first()
      .click();
    const findings = page.locator('#findings');
    await findings.waitFor();
    await expect.poll(() => findings.innerText()).toContain('/unheardOf');
  });

  it('shows the life of a payment, has it approved, and draws it', async () => {
    const { page } = await opened();
    const made = await startPayment(bank, 'redirect', { creditorName: 'Baker' });
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByRole('link', { name: made.paymentId }).click();
    await page.getByRole('button', { name: 'Approve payment' }).click();
    await page.getByRole('alert').getByText('Done: finalised.').waitFor();
    expect(await made.transactionStatus()).toBe('ACSC');
    const words = page.locator('#sequence-words li');
    await expect
      .poll(() => words.allTextContents())
      .toEqual([
        'TPP to Bank: POST initiatePayment',
        'Bank: status RCVD',
        'Bank: authorisation psuIdentified',
        'Bank to TPP: 201',
        'PSU to Bank: redirect: finalised',
        'Bank: status ACTC',
        'Bank: status ACSC',
        'TPP to Bank: GET getPaymentInitiationStatus',
        'Bank to TPP: 200',
      ]);
    await expect
      .poll(() => page.locator('svg text').allTextContents())
      .toEqual(expect.arrayContaining(['TPP', 'Bank', 'PSU', 'redirect: finalised', 'status ACSC']));
    const life = await page.locator('ol.life li').allTextContents();
    expect(life.map((text) => text.trim().split(' ')[0])).toEqual(['RCVD', 'ACTC', 'ACSC']);
  });

  it('lists who pays whom how much and when, also where the PSU decides', async () => {
    const { page } = await opened();
    const { iban } = bank.person('redirect').accounts[0]!;
    const headers = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/ok' };
    const bulk = await tppOf(bank)('POST', '/v1/bulk-payments/sepa-credit-transfers', {
      headers,
      body: {
        debtorAccount: { iban },
        requestedExecutionDate: '9998-12-24',
        payments: ['Baker', 'Mason', 'Tailor', 'Smith'].map((creditorName, index) => ({
          creditorName,
          creditorAccount: { iban: 'DE89370400440532013000' },
          instructedAmount: { currency: 'EUR', amount: '1.10' },
          remittanceInformationUnstructured: `Invoice ${String(index)}`,
        })),
      },
    });
    expect(bulk.status, bulk.text).toBe(201);
    const id = String(bulk.json.paymentId);
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    const row = page.getByRole('link', { name: id });
    await row.waitFor();
    const told = await row.innerText();
    for (const part of [iban, 'redirect', 'Baker and 3 others', '4.40 EUR', 'RCVD', '9998-12-24'])
      expect(told).toContain(part);
    await row.click();
    await expect
      .poll(() => page.locator('table.transfers tbody tr').allInnerTexts())
      .toEqual([
        expect.stringMatching(/Baker\s+DE89370400440532013000\s+1\.10 EUR\s+Invoice 0/),
        expect.stringMatching(/Mason/),
        expect.stringMatching(/Tailor/),
        expect.stringMatching(/Smith.*1\.10 EUR/s),
      ]);
    await page.getByRole('link', { name: 'Authorisations', exact: true }).click();
    const card = page.locator('li.card', { hasText: id });
    await card.waitFor();
    const asked = await card.innerText();
    for (const part of [iban, 'Baker', '4.40 EUR']) expect(asked).toContain(part);
  });

  it('lists what a consent is about, and links a basket to its contents', async () => {
    const { page } = await opened();
    const { iban } = bank.person('redirect').accounts[0]!;
    bank.scenario({ surface: 'framework' });
    const headers = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/ok' };
    const terms = { recurringIndicator: true, combinedServiceIndicator: false, validUntil: '9999-12-31' };
    const access = { accounts: [{ iban }], balances: [{ iban }] };
    const consent = await tppOf(bank)('POST', '/v1/consents', {
      headers,
      body: { access, ...terms, frequencyPerDay: 4 },
    });
    const consentId = String(consent.json.consentId);
    const members = [
      await startPayment(bank, 'redirect'),
      await startPayment(bank, 'redirect', { amount: '2.22' }),
    ];
    const paymentIds = members.map(({ paymentId }) => paymentId);
    const basket = await tppOf(bank)('POST', '/v1/signing-baskets', {
      headers,
      body: { paymentIds },
    });
    expect(basket.status, basket.text).toBe(201);
    const { href } = basket.json._links.startAuthorisation;
    expect((await tppOf(bank)('POST', href, { headers, body: {} })).status).toBe(201);

    await page.getByRole('link', { name: 'Consents', exact: true }).click();
    const row = page.getByRole('link', { name: consentId });
    await row.waitFor();
    const told = await row.innerText();
    for (const part of ['redirect', `accounts: ${iban}; balances: ${iban}`, '4 a day', '9999-12-31'])
      expect(told).toContain(part);

    await page.getByRole('link', { name: 'Authorisations', exact: true }).click();
    const card = page.locator('li.card', { hasText: String(basket.json.basketId) });
    await card.getByRole('link', { name: paymentIds[0] ?? '' }).waitFor();
    await card.getByRole('link', { name: paymentIds[1] ?? '' }).click();
    await page.getByText('2.22 EUR').first().waitFor();
  });

  it('shows payments, consents and calls of a snapshot that came back', async () => {
    const { page } = await opened();
    const made = await startPayment(bank, 'redirect', { creditorName: 'Before' });
    await bank.bank.snapshot('save', 'window');
    await bank.bank.reset();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('There is none yet.').waitFor();
    await bank.bank.snapshot('restore', 'window');
    await page.getByRole('link', { name: 'pays Before' }).waitFor();
    await page.getByRole('link', { name: made.paymentId }).click();
    await page
      .getByRole('link', { name: `POST ${payments}` })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page
      .getByRole('link', { name: `POST ${payments}` })
      .first()
      .waitFor();
  });

  it('shows the life of a consent with its times, and revokes it', async () => {
    const { page } = await opened();
    const created = await tppOf(bank)('POST', '/v1/consents', {
      headers: { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/ok' },
      body: {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        combinedServiceIndicator: false,
        validUntil: '9999-12-31',
        frequencyPerDay: 4,
      },
    });
    expect(created.status, created.text).toBe(201);
    bank.decide('approve', String(created.json.consentId));
    await page.getByRole('link', { name: 'Consents', exact: true }).click();
    await page.getByRole('link', { name: String(created.json.consentId) }).click();
    await page.getByRole('button', { name: 'Revoke as the PSU' }).click();
    await page.getByRole('alert').getByText('Done: revokedByPsu.').waitFor();
    await expect
      .poll(() => page.locator('ol.life li').allTextContents())
      .toEqual([
        expect.stringMatching(/^received \d{4}-.* UTC$/),
        expect.stringMatching(/^valid \d{4}-.* UTC$/),
        expect.stringMatching(/^revokedByPsu/),
      ]);
  });

  it('shows people with their balances, which follow the bank', async () => {
    const { page } = await opened();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.getByLabel('Words in name').fill('embedded-one');
    const { iban } = bank.person('redirect').accounts[0]!;
    await page.getByLabel('Words in name').fill(iban);
    const balance = page.locator('tr', { hasText: iban }).locator('.amount').first();
    await expect.poll(() => balance.textContent()).toBe(bank.balance(iban));
    const made = await startPayment(bank, 'redirect', { amount: '3.21' });
    bank.decide('approve', made.paymentId);
    await expect.poll(() => balance.textContent()).toBe(bank.balance(iban));
  });

  it('switches scenario, faults and clock, shows what the bank refuses, and resets', async () => {
    const { page } = await opened();
    await page.getByRole('link', { name: 'Behaviour', exact: true }).click();
    await page.getByLabel('cancellationRefusal', { exact: true }).selectOption('http-400');
    await page.getByRole('alert').getByText('cancellationRefusal is http-400 now.').waitFor();
    expect((await bank.bank.scenarios()).find(({ name }) => name === 'cancellationRefusal')?.value).toBe(
      'http-400',
    );

    await page.getByLabel('Another value of pages').fill('of-7');
    await page.getByRole('button', { name: 'Set pages', exact: true }).click();
    await page.getByRole('alert').getByText('pages is of-7 now.').waitFor();
    await expect.poll(() => page.getByLabel('pages', { exact: true }).inputValue()).toBe('of-7');

    await page.getByLabel('Operation', { exact: true }).fill('getAccountLst');
    await page.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByRole('alert').getByText('Did you mean getAccountList?').waitFor();
    await page.getByLabel('Operation', { exact: true }).fill('getAccountList');
    await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('status');
    await page.getByLabel('Status', { exact: true }).fill('503');
    await page.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByText('getAccountList: status 503, once').waitFor();
    expect(await bank.bank.faults()).toEqual([
      { operation: 'getAccountList', kind: 'status', status: 503, count: 1 },
    ]);
    await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('edit');
    await page.getByLabel('Status', { exact: true }).fill('');
    await page.getByLabel('Edit', { exact: true }).fill('/accounts/0/iban=none');
    await page.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByText('getAccountList: edit /accounts/0/iban=none, once').waitFor();
    // What others do at the bank is seen as well: a fault that has struck is gone.
    bank.fault({ operation: 'getFundsConfirmation', kind: 'html', count: 1 });
    await tppOf(bank)('GET', '/v1/nothing');
    await page.getByText('getFundsConfirmation: html, once').waitFor();
    await page.getByRole('button', { name: 'Clear all faults' }).click();
    await page.getByText('No fault is set.', { exact: true }).first().waitFor();

    await page.getByRole('button', { name: 'One day on' }).click();
    await page.getByText('moved by 86400 s').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();

    await page.getByRole('button', { name: 'Reset the bank' }).click();
    await page.getByRole('alert').getByText('a reset cannot be undone').waitFor();
    await page.getByLabel('Forget everything').check();
    await Promise.all([
      page.waitForEvent('load'),
      page.getByRole('button', { name: 'Reset the bank' }).click(),
    ]);
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByText('No TPP has called yet.').waitFor();
  });

  it('keeps the last 500 calls, also those from before it was opened', async () => {
    const call = (path: string) => fetch(bank.baseUrl + path).then((answer) => answer.text());
    for (let made = 0; made < 520; made += 20)
      await Promise.all(Array.from({ length: 20 }, () => call('/v1/nothing')));
    const { page } = await opened();
    const rows = page.locator('#calls li');
    await expect.poll(() => rows.count()).toBe(500);
    const newest = Number(await rows.first().getAttribute('data-number'));
    for (let made = 0; made < 5; made += 1) await call('/v1/more');
    await expect.poll(async () => Number(await rows.first().getAttribute('data-number'))).toBe(newest + 5);
    await expect.poll(() => rows.count()).toBe(500);
    await page.getByLabel('Words in path').fill('more');
    await expect.poll(() => rows.count()).toBe(5);
    await expect.poll(() => page.locator('#count').textContent()).toBe('5 of 500 calls');
  });

  const wrong = [
    ['#/calls/987654', 'The bank has no call 987654.'],
    ['#/calls/abc', 'Call abc'],
    ['#/payments/%', 'The bank has no payment %.'],
    ['#/consents/none', 'The bank has no consent none.'],
    ['#/elsewhere', 'Words in path, status or id'],
  ] as const;
  it.each(part(wrong, 3, 0))('explains what is wrong with the address %s', async (hash, says) => {
    const { page } = await opened();
    await page.goto(`${bank.windowUrl}${hash}`);
    await page.getByText(says).first().waitFor();
  });

  it('finds the bank again, and requests nothing while nobody looks', async () => {
    const { page } = await visitor({ expected: /ERR_FAILED/ });
    await page.route('**/sandbox/api/events', (route) => route.abort());
    await page.goto(link());
    await page.getByText('The bank does not answer; trying again').waitFor();
    await page.unroute('**/sandbox/api/events');
    await page.getByText('Live', { exact: true }).waitFor();

    const looked = async (hidden: boolean) => {
      const ended = hidden ? page.waitForEvent('requestfailed') : page.waitForEvent('request');
      await page.evaluate((value) => {
        const { document, Event } = globalThis as unknown as {
          document: { dispatchEvent(event: object): void };
          Event: new (type: string) => object;
        };
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
      expect((await ended).url()).toContain('/sandbox/api/events');
    };
    await looked(true);
    await tppOf(bank)('GET', '/v1/meanwhile');
    await looked(false);
    await page.getByRole('link', { name: '/v1/meanwhile' }).waitFor();
    await expect.poll(() => page.locator('#calls li', { hasText: '/v1/meanwhile' }).count()).toBe(1);
  });
});
