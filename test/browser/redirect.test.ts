import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { creditor } from '../unit/bank/tpp.ts';
import { factsOn, expectFocus, logIn, on, startPayment } from './journey.ts';

describeInBrowser('the redirect page', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let tpp: TppSite;
  beforeAll(async () => {
    [bank, tpp] = await Promise.all([startBank(), startTppSite()]);
  });
  afterAll(() => Promise.all([bank.close(), tpp.close()]));

  const okPath = '/back/ok?state=a%2Bb%20c&lang=d%C3%A9';
  const nokPath = '/back/nok?state=a%2Bb%20c';
  const start = (psuId: string, wish: Parameters<typeof startPayment>[2] = {}) =>
    startPayment(bank, psuId, { okUri: tpp.origin + okPath, nokUri: tpp.origin + nokPath, ...wish });

  it('approves what it shows, and leads to the address of the TPP unchanged', async () => {
    const person = bank.person('redirect');
    const waiting = await start('redirect', { amount: '1234.50', creditorName: 'Bäckerei Müller & Söhne' });
    const before = Number(bank.balance(waiting.debtorIban));
    const { page } = await visitor();
    await page.goto(waiting.url);
    await expect.poll(() => page.title()).toBe('Log in to your bank - obk test bank');
    await logIn(page, 'redirect', person.password);
    await expect.poll(() => on(page).heading.textContent()).toBe('Approve the payment');
    expect(await factsOn(page)).toEqual({
      Payee: 'Bäckerei Müller & Söhne',
      'IBAN of the payee': creditor,
      Amount: '1234.50 EUR',
      'From your account': waiting.debtorIban,
      Purpose: 'Order 1',
    });
    await on(page).otp.fill(person.otp);
    await on(page).press('Approve');
    expect(page.url()).toBe(tpp.origin + okPath);
    expect(tpp.arrivals.at(-1)).toBe(okPath);
    expect([await waiting.scaStatus(), await waiting.transactionStatus()]).toEqual(['finalised', 'ACSC']);
    expect(Number(bank.balance(waiting.debtorIban))).toBeCloseTo(before - 1234.5, 2);
  });

  it('refuses without a one-time password, and leads to the Nok address unchanged', async () => {
    const waiting = await start('redirect');
    const before = bank.balance(waiting.debtorIban);
    const { page } = await visitor();
    await page.goto(waiting.url);
    await logIn(page, 'redirect', bank.person('redirect').password);
    await on(page).press('Refuse');
    expect(page.url()).toBe(tpp.origin + nokPath);
    expect(tpp.arrivals.at(-1)).toBe(nokPath);
    expect([await waiting.scaStatus(), await waiting.transactionStatus()]).toEqual(['failed', 'RJCT']);
    expect(bank.balance(waiting.debtorIban)).toBe(before);
  });

  it('explains what is wrong with a login, where, and keeps the PSU-ID', async () => {
    const person = bank.person('redirect');
    const waiting = await start('redirect', { named: false });
    const { page } = await visitor();
    await page.goto(waiting.url);
    const { psuId, password, alert } = on(page);

    await logIn(page, 'redirct', person.password);
    await expect.poll(() => alert.textContent()).toContain('The bank knows no such PSU-ID.');
    await expect.poll(() => psuId.inputValue()).toBe('redirct');
    await expectFocus(psuId);

    await logIn(page, 'redirect', 'wrong');
    await expect.poll(() => page.title()).toMatch(/^Error: /);
    await expect.poll(() => alert.textContent()).toContain('The password is wrong');
    await expect.poll(() => psuId.inputValue()).toBe('redirect');
    await expect.poll(() => password.inputValue()).toBe('');
    await expectFocus(password);
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await password.getAttribute('aria-describedby')).toBe('password-error');
    await expect.poll(() => page.locator('#password-error').textContent()).toContain('The password is wrong');
    await psuId.focus();
    await alert.getByRole('link').click();
    await expectFocus(password);

    await logIn(page, 'redirect', person.password);
    await expect.poll(() => on(page).heading.textContent()).toBe('Approve the payment');
    await expect.poll(() => alert.count()).toBe(0);
  });

  it('lets the PSU choose a method, and accepts the one-time password after a wrong one', async () => {
    const person = bank.person('redirect-explicit');
    const waiting = await start('redirect-explicit');
    const { page } = await visitor();
    await page.goto(waiting.url);
    await logIn(page, person.psuId, person.password);
    await expect.poll(() => on(page).heading.textContent()).toBe('Choose a method');
    expect(
      await page.getByRole('group', { name: 'How do you want to confirm?' }).getByRole('radio').count(),
    ).toBe(3);
    await on(page).press('Continue');
    await expect.poll(() => on(page).alert.textContent()).toContain('Choose a method.');
    await page.getByLabel('Card reader').check();
    await on(page).press('Continue');
    await expect.poll(() => page.locator('#otp-hint').textContent()).toContain('Card reader');

    await on(page).press('Approve');
    await expect.poll(() => on(page).alert.textContent()).toContain('Enter the one-time password.');
    await on(page).otp.fill(person.otp === '000000' ? '111111' : '000000');
    await on(page).press('Approve');
    await expect.poll(() => on(page).alert.textContent()).toContain('attempts left: 4');
    await expectFocus(on(page).otp);
    expect(await waiting.scaStatus()).toBe('scaMethodSelected');
    await on(page).otp.fill(` ${person.otp.slice(0, 3)} ${person.otp.slice(3)}`);
    await on(page).press('Approve');
    expect(tpp.arrivals.at(-1)).toBe(okPath);
    expect(await waiting.transactionStatus()).toBe('ACSC');
  });

  it('leads to the TPP even where the TPP sends the browser on to another place', async () => {
    const other = await startTppSite();
    // The browser may still be asking it for an icon.
    onTestFinished(() => other.close());
    tpp.forward('/hop', `${other.origin}/app`);
    const person = bank.person('redirect');
    const waiting = await start('redirect', { okUri: `${tpp.origin}/hop` });
    const { page } = await visitor();
    await page.goto(waiting.url);
    await logIn(page, 'redirect', person.password);
    await on(page).otp.fill(person.otp);
    await on(page).press('Approve');
    await page.waitForURL(`${other.origin}/app`);
  });

  it('shows how it ended to whoever opens the link again, and asks nothing', async () => {
    const person = bank.person('redirect');
    const waiting = await start('redirect');
    const { page } = await visitor();
    await page.goto(waiting.url);
    await logIn(page, 'redirect', person.password);
    await on(page).otp.fill(person.otp);
    await on(page).press('Approve');
    await page.goBack();
    await expect.poll(() => on(page).heading.textContent()).toBe('Done');
    const again = await page.goto(waiting.url);
    expect(again?.status()).toBe(200);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('It is approved.');
    await expect.poll(() => page.locator('form').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to where you came from' }).click();
    expect(page.url()).toBe(tpp.origin + okPath);

    const refused = await start('redirect', { okUri: undefined, nokUri: undefined });
    bank.decide('refuse', refused.authorisationId);
    expect((await page.goto(refused.url))?.status()).toBe(200);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('It is refused.');
    await expect.poll(() => page.getByRole('link').count()).toBe(0);
  });

  it('helps whoever comes with a link that leads nowhere', async () => {
    const { page } = await visitor();
    const answer = await page.goto(`${bank.baseUrl}/sca/unknown`);
    expect(answer?.status()).toBe(404);
    await expect.poll(() => on(page).heading.textContent()).toBe('Nothing to decide');
    await expect.poll(() => page.locator('main').textContent()).toContain('start again');
  });
});
