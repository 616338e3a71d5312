import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { tppOf } from '../unit/bank/tpp.ts';
import { complaints } from './axe.ts';
import { startPayment } from './journey.ts';
import { auditFocus } from './audit.ts';
import { part, ranTable } from '../helpers/trials.ts';

/** Goes to a part of the window by its address. */
async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = to;
  }, hash);
}

describeInBrowser('the dashboard for everybody', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let parts: { name: string; hash: string; ready: string }[];
  beforeAll(async () => {
    bank = await startBank();
    const call = tppOf(bank);
    const made = await startPayment(bank, 'redirect', { creditorName: 'x'.repeat(70) });
    bank.decide('approve', made.paymentId);
    const waiting = await startPayment(bank, 'decoupled', { named: false });
    await call('POST', '/v1/consents', {
      headers: { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/ok' },
      body: {
        access: { availableAccounts: 'allAccounts' },
        recurringIndicator: false,
        combinedServiceIndicator: false,
        validUntil: '9999-12-31',
        frequencyPerDay: 1,
      },
    });
    await call('GET', `/v1/${'long'.repeat(200)}`);
    bank.fault({ operation: 'getAccountList', kind: 'drop-before' });
    bank.scenario({ bulk: 'partial' });
    parts = [
      { name: 'calls', hash: '#/calls', ready: 'RESOURCE_UNKNOWN' },
      { name: 'a call', hash: '#/calls/1', ready: 'Signing string that' },
      { name: 'authorisations', hash: '#/authorisations', ready: waiting.authorisationId },
      { name: 'payments', hash: '#/payments', ready: made.paymentId },
      { name: 'a payment', hash: `#/payments/${made.paymentId}`, ready: 'The sequence in words' },
      { name: 'a payment that waits', hash: `#/payments/${waiting.paymentId}`, ready: 'Waits for the PSU' },
      { name: 'consents', hash: '#/consents', ready: 'received' },
      { name: 'people', hash: '#/people', ready: 'embedded-choice' },
      { name: 'behaviour', hash: '#/behaviour', ready: 'drop-before, once' },
    ];
  });
  afterAll(async () => {
    ranTable('the window at every width, light and dark');
    await bank.close();
  });

  const opened = async (width: number, colorScheme: 'light' | 'dark') => {
    const { page } = await visitor({ viewport: { width, height: 800 }, colorScheme });
    await page.goto(`${bank.windowUrl}#token=${readFileSync(bank.tokenFile, 'utf8')}`);
    await page.getByText('Live', { exact: true }).waitFor();
    return page;
  };

  const views = [
    [360, 'light'],
    [360, 'dark'],
    [800, 'light'],
    [800, 'dark'],
    [1400, 'light'],
    [1400, 'dark'],
  ] as const;
  it.each(part(views, 5, 0))(
    'passes axe at %i px in the %s, and nothing is wider than the dashboard',
    async (width, scheme) => {
      const page = await opened(width, scheme);
      const shots = process.env['OBK_TEST_SHOTS'];
      for (const { name, hash, ready } of parts) {
        await goTo(page, hash);
        await page.getByText(ready).first().waitFor();
        expect(await complaints(page), name).toEqual([]);
        const { wide, room } = await page.evaluate(() => {
          const { document, innerWidth } = globalThis as unknown as {
            document: { documentElement: { scrollWidth: number } };
            innerWidth: number;
          };
          return { wide: document.documentElement.scrollWidth, room: innerWidth };
        });
        expect(wide, name).toBeLessThanOrEqual(room);
        if (shots !== undefined)
          await page.screenshot({ path: `${shots}/${name}-${String(width)}-${scheme}.png`, fullPage: true });
      }
    },
    60_000,
  );

  it('passes axe where the token is asked for, and fails it where something is wrong', async () => {
    const { page } = await visitor();
    await page.goto(bank.windowUrl);
    await page.getByLabel('Token').waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.evaluate(() => {
      const { document } = globalThis as unknown as {
        document: { querySelector(of: string): { remove(): void } | null };
      };
      document.querySelector('h1')?.remove();
    });
    expect((await complaints(page)).join()).toContain('page-has-heading-one');
  });

  it('can be operated by keyboard: to a call, back, and through an approval', async () => {
    const page = await opened(1400, 'light');
    expect(await auditFocus(page, 14)).toEqual([]);
    await page.getByRole('link', { name: 'GET /v1/long' }).focus();
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { level: 2, name: /^Call / });
    await title.waitFor();
    await expect
      .poll(() =>
        title.evaluate(
          (node: { ownerDocument: { activeElement: unknown } }) => node.ownerDocument.activeElement === node,
        ),
      )
      .toBe(true);
    await goTo(page, '#/authorisations');
    const approve = page.getByRole('button', { name: /^Approve payment/ }).first();
    const who = page.getByLabel('As PSU').first();
    await who.focus();
    await page.keyboard.type('decoupled');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Done: finalised.').waitFor();
    await approve.waitFor({ state: 'detached' });
  });
});
