import { afterAll, beforeAll, expect, it } from 'vitest';
import { ticketPage } from '../../src/cli/render/ticket.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { hostileReport } from '../helpers/hostile-report.ts';
import { audit, auditFocus } from './audit.ts';

/** In the page: the words of tables and facts that stand on two lines, though one would hold them. */
const brokenWords = `(() => {
  const broken = [];
  for (const cell of document.querySelectorAll('th, td, dt, dd')) {
    const room = cell.getBoundingClientRect().width;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: part, index: from } of text.data.matchAll(/[^\\s,]+/g)) {
        const linesOf = (start, end) => {
          const range = document.createRange();
          range.setStart(text, start);
          range.setEnd(text, end);
          return [...range.getClientRects()];
        };
        // What no line holds must be broken somewhere.
        const width = linesOf(from, from + part.length).reduce((sum, one) => sum + one.width, 0);
        if (part.length > 24 && width > room * 0.9) continue;
        for (const { 0: word, index } of part.matchAll(/[\\p{L}\\p{N}]+/gu))
          if (linesOf(from + index, from + index + word.length).length > 1) broken.push(word);
      }
  }
  return broken;
})()`;

describeInBrowser('a report in the browser', () => {
  const visitor = useBrowser();
  let site: TppSite;
  beforeAll(async () => {
    site = await startTppSite();
    const made = { at: '2026-11-21T10:00:00.000Z', version: '0' };
    site.serve('/ticket', ticketPage(await hostileReport(), made));
  });
  afterAll(() => site.close());

  it('runs nothing, requests nothing, and fits in light and dark, narrow and wide', async () => {
    const { page, requests } = await visitor();
    const address = `${site.origin}/ticket`;
    for (const width of [360, 720, 960, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      // All that is folded is looked at, too.
      const folded = page.locator('details:not([open]) > summary');
      await expect.poll(() => folded.count()).toBe(1);
      await folded.first().press('Enter');
      await expect.poll(() => folded.count()).toBe(0);
      const { scrolled, inner } = await page.evaluate<{ scrolled: number; inner: number }>(
        '({ scrolled: document.documentElement.scrollWidth, inner: window.innerWidth })',
      );
      expect(scrolled).toBeLessThanOrEqual(inner);
      // The sequence is there once: drawn, or where that would be too small, as a list.
      await expect.poll(() => page.locator('svg').isVisible()).toBe(width >= 960);
      await expect.poll(() => page.locator('ol.sequence').isVisible()).toBe(width < 960);
      expect(await page.evaluate(brokenWords)).toEqual([]);
      expect(await audit(page)).toEqual([]);
    }
    expect(await auditFocus(page, 8)).toEqual([]);
    expect(requests).toEqual(Array(4).fill(`GET ${address}`));
    await expect.poll(() => page.title()).toBe('Resource pay-0001 - obk report');
    await expect.poll(() => page.locator('script, img, main style').count()).toBe(0);
    await expect
      .poll(() => page.locator('pre').allInnerTexts())
      .toEqual(expect.arrayContaining([expect.stringContaining('</pre></details><script>document.title')]));
    // What is drawn is said, too.
    await expect.poll(() => page.locator('svg line:not(.life)').count()).toBe(8);
    await expect.poll(() => page.locator('ol > li').count()).toBe(8);
  });
});
