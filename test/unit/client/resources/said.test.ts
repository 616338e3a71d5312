import { describe, expect, it } from 'vitest';
import { deleteConsent } from '../../../../src/client/consents/consent.ts';
import { deleteBasket } from '../../../../src/client/payments/baskets.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, finalised, one, payment, run } from '../payer.ts';

describe("the bank's words on an end", () => {
  it('come with it: words for the PSU, and messages without what was sent', async () => {
    const there = await world({ person: fakePerson().answer('otp', '739184') });
    const tppMessages = [{ category: 'WARNING', code: 'FUNDS_NOT_AVAILABLE', text: 'Zu wenig Guthaben.' }];
    there.http.expect('PUT', auth, finalised).expect('GET', `${one}/status`, {
      body: { transactionStatus: 'RJCT', psuMessage: 'Konto nicht gedeckt.', tppMessages },
    });
    await expect(run(there, atOtp())).resolves.toMatchObject({
      resource: { status: 'RJCT' },
      said: { psuMessage: 'Konto nicht gedeckt.', tppMessages },
    });
  });
});

describe('an answer to a deletion that does not confirm it', () => {
  const consent: SavedResource = { ...payment, noun: 'consent', id: 'cons-1', status: 'valid' };
  const basket: SavedResource = { ...payment, noun: 'basket', id: 'bask-1', status: 'RCVD' };
  const answers = [
    ['200 without a body', { status: 200 }],
    ['202 with an empty object', { status: 202, body: {} }],
  ] as const;

  it.each(answers)('leaves a consent as its status says: %s', async (_, answer) => {
    for (const consentStatus of ['valid', 'terminatedByTpp']) {
      const there = await world();
      await there.store.credentials.update('acme', () => ({ consentId: 'cons-1' }));
      there.http
        .expect('DELETE', '/v1/consents/cons-1', answer)
        .expect('GET', '/v1/consents/cons-1/status', { body: { consentStatus } });
      const { resource } = await deleteConsent(there.target, consent);
      expect(resource.status).toBe(consentStatus);
      const { consentId } = await there.store.credentials.read('acme');
      expect(consentId).toBe(consentStatus === 'valid' ? 'cons-1' : undefined);
      there.verify();
    }
  });

  it.each(answers)('leaves a basket as its status says: %s', async (_, answer) => {
    for (const transactionStatus of ['RCVD', 'CANC']) {
      const there = await world({ profile: { surface: 'framework' } });
      there.http
        .expect('DELETE', '/v1/signing-baskets/bask-1', answer)
        .expect('GET', '/v1/signing-baskets/bask-1/status', { body: { transactionStatus } });
      await expect(deleteBasket(there.target, basket)).resolves.toMatchObject({ status: transactionStatus });
      there.verify();
    }
  });

  it('is any but 204', async () => {
    const there = await world();
    there.http.expect('DELETE', '/v1/consents/cons-1', { status: 204 });
    const { resource } = await deleteConsent(there.target, consent);
    expect(resource.status).toBe('terminatedByTpp');
    there.verify();
  });
});
