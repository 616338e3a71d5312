import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestBank } from '../helpers/bank.ts';
import { payment, tppOf } from '../unit/bank/tpp.ts';

const path = '/v1/payments/sepa-credit-transfers';

/** What a test wants to be paid, beside whom it concerns. */
export interface Wish {
  amount?: string;
  creditorName?: string;
  remittance?: string;
  okUri?: string | undefined;
  nokUri?: string | undefined;
  /** Whether the TPP says who the PSU is. */
  named?: boolean;
}

/** A payment that waits for its PSU. */
export interface Waiting {
  paymentId: string;
  authorisationId: string;
  /** The address of the page; not there in Decoupled. */
  url: string;
  debtorIban: string;
  scaStatus: () => Promise<string>;
  transactionStatus: () => Promise<string>;
}

/** Makes a payment of this PSU as a TPP does, and starts its authorisation where the bank did not. */
export async function startPayment(bank: TestBank, psuId: string, wish: Wish = {}): Promise<Waiting> {
  const call = tppOf(bank);
  const debtorIban = bank.person(psuId).accounts[0]!.iban;
  const created = await call('POST', path, {
    body: {
      ...payment(debtorIban, wish.amount),
      ...(wish.creditorName !== undefined && { creditorName: wish.creditorName }),
      ...(wish.remittance !== undefined && { remittanceInformationUnstructured: wish.remittance }),
    },
    headers: {
      ...(wish.named !== false && { 'PSU-ID': psuId }),
      ...(wish.okUri !== undefined && { 'TPP-Redirect-URI': wish.okUri }),
      ...(wish.nokUri !== undefined && { 'TPP-Nok-Redirect-URI': wish.nokUri }),
    },
  });
  expect(created.status, created.text).toBe(201);
  const paymentId = String(created.json.paymentId);
  const first = created.json._links;
  const links =
    first.startAuthorisation === undefined
      ? first
      : (await call('POST', first.startAuthorisation.href)).json._links;
  const statusPath = String(links.scaStatus.href);
  return {
    paymentId,
    authorisationId: statusPath.split('/').at(-1)!,
    url: String(links.scaRedirect?.href),
    debtorIban,
    scaStatus: async () => String((await call('GET', statusPath)).json.scaStatus),
    transactionStatus: async () =>
      String((await call('GET', `${path}/${paymentId}/status`)).json.transactionStatus),
  };
}

/** The fields and buttons as people know them. */
export const on = (page: Page) => ({
  psuId: page.getByLabel('PSU-ID', { exact: true }),
  password: page.getByLabel('Password', { exact: true }),
  otp: page.getByLabel('One-time password', { exact: true }),
  alert: page.getByRole('alert'),
  heading: page.getByRole('heading', { level: 1 }),
  /** Sends a form, and waits for the page that comes of it. */
  press: async (name: string) => {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
  },
});

/** Fills in the login page and sends it. */
export async function logIn(page: Page, psuId: string, password: string): Promise<void> {
  const { psuId: field, password: secret, press } = on(page);
  await field.fill(psuId);
  await secret.fill(password);
  await press('Log in');
}

/** What the page says about the payment, by its own names. */
export async function factsOn(page: Page): Promise<Record<string, string>> {
  const names = await page.locator('dt').allTextContents();
  const values = await page.locator('dd').allTextContents();
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

/** Waits until an element has the focus: a page gets it a moment after it is there. */
export async function expectFocus(element: Locator): Promise<void> {
  const hasIt = (node: { ownerDocument: { activeElement: unknown } }) =>
    node.ownerDocument.activeElement === node;
  await expect.poll(() => element.evaluate(hasIt), { timeout: 5_000 }).toBe(true);
}
