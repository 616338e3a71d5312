import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, startTppSite, useBrowser } from '../helpers/browser.ts';
import type { TppSite } from '../helpers/browser.ts';
import { payment, tppOf } from '../unit/bank/tpp.ts';

const payments = '/v1/payments/sepa-credit-transfers';
const hostile = `"><img src=x onerror="document.title='x'"><script>document.title='x'</script><b>'&amp;`;

describeInBrowser('the guard of the dashboard', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let tpp: TppSite;
  let token: string;
  beforeAll(async () => {
    [bank, tpp] = await Promise.all([startBank(), startTppSite()]);
    token = readFileSync(bank.tokenFile, 'utf8');
  });
  afterAll(() => Promise.all([bank.close(), tpp.close()]));
  const link = () => `${bank.windowUrl}#token=${token}`;

  it('removes the token from the address, reveals it to no URL, referrer or cookie, and keeps it over a reload', async () => {
    const { page, requests } = await visitor();
    const referrers: (string | undefined)[] = [];
    page.on('request', (one) => referrers.push(one.headers()['referer']));
    await page.goto(link());
    await page.getByText('Live', { exact: true }).waitFor();
    expect(page.url()).toBe(`${bank.windowUrl}#/calls`);
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(requests.filter((one) => one.includes('token') || one.includes(token))).toEqual([]);
    expect(referrers.join()).not.toContain(token);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.content()).not.toContain(token);
    // Another tab is another visitor: it has to show the token again.
    const other = await page.context().newPage();
    await other.goto(bank.windowUrl);
    await other.getByLabel('Token').waitFor();
  });

  it('shows nothing without the token, asks again after a wrong one, and opens with the right one', async () => {
    await tppOf(bank)('GET', '/v1/accounts', { headers: { 'Consent-ID': 'canary-consent' } });
    const { page } = await visitor();
    await page.goto(bank.windowUrl);
    const field = page.getByLabel('Token');
    await field.waitFor();
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The token is not that of this bank').waitFor();
    expect(await page.content()).not.toContain('/v1/accounts');
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Open the window' }).click();
    await page.getByRole('link', { name: '/v1/accounts' }).waitFor();
    expect(page.url()).not.toContain(token);
  });

  it('shows whatever a TPP sends as text: headers, path, query, body and ids', async () => {
    const { page } = await visitor();
    await page.goto(link());
    await page.getByText('Live', { exact: true }).waitFor();
    const { iban } = bank.person('redirect').accounts[0]!;
    const made = await tppOf(bank)('POST', `${payments}?${new URLSearchParams({ q: hostile }).toString()}`, {
      body: {
        ...payment(iban),
        creditorName: hostile,
        remittanceInformationUnstructured: hostile.slice(0, 130),
      },
      headers: { 'PSU-ID': 'redirect', 'X-Hostile': hostile, 'PSU-User-Agent': hostile },
    });
    await raw(bank.baseUrl, `/v1/%3Cimg%20src=x%20onerror=alert(1)%3E`, {
      'X-Request-ID': hostile,
      'PSU-ID': 'a\u0085b',
    });
    await page.getByRole('link', { name: 'POST' }).first().click();
    const call = page.getByRole('region', { name: 'The call' });
    await call.getByText('X-Hostile').waitFor();
    await expect
      .poll(() => call.locator('tr', { hasText: 'X-Hostile' }).locator('td').innerText())
      .toBe(hostile);
    await expect.poll(() => call.innerText()).toContain('onerror=');
    await page.getByRole('link', { name: 'GET /v1/' }).first().click();
    await call.getByText('The path does not exist').first().waitFor();
    // What cannot be seen is spelled out.
    await expect.poll(() => call.innerText()).toContain('a\\u{85}b');
    if (made.status === 201) {
      await page.goto(`${bank.windowUrl}#/payments/${String(made.json.paymentId)}`);
      await page.getByText('The sequence in words').waitFor();
    }
    await page.goto(`${bank.windowUrl}#/payments/${encodeURIComponent(hostile)}`);
    await page.getByRole('heading', { level: 1, name: 'Payment' }).waitFor();
    await expect.poll(() => page.locator('main img, main script, main b').count()).toBe(0);
    await expect.poll(() => page.title()).toBe('Payments - obk test bank');
  });

  it.each([360, 1400])('shows names that lie or are long as text, at %i px', async (width) => {
    const { page } = await visitor({ viewport: { width, height: 800 } });
    const names = [
      hostile,
      'a\u202egnp.exe\u202c\u2066b',
      'שלום עולם',
      'x'.repeat(10_000),
      'a\u00adb\u{e0041}c',
      'e\u0301'.repeat(99),
    ];
    const transfer = {
      creditorAccount: 'DE89370400440532013000',
      currency: 'EUR',
      amount: '1.00',
      rejected: null,
    };
    const given = (name: string, index: number) => ({
      paymentId: `id-${String(index)}`,
      service: 'payments',
      product: name,
      status: 'RCVD',
      requestId: name,
      tpp: name,
      psuId: name,
      createdAt: '2026-01-01T00:00:00.000Z',
      order: {
        debtorAccount: { bban: name },
        count: 1,
        sums: [{ currency: 'EUR', amount: '1.00' }],
        transfers: [{ ...transfer, creditorName: name, remittance: name }],
        executeAt: null,
        standingOrder: null,
      },
      body: name,
      history: [{ status: 'RCVD', at: '2026-01-01T00:00:00.000Z' }],
    });
    await page.route('**/sandbox/api/payments**', (route) => {
      const at = /id-(\d)$/.exec(new URL(route.request().url()).pathname)?.[1];
      const all = names.map(given);
      return route.fulfill({ json: at === undefined ? { payments: all } : all[Number(at)] });
    });
    await page.goto(link());
    await page.getByText('Live', { exact: true }).waitFor();
    const seen = async (text: string) => {
      await expect.poll(() => page.locator('main').innerText()).toContain(text);
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
      expect(await page.title()).not.toBe('x');
      expect(
        await page.evaluate(() => {
          const { document, innerWidth } = globalThis as unknown as {
            document: { documentElement: { scrollWidth: number } };
            innerWidth: number;
          };
          return document.documentElement.scrollWidth - innerWidth;
        }),
      ).toBeLessThanOrEqual(0);
      const text_ = await page.locator('main').innerText();
      expect(text_).not.toMatch(/[\u00ad\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u);
    };
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await seen('id-5');
    await seen('a\\u{202e}gnp.exe\\u{202c}\\u{2066}b');
    await seen('a\\u{ad}b\\u{e0041}c');
    for (const [at] of names.entries()) {
      await page.goto(`${bank.windowUrl}#/payments/id-${String(at)}`);
      await seen(`Payment id-${String(at)}`);
      await seen('Who is paid');
    }
  });

  it('lets no text become markup or script, even if a mistake of its own tried', async () => {
    const { page } = await visitor({ expected: /Content Security Policy|Trusted(HTML|Script)/ });
    await page.goto(link());
    await page.getByText('Live', { exact: true }).waitFor();
    const tried = await page.evaluate((text) => {
      const { document } = globalThis as unknown as {
        document: {
          body: { innerHTML: string; append(node: object): void };
          createElement(name: string): { textContent: string };
          title: string;
        };
      };
      const found: string[] = [];
      try {
        document.body.innerHTML = text;
        found.push('markup');
      } catch {
        // As it should be.
      }
      try {
        const script = document.createElement('script');
        script.textContent = "document.title='x'";
        document.body.append(script);
      } catch {
        // As it should be.
      }
      if (document.title === 'x') found.push('script');
      return found;
    }, hostile);
    expect(tried).toEqual([]);
  });

  it('works below a base path', async () => {
    const other = await startBank({ doors: { basePath: '/psd2' } });
    try {
      const { page } = await visitor();
      expect(other.windowUrl).toMatch(/\/psd2\/sandbox\/$/);
      await page.goto(other.windowUrl.slice(0, -1));
      await page.getByLabel('Token').fill(readFileSync(other.tokenFile, 'utf8'));
      await page.keyboard.press('Enter');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Behaviour' }).click();
      await page.getByRole('button', { name: 'One hour on' }).click();
      await page.getByRole('alert').getByText('The clock is an hour on.').waitFor();
    } finally {
      await other.close();
    }
  });

  it('keeps the dashboard out of frames of another site and foreign names', async () => {
    tpp.serve('/frame', `<iframe src="${bank.windowUrl}"></iframe>`);
    const { page } = await visitor({ expected: /frame-ancestors/ });
    await page.goto(`${tpp.origin}/frame`);
    await expect.poll(() => page.frameLocator('iframe').getByLabel('Token').count()).toBe(0);
    const other = await visitor();
    const answer = await other.page.goto(bank.windowUrl.replace('127.0.0.1', 'bank.example'));
    expect(answer?.status()).toBe(421);
  });
});

/** A request as a TPP that does not know better sends it; an unsigned one. */
function raw(baseUrl: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(baseUrl + path, { headers, agent: false }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => {
        resolve(incoming.statusCode ?? 0);
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
