import type { Database } from '../books/database.ts';
import { sumsOf } from '../books/order.ts';
import type { Transfer } from '../books/order.ts';
import { findConsent, listConsents } from '../stores/consent-store.ts';
import type { Consent as KeptConsent } from '../stores/consent-store.ts';
import { findPayment, historyOf, listPayments } from '../stores/payment-store.ts';
import type { Payment as KeptPayment } from '../stores/payment-store.ts';
import { notThere } from './problem.ts';
import { anyObject, flag, integer, list, named, object, orNull, text } from '../openapi/schema.ts';
import { Amount, Currency } from '../openapi/shared-schemas.ts';
import { afterId, exampleIds, inPath, inQuery, limit, newest, truth } from '../openapi/operation.ts';
import { duly, pageOf } from './control-call.ts';
import type { Operations } from './control-call.ts';

const payment = {
  paymentId: exampleIds.payment,
  service: 'payments',
  product: 'sepa-credit-transfers',
  status: 'RCVD',
  requestId: exampleIds.request,
  tpp: 'PSDDE-BAFIN-125314',
  psuId: 'redirect',
  createdAt: '2026-11-23T10:00:00.000Z',
  order: {
    debtorAccount: { iban: 'DE83500105170000000001' },
    count: 1,
    sums: [{ currency: 'EUR', amount: '12.34' }],
    transfers: [
      {
        creditorName: 'Merchant',
        creditorAccount: 'DE89370400440532013000',
        currency: 'EUR',
        amount: '12.34',
        remittance: 'Invoice 7',
        rejected: null,
      },
    ],
    executeAt: null,
    standingOrder: null,
  },
  body: '{}',
  history: [{ status: 'RCVD', at: '2026-11-23T10:00:00.000Z' }],
};

const consent = {
  consentId: exampleIds.consent,
  status: 'received',
  tpp: 'PSDDE-BAFIN-125314',
  psuId: 'redirect',
  recurring: true,
  frequencyPerDay: 4,
  validUntil: '2026-12-31',
  access: { allPsd2: 'allAccounts' },
};

/** What a payment orders, as the bank has read it. */
export const Order = named(
  'Order',
  object(
    {
      debtorAccount: anyObject('The account that pays, as the TPP has named it.'),
      count: integer('How many transfers it has.', { minimum: 1 }),
      sums: list(object({ currency: Currency, amount: Amount }), 'Of all transfers, by currency.'),
      transfers: list(
        object({
          creditorName: text(),
          creditorAccount: text('An IBAN, or a national number where the product has none.'),
          currency: Currency,
          amount: Amount,
          remittance: orNull(text('The text or the reference for the creditor.')),
          rejected: orNull(text('Why the bank did not execute it: a reason of ISO 20022 such as AM04.')),
        }),
        'The first 100 of them; 3 in a brief list and of an authorisation.',
      ),
      executeAt: orNull(text('Not before this time (UTC).')),
      standingOrder: orNull(
        anyObject(
          'When a periodic payment is executed, as the interface has it: startDate, frequency and what else was said.',
        ),
      ),
    },
    {},
    'What is paid, as the bank has read it from the body.',
  ),
);

const Payment = named(
  'Payment',
  object(
    {
      paymentId: text(),
      service: text(),
      product: text(),
      status: text('transactionStatus'),
      requestId: text('The X-Request-ID that it came with.'),
      tpp: text(),
      psuId: orNull(text()),
      createdAt: text(),
      order: Order,
      history: list(object({ status: text(), at: text() })),
    },
    { body: text('As it came; not there in a brief list.') },
  ),
);

const Consent = named(
  'Consent',
  object({
    consentId: text(),
    status: text('consentStatus'),
    tpp: text(),
    psuId: orNull(text()),
    recurring: flag(),
    frequencyPerDay: integer(),
    validUntil: text(),
    access: anyObject('As the interface has it.'),
  }),
);

