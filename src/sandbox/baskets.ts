import { randomUUID } from 'node:crypto';
import { failOthers } from './authorisation-store.ts';
import { basketOf, findBasket, insertBasket, setBasket } from './basket-store.ts';
import type { Basket } from './basket-store.ts';
import type { Call, Handler, RunningBank } from './call.ts';
import { findConsent } from './consent-store.ts';
import { open } from './opening.ts';
import { authorisersOf, basketParent, isUnauthorised, ownerOf } from './parents.ts';
import { checkRedirectScheme } from './payments.ts';
import { flagOf, personOfCall } from './payment-lookup.ts';
import { findPayment } from './payment-store.ts';
import type { Payment } from './payment-store.ts';
import { formatError, Refusal, resourceUnknown } from './refusal.ts';
import { asLinks, pathOf } from './sca-reply.ts';
import { settle } from './timers.ts';

const waitMs = 24 * 3_600_000;

/** POST signing basket: always authorised explicitly. */
export const createBasket: Handler = (bank, call) => {
  if (flagOf(call, 'tpp-explicit-authorisation-preferred') === false)
    throw formatError('A basket is always authorised explicitly.', 'TPP-Explicit-Authorisation-Preferred');
  checkRedirectScheme(call);
  const { main } = bank.ledger;
  settle(main, call.now);
  const person = personOfCall(bank, call);
  const members = membersOf(bank, call);
  const authorisers = new Set(members.map((member) => authorisersAt(bank, member)));
  if (authorisers.size > 1)
    throw new Refusal(400, 'REFERENCE_MIX_INVALID', 'The payments need different PSUs.', {
      path: 'paymentIds',
    });
  const basket: Basket = {
    basketId: randomUUID(),
    tpp: call.tpp,
    status: 'RCVD',
    psuId: person?.psuId,
    redirectUri: call.headers.get('tpp-redirect-uri') ?? undefined,
    nokRedirectUri: call.headers.get('tpp-nok-redirect-uri') ?? undefined,
    redirectPreferred: flagOf(call, 'tpp-redirect-preferred'),
    paymentIds: members.map(({ paymentId }) => paymentId),
  };
  const parent = basketParent(main, basket);
  if (person !== undefined && !parent.authorisers.includes(person.psuId))
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The payments belong to another PSU.');
  insertBasket(main, basket, new Date(call.now.getTime() + waitMs).toISOString());
  const opening = open(bank, call, parent);
  const self = pathOf(call.variant, parent);
  return {
    status: 201,
    headers: { Location: self, ...opening.headers },
    body: {
      transactionStatus: basket.status,
      basketId: basket.basketId,
      _links: asLinks({ ...opening.hrefs, self, status: `${self}/status` }),
    },
  };
};

const authorisersAt = ({ ledger }: RunningBank, { content }: Payment) =>
  authorisersOf(ownerOf(ledger.main, content.debtorIban)).join(' ');

/** The payments that the body names, each of this TPP, not authorised, in no other basket. */
function membersOf({ ledger: { main } }: RunningBank, { json, tpp }: Call): Payment[] {
  const { paymentIds, consentIds } = (json ?? {}) as Record<string, unknown>;
  const path = consentIds === undefined ? 'paymentIds' : 'consentIds';
  const ids: unknown = consentIds ?? paymentIds;
  if (!Array.isArray(ids) || ids.length === 0)
    throw formatError(`${path} is not a list with ids in it.`, path);
  const unknown = new Refusal(400, 'RESOURCE_UNKNOWN', 'There is no such resource of this TPP.', { path });
  const isConsent = (id: unknown) => typeof id === 'string' && findConsent(main, id)?.tpp === tpp;
  if (consentIds !== undefined && ids.every(isConsent))
    throw new Refusal(400, 'REFERENCE_MIX_INVALID', 'The baskets of this bank hold payments only.', { path });
  if (consentIds !== undefined || new Set(ids).size !== ids.length) throw unknown;
  return ids.map((id: unknown) => {
    const payment = typeof id === 'string' ? findPayment(main, id) : undefined;
    if (payment?.tpp !== tpp) throw unknown;
    if (!isUnauthorised(payment))
      throw new Refusal(409, 'REFERENCE_STATUS_INVALID', `A payment is ${payment.status} already.`, { path });
    if (basketOf(main, payment.paymentId) !== undefined)
      throw new Refusal(400, 'RESOURCE_BLOCKED', 'A payment is in another basket.', { path });
    return payment;
  });
}

/** The basket of the path, if this TPP made it; throws RESOURCE_UNKNOWN. */
export function requireBasket({ ledger: { main } }: RunningBank, call: Call): Basket {
  settle(main, call.now);
  const basket = findBasket(main, call.params.basketId ?? '');
  if (basket?.tpp !== call.tpp) throw resourceUnknown('basket');
  return basket;
}

/** GET signing basket. */
export const getBasket: Handler = (bank, call) => {
  const { status, paymentIds } = requireBasket(bank, call);
  return { status: 200, body: { payments: paymentIds, transactionStatus: status } };
};

/** GET signing basket status. */
export const getBasketStatus: Handler = (bank, call) => ({
  status: 200,
  body: { transactionStatus: requireBasket(bank, call).status },
});

/** DELETE signing basket: its payments are free again; not after the first authorisation. */
export const deleteBasket: Handler = (bank, call) => {
  const { main } = bank.ledger;
  const { basketId, status } = requireBasket(bank, call);
  if (status !== 'RCVD')
    throw new Refusal(409, 'STATUS_INVALID', `A basket in status ${status} cannot be deleted.`);
  setBasket(main, basketId, 'CANC');
  failOthers(main, { parentKind: 'basket', parentId: basketId }, call.now);
  return { status: 204 };
};
