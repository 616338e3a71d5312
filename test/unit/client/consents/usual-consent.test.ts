import { describe, expect, it } from 'vitest';
import { readAccountData } from '../../../../src/client/accounts/counted-read.ts';
import { usualConsent } from '../../../../src/client/consents/usual-consent.ts';
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

describe('the consent of a command that names none', () => {
  it('is not a used one-off consent where there is another', async () => {
    const there = await usedAnd(consentOf());
    expect((await usualConsent(there.target))?.id).toBe('con-1');
    there.verify();
  });

  it('is a used one-off consent where there is no other', async () => {
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

describe('the record of the consents that were looked at', () => {
  const day = (at: number) => `2026-11-${String(at).padStart(2, '0')}T09:00:00.000Z`;
  const made = (at: number) =>
    consentOf({}, { id: `con-${String(at)}`, createdAt: day(at), updatedAt: day(at) });
  /** Consents of these days, the last of them authorised a moment before now. */
  async function withConsents(...days: readonly number[]) {
    const there = await reader({}, {}, made(days[0] ?? 1));
    const now = there.clock.now().toISOString();
    for (const at of days.slice(1)) await there.store.resources.save(made(at));
    const last = days.at(-1) ?? 1;
    await there.store.resources.save({ ...made(last), updatedAt: now, usableSince: now });
    return there;
  }
  const read = (there: Awaited<ReturnType<typeof reader>>, id: string, consentStatus: string) => {
    there.http.expect('GET', `/v1/consents/${id}`, {
      body: {
        consentStatus,
        recurringIndicator: true,
        validUntil: '2027-02-18',
        frequencyPerDay: 4,
        access: {},
      },
    });
  };

  it('saves all reads but one: that of the consent before the newest', async () => {
    const there = await withConsents(1, 2);
    read(there, 'con-1', 'terminatedByTpp');
    for (let run = 0; run < 3; run += 1) expect((await usualConsent(there.target))?.id).toBe('con-2');
    expect(there.http.requests).toHaveLength(1);
    there.verify();
  });

  it('ends the reading at the second valid consent, however many there are, and is not asked again', async () => {
    const there = await withConsents(...Array.from({ length: 15 }, (_, at) => at + 1));
    read(there, 'con-14', 'valid');
    for (let run = 0; run < 3; run += 1)
      expect(await failedWith(usualConsent(there.target))).toMatchObject({
        code: 'ID_AMBIGUOUS',
        title: 'Profile acme has more than one valid consent.',
        hint: expect.arrayContaining(['obk consent use con-15', 'obk consent use con-14']) as unknown,
      });
    // A script that follows the first line chooses none of them.
    expect(await failedWith(usualConsent(there.target))).toHaveProperty('hint.0', 'obk consent list');
    expect(there.http.requests).toHaveLength(1);
    there.verify();
  });

  it('is looked at again where another consent was authorised since', async () => {
    const there = await withConsents(1, 2);
    read(there, 'con-1', 'valid');
    await failedWith(usualConsent(there.target));
    there.clock.advance(60_000);
    const now = there.clock.now().toISOString();
    await there.store.resources.save({ ...made(3), createdAt: now, updatedAt: now, usableSince: now });
    read(there, 'con-2', 'terminatedByTpp');
    read(there, 'con-1', 'terminatedByTpp');
    for (let run = 0; run < 2; run += 1) expect((await usualConsent(there.target))?.id).toBe('con-3');
    expect(there.http.requests).toHaveLength(3);
    there.verify();
  });

  it('expires after an hour where a consent may have been revoked', async () => {
    const there = await withConsents(1, 2);
    read(there, 'con-1', 'valid');
    await failedWith(usualConsent(there.target));
    there.clock.advance(61 * 60_000);
    read(there, 'con-2', 'revokedByPsu');
    read(there, 'con-1', 'valid');
    expect((await usualConsent(there.target))?.id).toBe('con-1');
    there.verify();
  });

  it('needs no call where every one-off consent was used', async () => {
    const there = await usedAnd({ ...once, id: 'once-2' });
    await readAccountData(
      { target: there.target, consent: { ...once, id: 'once-2' }, terms: absent },
      { operation: 'getAccountList' },
    ).catch(() => undefined);
    const before = there.http.requests.length;
    await usualConsent(there.target);
    expect(there.http.requests).toHaveLength(before);
  });
});
