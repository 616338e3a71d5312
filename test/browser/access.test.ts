import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { audit, auditFocus } from './audit.ts';
import { expectFocus, logIn, on, startPayment } from './journey.ts';

describeInBrowser('the pages for everybody', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let tpp: TppSite;
  let okUri: string;
  let nokUri: string;
  beforeAll(async () => {
    [bank, tpp] = await Promise.all([startBank(), startTppSite()]);
    okUri = `${tpp.origin}/ok?state=1`;
    nokUri = `${tpp.origin}/nok?state=1`;
  });
  afterAll(() => Promise.all([bank.close(), tpp.close()]));

  /** As long and as unbreakable as the interface allows. */
  const long = { creditorName: 'W'.repeat(70), remittance: 'https://example.org/'.padEnd(140, 'x') };

  async function sound(page: Page, heading: string, stops = 6): Promise<void> {
    await expect.poll(() => on(page).heading.textContent()).toBe(heading);
    expect(await audit(page), heading).toEqual([]);
    expect(await auditFocus(page, stops), heading).toEqual([]);
  }

  /** A page takes the focus a moment after it is there; what is typed before goes nowhere. */
  const focus = (page: Page) => page.locator(':focus').waitFor();

  it('are sound at every step of the redirect page', async () => {
    const person = bank.person('redirect-explicit');
    const { url, authorisationId } = await startPayment(bank, person.psuId, { okUri, ...long });
    const { page } = await visitor();
    await page.goto(url);
    await sound(page, 'Log in to your bank');
    await logIn(page, person.psuId, 'wrong');
    await sound(page, 'Log in to your bank');
    await logIn(page, person.psuId, person.password);
    await sound(page, 'Choose a method');
    await on(page).press('Continue');
    await sound(page, 'Choose a method');
    await page.getByLabel('Card reader').check();
    await on(page).press('Continue');
    await sound(page, 'Approve the payment');
    await on(page).press('Approve');
    await sound(page, 'Approve the payment');
    await page.context().clearCookies();
    await on(page).press('Approve');
    await sound(page, 'Log in to your bank');
    bank.decide('approve', authorisationId);
    await page.goto(url);
    await sound(page, 'Done', 3);
    await page.goto(`${bank.baseUrl}/sca/unknown`);
    await sound(page, 'Nothing to decide', 2);
  });

  it('are sound on the phone and where it was refused', async () => {
    const { password } = bank.person('decoupled');
    await startPayment(bank, 'decoupled', long);
    await startPayment(bank, 'decoupled');
    const { page } = await visitor();
    await page.goto(`${bank.baseUrl}/phone`);
    await logIn(page, 'nobody', 'wrong');
    await sound(page, 'Your banking app');
    await logIn(page, 'decoupled', password);
    await sound(page, 'Your banking app', 8);
    await page.getByRole('button', { name: 'Refuse' }).first().click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await sound(page, 'Your banking app', 4);
    const { url, authorisationId } = await startPayment(bank, 'redirect');
    bank.decide('refuse', authorisationId);
    await page.goto(url);
    await sound(page, 'Not approved', 2);
  });

  it('can be used with only the keyboard', async () => {
    const person = bank.person('redirect-explicit');
    const { url, transactionStatus } = await startPayment(bank, person.psuId, { okUri, named: false });
    const { page } = await visitor();
    const keyboard = page.keyboard;
    await page.goto(url);
    await focus(page);
    await keyboard.type(person.psuId);
    await keyboard.press('Tab');
    await keyboard.type(person.password);
    await keyboard.press('Enter');
    await page.waitForURL(url);
    await on(page).heading.getByText('Choose a method').waitFor();
    await focus(page);
    await expectFocus(page.getByLabel('SMS'));
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await expect.poll(() => page.getByLabel('Card reader').isChecked()).toBe(true);
    await keyboard.press('Enter');
    await on(page).heading.getByText('Approve the payment').waitFor();
    await focus(page);
    await keyboard.type(person.otp);
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await page.waitForURL(okUri);
    expect(await transactionStatus()).toBe('ACSC');
  });

  it('can be refused with only the keyboard, and Enter after the one-time password approves', async () => {
    const person = bank.person('redirect');
    const { page } = await visitor();
    const keyboard = page.keyboard;
    for (const refuse of [true, false]) {
      const { url, scaStatus } = await startPayment(bank, 'redirect', { okUri, nokUri });
      await page.goto(url);
      await focus(page);
      await expectFocus(on(page).password);
      await keyboard.type(person.password);
      await keyboard.press('Enter');
      await on(page).heading.getByText('Approve the payment').waitFor();
      await focus(page);
      if (refuse) {
        await keyboard.press('Tab');
        await keyboard.press('Tab');
      } else {
        await keyboard.type(person.otp);
      }
      await keyboard.press('Enter');
      await page.waitForURL(refuse ? nokUri : okUri);
      expect(await scaStatus()).toBe(refuse ? 'failed' : 'finalised');
    }
  });

  it('can be used without JavaScript', async () => {
    const person = bank.person('redirect-explicit');
    const { url, transactionStatus } = await startPayment(bank, person.psuId, { okUri });
    const { page } = await visitor({ javaScriptEnabled: false });
    await page.goto(url);
    await logIn(page, person.psuId, person.password);
    await page.getByLabel('Code in the banking app').check();
    await on(page).press('Continue');
    await on(page).otp.fill(person.otp);
    await on(page).press('Approve');
    await page.waitForURL(okUri);
    expect(await transactionStatus()).toBe('ACSC');
    const waiting = await startPayment(bank, 'decoupled');
    await page.goto(`${bank.baseUrl}/phone`);
    await logIn(page, 'decoupled', bank.person('decoupled').password);
    await on(page).press('Approve');
    expect(await waiting.scaStatus()).toBe('finalised');
  });

  describe('the audit of pages', () => {
    const body = (inner: string) =>
      `<html lang="en"><title>t</title><body style="background:#fff;margin:0"><main><h1>h</h1>${inner}</main></body></html>`;

    const planted = [
      ['no lang', body('').replace(' lang="en"', '')],
      ['no title', body('').replace('<title>t</title>', '')],
      ['2 h1', body('<h1>again</h1>')],
      ['headings 1,3', body('<h3>deep</h3>')],
      ['id a twice', body('<p id="a">1</p><p id="a">2</p>')],
      ['no label', body('<input>')],
      ['no label', body('<label for="b">L</label><input id="a">')],
      ['points to no x', body('<label>L<input aria-describedby="x"></label>')],
      ['contrast', body('<p style="color:#888">grey</p>')],
      ['contrast', body('<p style="background:#1d4ed8">black on blue</p>')],
      ['contrast', body('').replace('background:#fff', '')],
      ['edge of', body('<label>L<input style="border:1px solid #ddd"></label>')],
      ['wider than the window', body('<p style="width:400px">wide</p>')],
      ['scrolls sideways', body(`<p>${'W'.repeat(70)}</p>`)],
      ['too small', body('<button style="height:20px">b</button>')],
      ['script in', body('<p onclick="1">p</p>')],
      ['has script', body('<script>1</script>')],
    ] as const;

    it('finds what is planted', async () => {
      const { page } = await visitor();
      const overlooked = [];
      for (const [what, content] of planted) {
        await page.setContent(content);
        const found = await audit(page);
        if (!found.some((one) => one.includes(what))) overlooked.push({ what, found });
      }
      expect(overlooked).toEqual([]);
      for (const css of ['outline:0', 'outline:3px solid #eee', 'outline:1px solid #000']) {
        await page.setContent(body(`<button style="${css}">b</button>`));
        expect(await auditFocus(page, 1), css).toHaveLength(1);
      }
    });

    it('notices requests to elsewhere, complaints, faults and dialogs', async () => {
      const { page, troubles } = await visitor();
      await page.goto(`${tpp.origin}/ok`);
      await page.setContent(
        body(
          `<img src="http://evil.example/x"><script>console.error('c'); alert('a'); throw new Error('e')</script>`,
        ),
      );
      await expect.poll(() => troubles.length).toBe(5);
      expect(troubles.splice(0).sort()).toEqual([
        'asked for http://evil.example/x',
        expect.stringContaining('console: Failed to load resource: net::'),
        'console: c',
        'dialog: a',
        'script: e',
      ]);
    });
  });
});
