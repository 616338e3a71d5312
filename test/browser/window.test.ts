import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { payment, tppOf } from '../unit/sandbox/tpp.ts';
import { startPayment } from './journey.ts';

const payments = '/v1/payments/sepa-credit-transfers';

describeInBrowser('the window', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startBank();
  });
  afterAll(() => bank.close());
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

  it('says in words what is wrong with a signature', async () => {
    const { page } = await opened();
    const { iban } = bank.person('redirect').accounts[0]!;
    const answer = await tppOf(bank)('POST', payments, {
      body: payment(iban),
      tamper: (headers) => {
        headers['Digest'] = `SHA-256=${'A'.repeat(43)}=`;
      },
    });
    expect(answer.status).toBe(401);
    const row = page.getByRole('link', { name: '401' }).first();
    await row.waitFor({ timeout: 1000 });
    expect(await row.innerText()).toContain('Digest is not that of the body received.');
    await row.click();
    const verdict = page.locator('#verdict');
    await verdict.waitFor();
    expect(await verdict.innerText()).toContain('Digest is not that of the body received.');
    expect(await page.locator('#signature').innerText()).toContain(
      'The Digest is not that of the body which the bank received.',
    );
  });
});
