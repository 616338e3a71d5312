import { expect, it } from 'vitest';
import { useScene } from '../scene.ts';
import { stepsOf } from '../ready-steps.ts';

const scene = useScene(undefined, { doors: { people: 'options' } });
const { create } = stepsOf(scene);
const fee = { currency: 'EUR', amount: '1.50' };

it.each([
  ['private-embedded-several', undefined],
  // No list of methods is sent to them, and the answer to a start with the password has no members for fees.
  ['private-embedded-one', fee],
  ['private-embedded-none', fee],
])(
  'a payment shows its fee with the methods, and %s without a choice of them at the initiation',
  async (psuId, told) => {
    scene.bank.scenario({ fees: 'with-method' });
    const { json } = (await create(psuId, '1.00', 'v136')).created;
    expect(json).toMatchObject({ transactionFeeIndicator: true });
    expect(Reflect.get(json, 'transactionFees')).toEqual(told);
  },
);
