import { tryCall } from '../../src/client/call/call.ts';
import { ticketOf } from '../../src/client/evidence/ticket.ts';
import type { Ticket } from '../../src/settings/records/ticket.ts';
import { openWire } from '../unit/client/wire.ts';
import { memoryJournal } from './fakes/index.ts';

/** What a bank may write where its text stands in HTML. */
export const hostile =
  '</pre></details><script>document.title="x"</script><img src="http://evil.example/x" onerror="alert(1)">' +
  '<style>body{background:url(http://evil.example/y)}</style><a href="javascript:alert(1)">&amp;"\'';

export const debtor = 'DE65990010000000002443';

/** The report about a payment that a bank answered with all of that, then refused, then lost. */
export async function hostileReport(): Promise<Ticket> {
  const payment = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;
  const { target, http, journal } = await openWire({ token: 'tok-secret-1' });
  http
    .expect('POST', /./, {
      status: 201,
      headers: { 'X-Trace-Id': hostile, Date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'X-Request-ID': 'bank-1' },
      body: {
        transactionStatus: 'RCVD',
        paymentId: 'pay-0001',
        psuMessage: `${hostile} ${debtor}`,
        _links: { scaRedirect: { href: 'https://bank.example/sca' } },
      },
    })
    .expect('GET', /./, {
      status: 400,
      body: {
        transactionStatus: hostile,
        tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR', text: hostile }],
      },
    })
    .expectFailure('DELETE', /./, { sent: true, reason: 'reset' });
  const body = { json: { creditorName: hostile } };
  await tryCall(target, { operation: 'initiatePayment', params: payment, body });
  const of = { params: { ...payment, paymentId: 'pay-0001' }, resource: { paymentId: 'pay-0001' } };
  await tryCall(target, { operation: 'getPaymentInitiationStatus', ...of });
  await tryCall(target, { operation: 'cancelPayment', ...of });
  http.verify();
  return ticketOf(memoryJournal({ state: journal.state, run: 'reader' }), 'pay-0001');
}
