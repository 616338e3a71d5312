import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { hostileStatement } from '../helpers/statement-page.ts';
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

  it('runs nothing, asks for nothing, and fits in light and dark, narrow, wide and on paper', async () => {
    const { page, requests } = await visitor();
    const address = `${site.origin}/statement`;
    const shots = process.env['OBK_TEST_SHOTS'];
    for (const width of [360, 720, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      for (const folded of await page.locator('details > summary').all()) await folded.press('Enter');
      expect(await page.locator('details:not([open])').count()).toBe(0);
      expect(await page.locator('svg').first().isVisible()).toBe(true);
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
    expect(await audit(page)).toEqual([]);
    expect(await auditFocus(page, 6)).toEqual([]);
    expect(requests).toEqual(Array(3).fill(`GET ${address}`));
    expect(await page.title()).toBe('Transactions - obk');
    expect(await page.locator('script, img, main style').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('td', { hasText: '2026-04-' }).first().isVisible()).toBe(true);
  }, 60_000);
});
