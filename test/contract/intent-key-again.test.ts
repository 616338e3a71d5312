// The same --intent-key again: the exit that the state deserves now, and never 0 for what was to be authorised and is not.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shop } from '../helpers/obk.ts';
import { startTpp } from '../helpers/tpp.ts';
import type { Tpp } from '../helpers/tpp.ts';

const here = {} as { tpp: Tpp };
let key = 0;
beforeAll(async () => {
  here.tpp = await startTpp('v1', ['--environment', 'test']);
});
beforeEach(() => {
  key += 1;
});
afterAll(() => here.tpp.close());

const password = ['--psu-password-from', 'env:PW'];
const right = [...password, '--otp-from', 'env:PW_OTP'];
const wrongOtp = [...password, '--otp-from', 'env:BAD'];
const wrongPassword = ['--psu-password-from', 'env:BAD', '--otp-from', 'env:PW_OTP'];
const waits = ['--wait', '--timeout', '5s'];

async function init(psuId: string, flags: readonly string[]) {
  const { password: secret, otp, accounts } = here.tpp.bank.person(psuId);
  Object.assign(here.tpp.env, { PW: secret, PW_OTP: otp, BAD: '000000' });
  const debtor = ['--debtor', accounts[0]?.iban ?? ''];
  const words = [...shop, ...debtor, '--amount', '1.00', '--intent-key', `order-${String(key)}`];
  return here.tpp.run(['payment', 'init', ...words, '--psu-id', psuId, ...flags]);
}
const writes = () => here.tpp.take().filter(({ method }) => method !== 'GET').length;

/** Customer, flags and exit of the first run; flags and exit of the second, and what stderr says then. */
type Row = [psuId: string, first: string[], exit: number, again: string[], then: number, told: RegExp];
const nothingLeaves: Row[] = [
  ['embedded-one', wrongOtp, 9, wrongOtp, 8, /refused before/],
  ['embedded-one', wrongOtp, 9, right, 8, /refused before/],
  ['embedded-one', wrongOtp, 9, waits, 8, /refused before/],
  ['embedded-one', wrongOtp, 9, [], 0, /refused before/],
  ['embedded-one', wrongPassword, 9, right, 8, /refused before/],
  ['embedded-one', right, 0, right, 0, /made before/],
  ['embedded-one', [], 0, [], 0, /made before/],
  ['no-funds', right, 9, right, 9, /made before/],
  ['no-funds', right, 9, [], 9, /made before/],
  ['refuses', waits, 9, waits, 9, /made before/],
  ['refuses', waits, 9, [], 9, /made before/],
];

describe('the same intent key again', () => {
  it.each(nothingLeaves)('ends at %s after %j with %d: %j with %d, and nothing is sent', async (...row) => {
    const [psuId, first, exit, again, then, told] = row;
    const before = await init(psuId, first);
    expect(before.code, before.stderr).toBe(exit);
    here.tpp.take();
    const after = await init(psuId, again);
    expect(after.code, after.stderr).toBe(then);
    expect(after.stderr).toMatch(told);
    expect(after.document.paymentId).toEqual(expect.any(String));
    expect(writes()).toBe(0);
    if (then === 8)
      expect(after.document.next).toContain(`obk payment authorise ${String(after.document.paymentId)}`);
  });

  it('continues where an entry was missing', async () => {
    expect((await init('embedded-one', password)).code).toBe(8);
    expect((await init('embedded-one', right)).code).toBe(0);
  });

  it('reads the entry with payment authorise', async () => {
    expect((await init('embedded-one', wrongOtp)).code).toBe(9);
    const { document } = await init('embedded-one', right);
    const ended = await here.tpp.run(['payment', 'authorise', document.paymentId as string, ...right]);
    expect(ended.code, ended.stderr).toBe(0);
  });

  it.each(['drop-after-commit', 'drop-before'] as const)(
    'continues after the start was lost by %s',
    async (kind) => {
      here.tpp.bank.fault({ operation: 'startPaymentAuthorisation', kind });
      expect([6, 12]).toContain((await init('embedded-one', right)).code);
      expect((await init('embedded-one', right)).code).toBe(0);
    },
  );

  it('is 12 where the answer to the payment was lost, and sends nothing', async () => {
    here.tpp.bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit' });
    expect((await init('embedded-one', right)).code).toBe(12);
    here.tpp.take();
    for (const again of [right, waits, []]) expect((await init('embedded-one', again)).code).toBe(12);
    expect(writes()).toBe(0);
  });

  describe('of a payment found at the bank after a lost answer', () => {
    const found = async (psuId = 'embedded-one') => {
      here.tpp.bank.fault({ operation: 'initiatePayment', kind: 'drop-after-commit' });
      const { document } = await init(psuId, []);
      const made = here.tpp.bank.payments().at(-1)?.paymentId ?? '';
      const told = ['--payment-id', made, '--reason', 'seen in online banking'];
      const resolved = await here.tpp.run([
        'pending',
        'resolve',
        (document.intent as string).slice(0, 12),
        ...told,
      ]);
      expect(resolved.code, resolved.stderr).toBe(0);
      return made;
    };

    it.each<[string[], number]>([
      [[], 0],
      [waits, 8],
      [right, 0],
      [wrongOtp, 9],
    ])('continues it: %j is %d', async (again, then) => {
      const made = await found();
      const after = await init('embedded-one', again);
      expect(after.code, after.stderr).toBe(then);
      expect(after.document).toMatchObject({ paymentId: made, amount: '1.00' });
      expect(after.document.transactionStatus).toBe(again === right ? 'ACSC' : 'RCVD');
    });

    it('is 8 and never 2 where the bank does not give its status', async () => {
      const made = await found();
      here.tpp.bank.fault({ operation: 'getPaymentInitiationStatus', kind: 'status', status: 403, count: 9 });
      const after = await init('embedded-one', []);
      here.tpp.bank.clearFaults();
      expect(after.code, after.stderr).toBe(8);
      expect(after.document).toMatchObject({ paymentId: made, transactionStatus: null });
    });
  });
});
