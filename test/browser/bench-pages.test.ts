// The pages of a check, of journeys and of a load, with texts that a bank, a file or another client has chosen.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CheckRun } from '../../src/settings/records/check-run.ts';
import type { JourneyResult } from '../../src/settings/records/journey-run.ts';
import type { LoadReport } from '../../src/settings/records/load-report.ts';
import { checkHtml } from '../../src/cli/render/check-page.ts';
import { journeyHtml } from '../../src/cli/render/journey-page.ts';
import { loadHtml } from '../../src/cli/render/load-page.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { audit, auditFocus } from './audit.ts';
import { complaints } from './axe.ts';

const hostile = '</pre></details><script>document.title="x"</script><img src=x onerror=alert(1)>';
const long = 'x'.repeat(300);
const at = '2026-11-21T10:00:00.000Z';
const facts = {
  request: { headers: [{ name: 'X', value: hostile }], body: long },
  answer: { body: hostile },
};
const call = { method: 'GET', url: `https://bank.example/v1/${long}`, requestId: 'r-1', status: 200, facts };

const check: CheckRun = {
  ...{ run: 'run-1', profile: `bank ${long}`, environment: 'sandbox', framework: '1.3.6', at },
  ...{ complete: true, verdict: 'fail', warnings: [`Every answer is 401. ${hostile}`] },
  areas: [
    { area: 'accounts', verdict: 'fail', findings: 2 },
    { area: 'rules: members', verdict: 'pass', findings: 0 },
  ],
  cases: [
    {
      ...{ case: `accounts ${hostile}`, about: long, area: 'accounts', operation: 'getAccountList' },
      ...{ verdict: 'fail', why: hostile, calls: [{ ...call, operation: 'getAccountList' }] },
      findings: [
        {
          ...{ side: 'answer', rule: 'answer-pattern', level: 'must', place: 'body' },
          ...{
            pointer: `/accounts/0/${long}`,
            what: hostile,
            why: 'It is so.',
            source: long,
            waived: hostile,
          },
        },
      ],
    },
    {
      ...{ case: 'basket', about: '', area: 'baskets', operation: 'getSigningBasket' },
      ...{ verdict: 'not applicable', findings: [], calls: [] },
    },
  ],
  waivers: [{ rule: 'answer-code', reason: hostile, issue: long, owner: 'A', verdict: 'expired' }],
};
const step = { line: 3, exit: 0, durationMs: 5, tries: 1, calls: [{ ...call, durationMs: 3 }] };
const journeys: JourneyResult[] = [
  {
    ...{ journey: hostile, file: `${long}.yaml`, profile: long, tags: [], at, durationMs: 1234 },
    verdict: 'failed',
    steps: [
      {
        ...step,
        name: 'consent create',
        commandLine: `obk consent create ${long}`,
        verdict: 'passed',
        checks: [],
      },
      {
        ...step,
        ...{ name: hostile, commandLine: hostile, verdict: 'failed', why: long },
        checks: [{ what: `body ${long}`, expected: hostile, is: long, ok: false }],
      },
    ],
  },
];
const latencyMs = { mean: 3, min: 1, max: 90, p50: 2, p75: 3, p90: 5, p95: 9, p99: 40, p999: 88 };
const row = { name: hostile, ended: 90, failed: 10, latencyMs, errors: { [`${hostile}${long}`]: 10 } };
const load: LoadReport = {
  ...{ run: 'run-2', at, profiles: [long], tookS: 3.2, due: 100, begun: 90, notBegun: 10, passed: 80 },
  arrivals: { perSecond: 50, forS: 2, users: 5, maxErrors: '1%' },
  ...{ failed: 9, unknown: 1, interrupted: 0, stopped: 'errors', perSecond: { journeys: 40, calls: 80 } },
  journeys: [row],
  operations: [{ ...row, name: 'getPaymentInitiationStatus' }],
  moments: [1, 2, 3].map((atS) => ({
    atS,
    due: 50,
    ended: 30,
    failed: 3,
    running: 5,
    p50Ms: 2,
    p99Ms: null,
  })),
};

describeInBrowser('a page of the tester’s bench', () => {
  const visitor = useBrowser();
  let site: TppSite;
  beforeAll(async () => {
    site = await startTppSite();
    site.serve('/check', checkHtml(check, { version: '0' }));
    site.serve('/journeys', journeyHtml(journeys, { at, version: '0', run: 'run-3' }));
    site.serve('/load', loadHtml(load, { version: '0' }));
  });
  afterAll(() => site.close());

  it.each([
    ['check', 2, 'answer-pattern'],
    ['journeys', 1, 'consent create'],
    ['load', 0, 'getPaymentInitiationStatus'],
  ])('runs nothing, requests nothing and fits where it is about a %s', async (name, folded, word) => {
    const { page, requests } = await visitor();
    const address = `${site.origin}/${name}`;
    for (const width of [360, 1100]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(address);
      const closed = page.locator('details:not([open]) > summary');
      await expect.poll(() => closed.count()).toBe(folded);
      for (let left = folded; left > 0; left -= 1) {
        await closed.first().press('Enter');
        await expect.poll(() => closed.count()).toBe(left - 1);
      }
      await expect.poll(() => page.getByText(word).first().isVisible()).toBe(true);
      const isWide = '({ scrolled: document.documentElement.scrollWidth, inner: window.innerWidth })';
      const { scrolled, inner } = await page.evaluate<{ scrolled: number; inner: number }>(isWide);
      expect(scrolled).toBeLessThanOrEqual(inner);
      expect(await complaints(page)).toEqual([]);
    }
    expect(await audit(page)).toEqual([]);
    expect(await auditFocus(page, 4)).toEqual([]);
    expect(requests).toEqual(Array(2).fill(`GET ${address}`));
    await expect.poll(() => page.locator('script, img, main style').count()).toBe(0);
    expect(await page.title()).not.toBe('x');
    // Curves are there at any width.
    if (name === 'load') await expect.poll(() => page.locator('figure svg').count()).toBe(2);
  });
});
