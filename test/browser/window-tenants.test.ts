import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { describeInBrowser, useBrowser } from '../helpers/browser.ts';
import { tenantOf } from '../unit/bank/tenants/tenant-of.ts';
import { audit } from './audit.ts';

describeInBrowser('the window of a bank with tenants', () => {
  const visitor = useBrowser();
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startBank({ doors: { tenants: 'header:X-Tenant' } });
  });
  afterAll(() => bank.close());

  it('shows only the tenant that is chosen, and no call of another', async () => {
    const { page } = await visitor();
    await page.goto(`${bank.windowUrl}#token=${readFileSync(bank.tokenFile, 'utf8')}`);
    await page.getByText('no tenant has called yet').waitFor();
    const call = (name: string) => tenantOf(bank, name).call('GET', `/v1/consents/of-${name}`);
    await call('blue');
    await call('Red one');
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const row = (name: string) => page.getByRole('link', { name: `GET /v1/consents/of-${name}` });
    await row('Red one').waitFor();
    await expect.poll(() => row('blue').count()).toBe(0);
    await page.getByLabel('Tenant').selectOption('blue');
    await row('blue').waitFor();
    await expect.poll(() => row('Red one').count()).toBe(0);
    await call('blue');
    await expect.poll(() => row('blue').count()).toBe(2);
    await audit(page);
  });
});
