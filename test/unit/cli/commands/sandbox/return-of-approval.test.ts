import { afterAll, expect, it } from 'vitest';
import { insideOf } from '../../../../helpers/inside.ts';
import { createObk, shop } from '../../../../helpers/obk.ts';

const obk = createObk({ OBK_PROFILE: 'sandbox', OBK_VERSION: 'v136' });
const inside = insideOf(obk);
afterAll(() => {
  obk.close();
});

it.each(['payment', 'authorisation', 'beginning'] as const)(
  'the address that the approval returns confirms the payment: named by its %s',
  async (by) => {
    const amount = { payment: '1.00', authorisation: '2.00', beginning: '3.00' }[by];
    const made = (await inside.json([
      ...['payment', 'init', ...shop, '--amount', amount, '--psu-id', 'redirect-confirm', '--no-input'],
    ])) as { paymentId: string; sca: { authorisationId: string } };
    const { paymentId } = made;
    const id = {
      payment: paymentId,
      authorisation: made.sca.authorisationId,
      beginning: paymentId.slice(0, 8),
    };
    const { redirectedTo } = (await inside.json([
      ...['sandbox', 'psu', 'approve', id[by], '--as', 'redirect-confirm'],
    ])) as { redirectedTo: string };
    const env = { RETURN: redirectedTo };
    const authorised = ['payment', 'authorise', paymentId, '--return-url-from', 'env:RETURN', '--no-input'];
    expect(await inside.json(authorised, { env })).toMatchObject({ sca: { scaStatus: 'finalised' } });
  },
);
