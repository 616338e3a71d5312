import { readJson, writeJson } from '../../standard/xs2a/json.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import type { Call, Handler } from '../trust/call.ts';
import { pain002 } from './pain002.ts';
import { findPerson } from '../books/people.ts';
import { ownerOf, paymentParent } from '../sca/authorised-things.ts';
import { asLinks, pathOf } from '../sca/sca-reply.ts';
import type { Payment } from '../stores/payment-store.ts';
import { readablePayment } from './payments.ts';
import { prefersXml } from '../../referee/request-headers.ts';
import { hasFunds } from '../stores/settlement.ts';

/** GET payment: what was sent, with the status where that is JSON. */
export const getPayment: Handler = (bank, call) => {
  const payment = readablePayment(bank, call);
  if (isXmlProduct(payment.product)) {
    return { status: 200, content: { type: payment.contentType, bytes: payment.body } };
  }
  const sent = readJson(payment.body, { maxBytes: payment.body.length, maxValues: Infinity }) as object;
  const text = writeJson({ ...sent, transactionStatus: payment.status });
  return { status: 200, content: { type: 'application/json', bytes: Buffer.from(text) } };
};

/** GET payment status, as JSON or (for pain.001 payments) as pain.002. */
export const getPaymentStatus: Handler = (bank, call) => {
  const payment = readablePayment(bank, call);
  if (wantsXml(call, payment)) {
    const bytes = Buffer.from(pain002(payment, call.now));
    return { status: 200, content: { type: 'application/xml', bytes } };
  }
  const { main } = bank.ledger;
  const has = (member: string) => hasMember(call.variant.framework, 'status of a payment', member);
  const owner = ownerOf(main, payment.content.debtor);
  const tellsFunds =
    has('fundsAvailable') &&
    ['ACTC', 'ACWC', 'ACCP'].includes(payment.status) &&
    payment.booked === 0 &&
    owner !== undefined;
  const psu = payment.psuId === undefined ? undefined : findPerson(main, payment.psuId);
  const self = pathOf(call.variant, paymentParent(main, payment, 'payment'));
  const message = tellRejected(payment);
  return {
    status: 200,
    body: {
      transactionStatus: payment.status,
      ...(tellsFunds && { fundsAvailable: hasFunds(main, payment) }),
      ...(message !== undefined && has('psuMessage') && { psuMessage: message }),
      ...(owner !== undefined && has('ownerNames') && { ownerNames: [{ name: owner.name }] }),
      ...(psu !== undefined && has('psuName') && { psuName: psu.name }),
      ...(has('_links') && { _links: asLinks({ self }) }),
    },
  };
};

function wantsXml({ headers, scenario }: Call, { product }: Payment): boolean {
  if (!isXmlProduct(product) || scenario.statusFormat === 'json') return false;
  return scenario.statusFormat === 'xml' || prefersXml(headers.get('accept') ?? '');
}

const reasons: Readonly<Record<string, string>> = {
  AM04: 'the funds do not suffice',
  AC04: 'the account of the payee is closed',
};

/** The words for the PSU about transfers that were not made. */
function tellRejected({ rejected, content }: Payment): string | undefined {
  if (rejected.length === 0) return undefined;
  const several = content.transfers.length > 1;
  const what = several ? 'Not executed' : content.standing === undefined ? 'Not executed' : 'Left out';
  const told = rejected.slice(0, 5).map(({ part, reason }) => {
    const id = content.transfers[part]?.endToEndId;
    const entry = several ? `entry ${String(part + 1)}${id === undefined ? '' : ` (${id})`}: ` : '';
    return entry + (reasons[reason] ?? reason);
  });
  const more = rejected.length > told.length ? `; and ${String(rejected.length - told.length)} more` : '';
  return `${what}: ${told.join('; ')}${more}.`;
}
