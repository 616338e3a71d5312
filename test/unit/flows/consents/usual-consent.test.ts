import { describe, expect, it } from 'vitest';
import { readAccountData } from '../../../../src/flows/accounts/counted-read.ts';
import { usualConsent } from '../../../../src/flows/consents/usual-consent.ts';
import { absent, consentOf, reader } from '../reader.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const once = consentOf({ recurring: false, frequency: 1 }, { id: 'once-1' });

/** A consent for one access that had it, and another one. */
async function usedAnd(...others: readonly ReturnType<typeof consentOf>[]) {
  const there = await reader({}, {}, once);
  there.http.expect('GET', '/v1/accounts', { body: { accounts: [] } });
  await readAccountData(
    { target: there.target, consent: once, terms: absent },
    { operation: 'getAccountList' },
  );
  for (const other of others) await there.store.resources.save(other);
  return there;
}

describe('the consent that nobody named', () => {
  it('is not the one for one access that was used, where there is another', async () => {
    const there = await usedAnd(consentOf());
    expect((await usualConsent(there.target))?.id).toBe('con-1');
    there.verify();
  });

  it('is the one for one access that was used, where there is no other', async () => {
    const there = await usedAnd();
    expect((await usualConsent(there.target))?.id).toBe('once-1');
  });

  it('is one of the PSU of the run', async () => {
    const there = await reader({ run: { psu: { id: 'anna' } } }, {}, consentOf({ psuId: 'bob' }));
    expect(await failedWith(usualConsent(there.target))).toMatchObject({
      code: 'CONSENT_NEEDED',
      hint: ['obk consent create --iban IBAN --psu-id anna'],
    });
    await there.store.resources.save(consentOf({ psuId: 'anna' }, { id: 'con-2' }));
    expect((await usualConsent(there.target))?.id).toBe('con-2');
  });
});
