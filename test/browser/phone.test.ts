import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { factsOn, expectFocus, logIn, on, startPayment } from './journey.ts';

describeInBrowser('the phone', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let phone: string;
  beforeAll(async () => {
    bank = await startBank();
    phone = `${bank.baseUrl}/phone`;
  });
  afterAll(() => bank.close());

  it('approves one payment and refuses another, each by its own button', async () => {
    const { password } = bank.person('decoupled');
    const { page } = await visitor();
    await page.goto(phone);
    await logIn(page, 'decoupled', password);
    await expect.poll(() => page.locator('main').textContent()).toContain('Nothing waits for you.');

    const rent = await startPayment(bank, 'decoupled', { amount: '700.00', creditorName: 'Landlord' });
    const trick = await startPayment(bank, 'decoupled', { amount: '999.99', creditorName: 'Crook' });
    const foreign = await startPayment(bank, 'decoupled-implicit', { creditorName: 'Somebody' });
    await page.getByRole('link', { name: 'Look again' }).click();
    await expect.poll(() => page.getByRole('region').count()).toBe(2);
    const part = (name: string) => page.getByRole('region', { name });
    await part('Payment of 999.99 EUR to Crook').getByRole('button', { name: 'Refuse' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('It is refused.');
    expect([await trick.scaStatus(), await trick.transactionStatus()]).toEqual(['failed', 'RJCT']);
    expect(await rent.scaStatus()).toBe('started');

    expect(await factsOn(page)).toMatchObject({ Payee: 'Landlord', Amount: '700.00 EUR' });
    await part('Payment of 700.00 EUR to Landlord').getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('It is approved.');
    expect([await rent.scaStatus(), await rent.transactionStatus()]).toEqual(['finalised', 'ACSC']);
    expect(await foreign.scaStatus()).toBe('started');
  });

  it('explains what is wrong with a login, and lets another PSU in after the first', async () => {
    const { page } = await visitor();
    await page.goto(phone);
    await logIn(page, 'decoupled', 'wrong');
    await expect.poll(() => on(page).alert.textContent()).toContain('The password is wrong.');
    await expect.poll(() => on(page).psuId.inputValue()).toBe('decoupled');
    await expectFocus(on(page).password);
    await logIn(page, 'decoupled', bank.person('decoupled').password);
    await on(page).press('Log out');
    await expectFocus(on(page).psuId);

    const waiting = await startPayment(bank, 'decoupled-implicit', { creditorName: 'Shop' });
    await logIn(page, 'decoupled-implicit', bank.person('decoupled-implicit').password);
    await expect.poll(() => page.getByRole('heading', { level: 2, name: 'to Shop' }).count()).toBe(1);
    expect(await waiting.scaStatus()).toBe('started');
  });

  it('decides nothing without the token of the page, nor for somebody else', async () => {
    const waiting = await startPayment(bank, 'decoupled', { creditorName: 'Baker' });
    const { page } = await visitor();
    await page.goto(phone);
    await logIn(page, 'decoupled', bank.person('decoupled').password);
    const baker = page.getByRole('region', { name: 'Baker' });
    await baker.locator('input[name=csrf]').evaluate((input: { remove(): void }) => {
      input.remove();
    });
    await baker.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => on(page).alert.textContent()).toContain('The page has expired.');
    expect(await waiting.scaStatus()).toBe('started');

    const other = await startPayment(bank, 'decoupled-implicit', { creditorName: 'Somebody' });
    await baker
      .locator('input[name=authorisationId]')
      .evaluate((input: { value: string }, id) => void (input.value = id), other.authorisationId);
    await baker.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => page.getByRole('status').count()).toBe(0);
    expect([await other.scaStatus(), await waiting.scaStatus()]).toEqual(['started', 'started']);
  });
});
