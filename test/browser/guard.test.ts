import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { factsOn, logIn, on, startPayment } from './journey.ts';

describeInBrowser('the guard of the pages', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let tpp: TppSite;
  beforeAll(async () => {
    [bank, tpp] = await Promise.all([startBank(), startTppSite()]);
  });
  afterAll(() => Promise.all([bank.close(), tpp.close()]));

  it.each(['/sca', '/phone', '/sca/unknown'])(
    'sends for %s one request, and allows no store, no script, no frame',
    async (at) => {
      const { url } = await startPayment(bank, 'redirect', { okUri: `${tpp.origin}/ok` });
      const { page, requests } = await visitor();
      const address = at === '/sca' ? url : bank.baseUrl + at;
      const headers = (await page.goto(address))?.headers() ?? {};
      expect(requests).toEqual([`GET ${address}`]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-content-type-options']).toBe('nosniff');
      const policy = headers['content-security-policy'] ?? '';
      for (const part of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
      ])
        expect(policy).toContain(part);
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('script-src');
      const cookies = await page.context().cookies();
      expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual(
        at === '/sca/unknown' ? [] : [[true, 'Lax']],
      );
    },
  );

  it('shows what the TPP wrote as text, verbatim', async () => {
    const person = bank.person('redirect');
    const creditorName = '<script>document.title="x"</script>  "&amp;"';
    const remittance = '<b>&lt;b&gt;</b><img src="http://evil.example/x">';
    const { url } = await startPayment(bank, 'redirect', { creditorName, remittance, amount: '0.01' });
    const { page } = await visitor();
    await page.goto(url);
    await logIn(page, 'redirect', person.password);
    expect(await factsOn(page)).toMatchObject({
      Payee: creditorName,
      Amount: '0.01 EUR',
      Purpose: remittance,
    });
    await expect.poll(() => page.locator('dl').innerText()).toContain(creditorName);
    await expect.poll(() => page.locator('script, b, img').count()).toBe(0);
    await expect.poll(() => page.title()).toBe('Approve the payment - obk test bank');
  });

  it('accepts no form without the token of the page, nor from a browser that lost its cookie', async () => {
    const person = bank.person('redirect');
    const waiting = await startPayment(bank, 'redirect');
    const { page } = await visitor();
    await page.goto(waiting.url);
    await logIn(page, 'redirect', person.password);
    const refusedOn = async (press: () => Promise<void>) => {
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        press(),
      ]);
      expect(answer.status()).toBe(403);
      await expect.poll(() => on(page).alert.textContent()).toContain('The page has expired.');
      expect(await waiting.scaStatus()).toBe('scaMethodSelected');
    };

    await page.locator('input[name=csrf]').evaluate((input: { remove(): void }) => {
      input.remove();
    });
    await on(page).otp.fill(person.otp);
    await refusedOn(() => on(page).press('Approve'));

    await page.context().clearCookies();
    await on(page).otp.fill(person.otp);
    await refusedOn(() => on(page).press('Approve'));

    await logIn(page, 'redirect', person.password);
    await on(page).otp.fill(person.otp);
    await on(page).press('Approve');
    await expect.poll(() => on(page).heading.textContent()).toBe('Done');
    expect(await waiting.scaStatus()).toBe('finalised');
  });

  it('accepts no form of another site, although the PSU is logged in', async () => {
    const person = bank.person('redirect');
    const waiting = await startPayment(bank, 'redirect');
    const { page } = await visitor();
    await page.goto(waiting.url);
    await logIn(page, 'redirect', person.password);
    tpp.serve(
      '/trap',
      `<form method="post" action="${waiting.url}"><input name="otp" value="${person.otp}">
       <button name="decision" value="approve">Win</button></form>`,
    );
    await page.goto(`${tpp.origin}/trap`);
    await on(page).press('Win');
    expect(page.url()).toBe(waiting.url);
    await expect.poll(() => on(page).alert.textContent()).toContain('The page has expired.');
    expect(await waiting.scaStatus()).toBe('scaMethodSelected');
  });

  it('keeps the page out of a frame of another site', async () => {
    const { url } = await startPayment(bank, 'redirect');
    tpp.serve('/frame', `<iframe src="${url}"></iframe>`);
    const { page } = await visitor({ expected: /frame-ancestors/ });
    await page.goto(`${tpp.origin}/frame`);
    await expect.poll(() => page.frameLocator('iframe').getByLabel('PSU-ID').count()).toBe(0);
  });

  it.each(['/sca', '/phone'])('keeps %s from being answered under a foreign name', async (at) => {
    const { url } = await startPayment(bank, 'redirect');
    const { page } = await visitor();
    const address = (at === '/sca' ? url : bank.baseUrl + at).replace('127.0.0.1', 'bank.example');
    const answer = await page.goto(address);
    expect(answer?.status()).toBe(421);
    await expect.poll(() => page.locator('form').count()).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
  });
});
