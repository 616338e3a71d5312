import { describe, expect, it } from 'vitest';
import { findResource } from '../../../../../src/cli/commands/run/find-resource.ts';
import type { Profile } from '../../../../../src/settings/records/profile.ts';
import type { Noun } from '../../../../../src/standard/sca/operations.ts';
import { world } from '../../../../helpers/world.ts';

describe('a bank where nothing was started yet says how to begin with what it has', () => {
  it.each<[Noun, Partial<Profile>, readonly string[]]>([
    ['payment', {}, ['obk payment init --product sepa-credit-transfers']],
    [
      'payment',
      {
        payments: {
          matrix: { payments: { 'domestic-transfers': ['json'], 'sepa-credit-transfers': ['json'] } },
        },
      },
      ['obk payment init --product sepa-credit-transfers'],
    ],
    [
      'payment',
      { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
      ['obk payment init --product domestic-transfers'],
    ],
    [
      'payment',
      { payments: { matrix: { 'bulk-payments': { 'salary-list': ['xml'] } } } },
      ['obk payment init --product salary-list --service bulk-payments'],
    ],
    ['payment', { spec: { operations: { initiatePayment: { supported: false } } } }, []],
    ['consent', {}, ['obk consent create --iban IBAN']],
    ['consent', { consent: { none: true } }, []],
    ['basket', { spec: { operations: { createSigningBasket: { supported: false } } } }, []],
  ])('%s %j', async (noun, profile, begin) => {
    const { target } = await world({ profile });
    await expect(findResource(target, noun, { id: '@last' })).rejects.toMatchObject({
      hint: [`obk ${noun} list`, ...begin],
    });
  });

  it('and where a payment is of elsewhere, a product of the bank', async () => {
    const { target } = await world({
      profile: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    });
    const found = findResource(target, 'payment', { id: 'pay-of-elsewhere' });
    await expect(found).rejects.toMatchObject({
      hint: ['--service payments --product domestic-transfers', 'obk payment list'],
    });
  });
});
