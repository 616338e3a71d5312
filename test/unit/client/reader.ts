import type { AccountRead } from '../../../src/client/accounts/counted-read.ts';
import type { ReadTerms } from '../../../src/client/consents/budget.ts';
import type { SavedConsent, SavedResource } from '../../../src/settings/records/resources.ts';
import { world } from '../../helpers/world.ts';
import type { Wish, World } from '../../helpers/world.ts';

export const iban = 'DE89370400440532013000';

export const consentOf = (
  part: Partial<SavedConsent> = {},
  resource: Partial<SavedResource> = {},
): SavedResource => ({
  schemaVersion: 1,
  profile: 'acme',
  environment: 'test',
  noun: 'consent',
  id: 'con-1',
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  framework: '1.3.2',
  prefix: '/v1',
  baseUrl: 'https://bank.example',
  status: 'valid',
  links: {},
  consent: {
    access: { accounts: [{ iban }], balances: [{ iban }], transactions: [{ iban }] },
    recurring: true,
    validUntil: '2027-02-18',
    frequency: 4,
    combined: false,
    ...part,
  },
  ...resource,
});

export const absent: ReadTerms = { psuPresent: false, overBudget: false };

/** A reading under a consent that is saved, on fake ports. */
export async function reader(
  wish: Wish = {},
  terms: Partial<ReadTerms> = {},
  consent = consentOf(),
): Promise<World & { reading: AccountRead }> {
  const there = await world(wish);
  await there.store.resources.save(consent);
  return { ...there, reading: { target: there.target, consent, terms: { ...absent, ...terms } } };
}

export const refusal = (code: string, status: number) => ({
  status,
  body: { tppMessages: [{ category: 'ERROR', code }] },
});
