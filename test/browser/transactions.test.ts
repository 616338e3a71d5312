import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { hostileStatement, rarePages } from '../helpers/statement-page.ts';
import { audit, auditFocus } from './audit.ts';
import { complaints } from './axe.ts';

describeInBrowser('a page of transactions in the browser', () => {
  const visitor = useBrowser();
  let site: TppSite;
  beforeAll(async () => {
    site = await startTppSite();
    site.serve('/statement', hostileStatement());
  });
  afterAll(() => site.close());

  it('requests nothing, and fits in light and dark, narrow, wide and on paper', async () => {
    const { page, requests } = await visitor();
    const address = `${site.origin}/statement`;
    const shots = process.env['OBK_TEST_SHOTS'];
    for (const width of [360, 720, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      for (const folded of await page.locator('details > summary').all()) await folded.press('Enter');
      await expect.poll(() => page.locator('details:not([open])').count()).toBe(0);
      await expect.poll(() => page.locator('svg').first().isVisible()).toBe(true);
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        // Between the narrow and the wide page only the widths differ.
        if (width !== 720) expect(await complaints(page), `${String(width)} ${colorScheme}`).toEqual([]);
        if (shots !== undefined)
          await page.screenshot({
            path: `${shots}/statement-${String(width)}-${colorScheme}.png`,
            fullPage: true,
          });
      }
      const sideways = '[document.documentElement.scrollWidth, window.innerWidth]';
      const [scrolled = 0, inner = 0] = await page.evaluate<number[]>(sideways);
      expect(scrolled).toBeLessThanOrEqual(inner);
    }
    // The page has one script of its own, which its policy names.
    const own = /^(?:dark|light): has script "'use strict';/;
    expect((await audit(page)).filter((finding) => !own.test(finding))).toEqual([]);
    await expect.poll(() => page.locator('script').count()).toBe(1);
    expect(await auditFocus(page, 6)).toEqual([]);
    expect(requests).toEqual(Array(3).fill(`GET ${address}`));
    await expect.poll(() => page.title()).toBe('Transactions - obk');
    await expect.poll(() => page.locator('main script, img, main style').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('td', { hasText: '2026-04-' }).first().isVisible()).toBe(true);
  }, 60_000);

  it.each(Object.entries(rarePages))('fits, and can be read by everybody, with %s', async (what, made) => {
    const { page } = await visitor();
    site.serve('/rare', made());
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1400, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${site.origin}/rare`);
      expect(await complaints(page), `${what} ${String(width)}`).toEqual([]);
      const sideways = '[document.documentElement.scrollWidth, window.innerWidth]';
      const [scrolled = 0, inner = 0] = await page.evaluate<number[]>(sideways);
      expect(scrolled).toBeLessThanOrEqual(inner);
      // No line of a drawing leaves it, and no number is missing.
      await expect.poll(() => page.locator('main').innerHTML()).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it('searches and sorts by keyboard, and shows the number of rows', async () => {
    const { page } = await visitor();
    await page.goto(`${site.origin}/statement`);
    const table = page.locator('table.transactions').first();
    const cells = async (at: number) => {
      const all = await table.locator(`tbody tr:visible td:nth-child(${String(at)})`).allTextContents();
      return all.map((text) => text.trim());
    };
    const shown = async () => {
      const [days, amounts] = [await cells(1), await cells(2)];
      return days.map((day, at) => [day, amounts[at] ?? ''] as const);
    };
    const asSent = await shown();
    await page.getByLabel('Search').first().focus();
    const press = async (key: string, times: number) => {
      for (let at = 0; at < times; at += 1) await page.keyboard.press(key);
    };
    await page.keyboard.type('shop 1  2026-02');
    const status = page.getByRole('status').first();
    await expect.poll(() => status.textContent()).toMatch(/^\d+ of 42 shown$/);
    const found = await shown();
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(10);
    expect(found.every(([day]) => day.startsWith('2026-02'))).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    expect(await shown()).toEqual(asSent);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('sort-0');
    await press('ArrowDown', 3);
    const amounts = (await shown()).map(([, amount]) => amount);
    const sizes = amounts
      .filter((amount) => /^-?\d+\.\d\d EUR$/.test(amount))
      .map((amount) => Number.parseFloat(amount));
    expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
    expect(amounts.slice(0, sizes.length).every((amount) => /^-?\d/.test(amount))).toBe(true);
    await press('ArrowUp', 2);
    const days = (await shown()).map(([day]) => day);
    const dated = days.filter((day) => day !== '');
    expect(days.slice(0, dated.length)).toEqual([...dated].sort().reverse());
    await press('ArrowUp', 1);
    expect(await shown()).toEqual(asSent);
  }, 30_000);

  it('is whole without JavaScript', async () => {
    const { page } = await visitor({ javaScriptEnabled: false });
    await page.goto(`${site.origin}/statement`);
    await expect
      .poll(() => page.locator('table.transactions').first().locator('tbody tr:visible').count())
      .toBe(42);
    await expect.poll(() => page.locator('.tools').count()).toBe(0);
  });
});
