import { expect, it } from 'vitest';
import { askFields } from '../../../../../src/cli/commands/payment/ask-fields.ts';
import { fakePerson } from '../../../../helpers/fakes/index.ts';

const given = {
  debtor: 'DE65990010000000002443',
  creditorName: 'Shop',
  creditorAccount: 'DE89370400440532013000',
  remittance: 'Order',
};
const asking = {
  ...{ debtor: undefined, service: 'payments', product: 'sepa-credit-transfers' },
  ...{ isPain: false, framework: '1.3.12' as const },
};

it.each([
  ['12,50', '12.50'],
  ['1.234,50', '1234.50'],
  ['1,234,567', '1234567'],
])('an amount of %s is asked about with %s as the default', async (typed, meant) => {
  for (const byFlag of [true, false]) {
    const person = fakePerson().answer('amount', ...(byFlag ? [] : [typed]), meant);
    const fields = await askFields(person, { ...given, ...(byFlag && { amount: typed }) }, asking);
    expect(fields).toMatchObject({ amount: meant });
    person.verify();
    // The flag or the variable that holds the comma does not answer once more.
    expect(person.asked.at(-1)).toMatchObject({ id: 'amount', default: meant, again: true });
  }
});

it('offers nothing for an amount with two readings', async () => {
  const person = fakePerson().answer('amount', '1,234');
  await expect(askFields(person, given, asking)).rejects.toThrow('nothing between the thousands');
  const kept = await askFields(fakePerson(), { ...given, amount: '1,234' }, asking);
  expect(kept.amount).toBe('1,234');
});
