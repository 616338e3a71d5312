import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTraveller } from './journeys/traveller.ts';
import type { Traveller } from './journeys/traveller.ts';

/** How long a consent lasts: the law and the profile say what is asked for, and the bank says what comes of it. */
describe.each(['v1', 'v136'] as const)('a consent of %s', (variant) => {
  let traveller: Traveller;
  beforeAll(async () => {
    traveller = await startTraveller(variant, 'inside');
  });
  afterAll(() => traveller.close());

  const psuId = 'embedded-none';
  const daysFrom = (day: string) => Math.round((Date.parse(day) - Date.parse(asOf())) / 86_400_000);
  const asOf = () => traveller.bank.clock().slice(0, 10);

  async function lasts(more: readonly string[] = []): Promise<number> {
    traveller.nextMinute();
    const { password, accounts } = traveller.bank.person(psuId);
    const made = await traveller.run(
      [
        ...['consent', 'create', '--iban', accounts[0]?.iban ?? '', '--psu-id', psuId],
        ...['--psu-password-from', 'env:PASSWORD', ...more],
      ],
      { PASSWORD: password },
    );
    expect(made.document, made.stderr).toMatchObject({ consentStatus: 'valid' });
    return daysFrom(made.document.validUntil as string);
  }

  it('is for 180 days, the first one being today', async () => {
    expect(await lasts()).toBe(179);
  });

  it('is for as many days as the profile says of the bank', async () => {
    await traveller.prepare(['config', 'set', 'consent.validDays', '90']);
    expect(await lasts()).toBe(89);
    await traveller.prepare(['config', 'unset', 'consent.validDays']);
  });

  it.each([
    ['90-days', 90],
    ['180-days', 180],
  ] as const)('is told as the bank has shortened it (%s)', async (validUntil, days) => {
    traveller.bank.scenario({ validUntil });
    expect(await lasts(['--valid-until', '9999-12-31'])).toBe(days);
    traveller.bank.scenario({ validUntil: 'as-asked' });
  });
});
