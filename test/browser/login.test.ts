import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { loginRequest } from '../unit/bank/oauth-login.ts';
import { audit, auditFocus } from './audit.ts';
import { logIn, on } from './journey.ts';

describeInBrowser('the page of a login before any call', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let tpp: TppSite;
  beforeAll(async () => {
    [bank, tpp] = await Promise.all([startBank(), startTppSite()]);
  });
  afterAll(() => Promise.all([bank.close(), tpp.close()]));

  it.each(['Approve', 'Refuse'] as const)('is sound at every step, and ends by %s', async (decision) => {
    const { url } = loginRequest(bank, {
      redirect_uri: `${tpp.origin}/cb?x=1`,
      scope: 'PIS AIS offline_access',
    });
    const { page } = await visitor();
    const sound = async (heading: string, stops: number) => {
      await expect.poll(() => on(page).heading.textContent()).toBe(heading);
      expect([...(await audit(page)), ...(await auditFocus(page, stops))], heading).toEqual([]);
    };
    await page.goto(url);
    const own = page.url();
    await sound('Log in to your bank', 6);
    await logIn(page, 'embedded-one', 'wrong');
    await sound('Log in to your bank', 6);
    await expect.poll(() => on(page).psuId.inputValue()).toBe('embedded-one');
    await logIn(page, 'embedded-one', bank.person('embedded-one').password);
    await sound('Allow access to your bank', 2);
    await expect
      .poll(() => page.getByRole('listitem').allTextContents())
      .toEqual(['Start payments', 'Read accounts', 'Stay logged in']);
    await on(page).press(decision);
    const back = new URL(page.url());
    expect([back.origin, back.pathname, back.searchParams.get('x')]).toEqual([tpp.origin, '/cb', '1']);
    const answer = [
      back.searchParams.get('state'),
      back.searchParams.get('iss'),
      back.searchParams.get('error'),
    ];
    expect(answer).toEqual(['st&te', bank.baseUrl, decision === 'Approve' ? null : 'access_denied']);
    expect(back.searchParams.has('code')).toBe(decision === 'Approve');
    await page.goto(own);
    await sound(decision === 'Approve' ? 'Done' : 'Not approved', 1);
  });
});
