import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk, Terminal } from '../helpers/obk.ts';
import { audit } from './audit.ts';
import { factsOn, logIn, on } from './journey.ts';

describeInBrowser('obk with a browser', () => {
  const visitor = useBrowser();
  let obk: Obk;
  let terminal: Terminal | undefined;
  let password: string;
  let otp: string;
  beforeAll(async () => {
    if (!existsSync('dist/main.cjs')) throw new Error('not built: npm run build');
    obk = createObk();
    ({ password, otp } = (await obk.json(['sandbox', 'people', 'redirect'])) as {
      password: string;
      otp: string;
    });
  });
  afterAll(() => {
    terminal?.kill();
    obk.close();
  });

  /** The link that obk printed. */
  async function linkOf(running: Terminal): Promise<string> {
    await running.see(/http:\/\/127\.0\.0\.1:\d+\/sca\/\S+\r?\n/);
    return /http:\/\/127\.0\.0\.1:\d+\/sca\/\S+/.exec(running.text())![0];
  }

  async function open(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await logIn(page, 'redirect', password);
    await on(page).heading.getByText('Approve the payment').waitFor();
  }

  const last = async () =>
    ((await obk.json(['payment', 'status', '@last'])) as { transactionStatus: string }).transactionStatus;

  it('requests a payment, leads to the page, and is done when it is approved there', async () => {
    terminal = obk.terminal(['payment', 'init', '--product', 'sepa-credit-transfers']);
    for (const [asked, answer] of [
      ['Pay from account', ''],
      ['Name of the payee', 'Corner Shop'],
      ['Account of the payee', 'DE89370400440532013000'],
      ['Amount', '12.50'],
      ['Text for the payee', 'Order 4711'],
      ['go on?', 'y'],
    ] as const) {
      await terminal.see(asked);
      terminal.write(`${answer}\r`);
    }
    const { page } = await visitor();
    await open(page, await linkOf(terminal));
    expect(await factsOn(page)).toMatchObject({
      Payee: 'Corner Shop',
      'IBAN of the payee': 'DE89370400440532013000',
      Amount: '12.50 EUR',
      Purpose: 'Order 4711',
    });
    await on(page).otp.fill(otp);
    await on(page).press('Approve');
    expect(new URL(page.url()).pathname).toMatch(/^\/[\w-]{43}$/);
    await expect.poll(() => on(page).heading.textContent()).toBe('Back from the bank');
    expect(await audit(page)).toEqual([]);
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect(terminal.text()).toContain('ACSC');
    expect(await last()).toBe('ACSC');
  });

  it('ends with 9 when the payment is refused there', async () => {
    terminal = obk.terminal(['payment', 'init', ...shop, '--amount', '3.00', '--yes']);
    const { page } = await visitor();
    await open(page, await linkOf(terminal));
    await on(page).press('Refuse');
    expect(new URL(page.url()).pathname).toMatch(/\/nok$/);
    await expect.poll(() => on(page).heading.textContent()).toBe('Not approved');
    expect(await terminal.ended, terminal.text()).toBe(9);
    expect(await last()).toBe('RJCT');
  });

  it('serves the page again from a later process', async () => {
    const init = ['payment', 'init', ...shop, '--amount', '4.00', '--no-input'];
    const { sca } = (await obk.json(init)) as { sca: { url: string; urlAlive: boolean } };
    expect(sca.urlAlive).toBe(true);
    await obk.json(['sandbox', 'stop']);
    terminal = obk.terminal(['payment', 'authorise', '@last']);
    const url = await linkOf(terminal);
    expect(new URL(url).pathname).toBe(new URL(sca.url).pathname);
    const { page } = await visitor();
    await open(page, url);
    await on(page).otp.fill(otp);
    await on(page).press('Approve');
    expect(await terminal.ended, terminal.text()).toBe(0);
    expect(await last()).toBe('ACSC');
  });
});
