import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { tppOf } from '../unit/bank/tpp.ts';
import { audit, auditFocus } from './audit.ts';
import { logIn, on } from './journey.ts';

interface Given {
  consentId: string;
  url: string;
  status: () => Promise<string>;
}

describeInBrowser('the page of consents', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  let place: string;
  beforeAll(async () => {
    bank = await startBank();
    place = `${bank.baseUrl}/consents`;
  });
  afterAll(() => bank.close());

  /** A consent as a TPP asks for it; a decoupled PSU has approved it already. */
  async function consent(psuId: string, more: object = {}): Promise<Given> {
    const call = tppOf(bank);
    const iban = bank.person(psuId).accounts[0]?.iban ?? '';
    const created = await call('POST', '/v136/consents', {
      body: {
        ...{ access: { balances: [{ iban }] }, recurringIndicator: false, validUntil: '9999-12-31' },
        ...{ frequencyPerDay: 1, combinedServiceIndicator: false, ...more },
      },
      headers: { 'PSU-ID': psuId },
    });
    expect(created.status, created.text).toBe(201);
    const { consentId, _links: links } = created.json as {
      consentId: string;
      _links: Record<string, { href: string }>;
    };
    if (links['startAuthorisation'] !== undefined) await call('POST', links['startAuthorisation'].href);
    if (psuId.startsWith('decoupled')) bank.decide('approve', consentId, psuId);
    return {
      consentId,
      url: links['scaRedirect']?.href ?? '',
      status: async () =>
        (await call('GET', `/v136/consents/${consentId}/status`)).json.consentStatus as string,
    };
  }
  const regions = (page: Page) => page.getByRole('region');
  const enter = async (psuId: string) => {
    const { page } = await visitor();
    await page.goto(place);
    await logIn(page, psuId, bank.person(psuId).password);
    return page;
  };

  it('shows who may see the accounts of a PSU, and ends only what is revoked', async () => {
    const once = await consent('decoupled');
    const often = await consent('decoupled', { recurringIndicator: true, frequencyPerDay: 4 });
    const foreign = await consent('decoupled-implicit');
    const page = await enter('decoupled');
    await expect.poll(() => on(page).heading.textContent()).toBe('Who may see your accounts');
    await expect.poll(() => regions(page).count()).toBe(2);
    const recurring = regions(page).filter({ hasText: '4 times a day' });
    const iban = bank.person('decoupled').accounts[0]?.iban ?? '';
    await expect.poll(() => recurring.textContent()).toContain(iban);
    await expect.poll(() => recurring.textContent()).toContain('PSDDE-BAFIN-999999');
    expect([await audit(page), await auditFocus(page, 4)]).toEqual([[], []]);
    await recurring.getByRole('button').click();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('It is revoked.');
    await expect.poll(() => regions(page).count()).toBe(1);
    expect([await once.status(), await often.status(), await foreign.status()]).toEqual([
      'valid',
      'revokedByPsu',
      'valid',
    ]);
    await regions(page).getByRole('button').click();
    await expect.poll(() => page.locator('main').textContent()).toContain('Nobody may see your accounts.');
    expect(await once.status()).toBe('revokedByPsu');
  });

  it('revokes nothing without the token of the page, nor for somebody else', async () => {
    const mine = await consent('decoupled');
    const foreign = await consent('decoupled-implicit');
    const page = await enter('decoupled');
    const own = regions(page);
    await own.locator('input[name=csrf]').evaluate((input: { remove(): void }) => {
      input.remove();
    });
    await own.getByRole('button').click();
    await expect.poll(() => on(page).alert.textContent()).toContain('The page has expired.');
    await own
      .locator('input[name=consentId]')
      .evaluate((input: { value: string }, id) => void (input.value = id), foreign.consentId);
    await own.getByRole('button').click();
    await expect.poll(() => page.getByRole('status').count()).toBe(0);
    expect([await mine.status(), await foreign.status()]).toEqual(['valid', 'valid']);
    await on(page).press('Log out');
    await expect.poll(() => regions(page).count()).toBe(0);
  });

  it('leaves the choice of accounts to the PSU where the TPP did', async () => {
    const { psuId, password, otp } = bank.person('redirect');
    const { consentId, url, status } = await consent(psuId, { access: { balances: [], transactions: [] } });
    const { page } = await visitor();
    await page.goto(url);
    await logIn(page, psuId, password);
    await on(page).otp.fill(otp);
    await on(page).press('Approve');
    await expect.poll(() => on(page).alert.count()).toBe(1);
    expect(await audit(page)).toEqual([]);
    await page
      .getByRole('group', { name: 'Which accounts do you want to show?' })
      .getByRole('checkbox')
      .first()
      .check();
    await on(page).otp.fill(otp);
    await on(page).press('Approve');
    expect(await status()).toBe('valid');
    const shown = await tppOf(bank)('GET', '/v136/accounts', { headers: { 'Consent-ID': consentId } });
    expect(shown.json.accounts).toHaveLength(1);
  });
});
