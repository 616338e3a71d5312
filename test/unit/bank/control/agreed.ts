import { expect } from 'vitest';
import type { controlOf } from '../../../helpers/control.ts';
import type { tppOf } from '../tpp.ts';

/** A valid consent for all accounts of a PSU, and the headers of a read under it. */
export async function agreedBy(
  { ask, call }: { ask: ReturnType<typeof controlOf>; call: ReturnType<typeof tppOf> },
  psuId: string,
) {
  const body = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: '9999-12-31',
    frequencyPerDay: 100,
    combinedServiceIndicator: false,
  };
  const headers = { 'PSU-ID': psuId, 'TPP-Redirect-URI': 'https://tpp.example/cb' };
  const { json } = await call('POST', '/v1/consents', { body, headers });
  const id = String(json.consentId);
  expect((await ask('POST', '/decisions', { body: { id, decision: 'approve', psuId } })).status).toBe(201);
  return { id, headers: { 'Consent-ID': id, 'PSU-IP-Address': '192.0.2.1' } };
}