/** Payments and consents as the bank has them. */
export const resources = {
  listPayments: {
    at: 'GET /payments',
    summary: 'The payments',
    about: 'Of all TPPs, oldest first unless `newest` is true.',
    parameters: [
      newest,
      inQuery('brief', 'Without the bodies, and with 3 transfers of each at most.', 'false', truth('false')),
      afterId(exampleIds.payment),
      limit,
    ],
    gives: {
      status: 200,
      about: 'The payments.',
      schema: object({ payments: list(Payment) }),
      example: { payments: [payment] },
    },
    run(call) {
      const main = duly(call);
      const brief = call.given['brief'] === 'true';
      const payments = listPayments(main, pageOf(call)).map((one) => shownPayment(main, one, brief));
      return { status: 200, body: { payments } };
    },
  },
  getPayment: {
    at: 'GET /payments/{paymentId}',
    summary: 'One payment',
    about: 'With the statuses that it went through.',
    parameters: [inPath('paymentId', 'The paymentId.', exampleIds.payment)],
    gives: { status: 200, about: 'The payment.', schema: Payment, example: payment },
    also: [404],
    run(call) {
      const main = duly(call);
      const id = call.path['paymentId'] ?? '';
      const payment = findPayment(main, id);
      if (payment === undefined) throw notThere('payment', id, 'payments');
      return { status: 200, body: shownPayment(main, payment) };
    },
  },
  listConsents: {
    at: 'GET /consents',
    summary: 'The consents',
    about: 'Of all TPPs, oldest first unless `newest` is true.',
    parameters: [newest, afterId(exampleIds.consent), limit],
    gives: {
      status: 200,
      about: 'The consents.',
      schema: object({ consents: list(Consent) }),
      example: { consents: [consent] },
    },
    run: (call) => ({
      status: 200,
      body: { consents: listConsents(duly(call), pageOf(call)).map(shownConsent) },
    }),
  },
  getConsent: {
    at: 'GET /consents/{consentId}',
    summary: 'One consent',
    about: 'Whatever its status.',
    parameters: [inPath('consentId', 'The consentId.', exampleIds.consent)],
    gives: { status: 200, about: 'The consent.', schema: Consent, example: consent },
    also: [404],
    run(call) {
      const id = call.path['consentId'] ?? '';
      const consent = findConsent(duly(call), id);
      if (consent === undefined) throw notThere('consent', id, 'consents');
      return { status: 200, body: shownConsent(consent) };
    },
  },
} as const satisfies Operations;

function shownPayment(main: Database, payment: KeptPayment, brief = false) {
  const { paymentId, service, product, status, requestId, tpp, psuId = null, createdAt } = payment;
  const history = historyOf(main, paymentId).map((one) => ({ status: one.status, at: one.at }));
  const order = shownOrder(payment, brief ? mostTransfers.brief : mostTransfers.one);
  const body = brief ? {} : { body: Buffer.from(payment.body).toString('utf8') };
  return { paymentId, service, product, status, requestId, tpp, psuId, createdAt, order, ...body, history };
}

function shownConsent(consent: KeptConsent) {
  const { consentId, status, tpp, psuId = null, recurring, frequencyPerDay, validUntil, access } = consent;
  return { consentId, status, tpp, psuId, recurring, frequencyPerDay, validUntil, access };
}

/** How many transfers a payment shows, and how many where it is one of many. */
export const mostTransfers = { one: 100, brief: 3 };

/** What is paid by whom to whom, as the bank has read it from the body. */
export function shownOrder({ content, rejected }: KeptPayment, most: number) {
  const { debtor, transfers, executeAt = null, standing = null } = content;
  // The parts of a standing order are its executions.
  const reasons = new Map(standing === null ? rejected.map(({ part, reason }) => [part, reason]) : []);
  return {
    debtorAccount: debtor,
    count: transfers.length,
    sums: sumsOf(content),
    transfers: transfers
      .slice(0, most)
      .map((one, part) => ({ ...shownTransfer(one), rejected: reasons.get(part) ?? null })),
    executeAt,
    standingOrder: standing,
  };
}

function shownTransfer(transfer: Transfer) {
  const { creditorName, creditorAccount, currency, amount, remittance, reference } = transfer;
  return { creditorName, creditorAccount, currency, amount, remittance: remittance ?? reference ?? null };
}
