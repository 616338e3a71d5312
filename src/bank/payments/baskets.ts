import { nextId } from '../books/made.ts';
import { failOthers } from '../sca/authorisation-store.ts';
import { basketOf, findBasket, insertBasket, setBasket } from '../stores/basket-store.ts';
import type { Basket } from '../stores/basket-store.ts';
import type { Call, Handler, RunningBank } from '../trust/call.ts';
import { findConsent } from '../stores/consent-store.ts';
import type { Consent } from '../stores/consent-store.ts';
import { checkRedirectScheme, startOrOffer } from './start-authorisation.ts';
import {
  authorisersOf,
  basketParent,
  concerns,
  consentParent,
  isUnauthorised,
  ownerOf,
} from '../sca/authorised-things.ts';
import { checkToken, flagOf, personOfCall, preferenceOf, unnamedPsu } from './permits.ts';
import { takeWish } from '../notifications/wishes.ts';
import { findPayment } from '../stores/payment-store.ts';
import type { Payment } from '../stores/payment-store.ts';
import { formatError, Refusal, resourceUnknown } from '../rules/refusal.ts';
import { asLinks, pathOf } from '../sca/sca-reply.ts';
import { doDueWork } from '../sca/timers.ts';

const waitMs = 24 * 3_600_000;

/** POST signing basket: always authorised explicitly. */
export const createBasket: Handler = (bank, call) => {
  if (flagOf(call, 'tpp-explicit-authorisation-preferred') === false)
    throw formatError('A basket is always authorised explicitly.', 'TPP-Explicit-Authorisation-Preferred');
  checkRedirectScheme(call);
  const { main } = bank.ledger;
  doDueWork(main, call.now);
  const named = personOfCall(bank, call);
  const members = membersOf(bank, call);
  if (authorisersAt(bank, members, named?.psuId).size > 1)
    throw new Refusal(400, 'REFERENCE_MIX_INVALID', 'The members need different PSUs.', {
      path: members.payments.length > 0 ? 'paymentIds' : 'consentIds',
    });
  const basket: Basket = {
    basketId: nextId(main, 'basket'),
    tpp: call.tpp,
    status: 'RCVD',
    psuId: named?.psuId,
    redirectUri: call.headers.get('tpp-redirect-uri') ?? undefined,
    nokRedirectUri: call.headers.get('tpp-nok-redirect-uri') ?? undefined,
    redirectPreferred: preferenceOf(call, 'redirect'),
    paymentIds: members.payments.map(({ paymentId }) => paymentId),
    consentIds: members.consents.map(({ consentId }) => consentId),
  };
  const person = named ?? unnamedPsu(bank, call, basketParent(main, basket).owner);
  basket.psuId = person?.psuId;
  const parent = basketParent(main, basket);
  if (person !== undefined && !concerns(parent, person.psuId))
    throw new Refusal(401, 'PSU_CREDENTIALS_INVALID', 'The members belong to another PSU.');
  insertBasket(main, basket, new Date(call.now.getTime() + waitMs).toISOString());
  const notifying = takeWish(bank, call, parent);
  const opening = startOrOffer(bank, call, parent);
  const self = pathOf(call.variant, parent);
  return {
    status: 201,
    headers: { Location: self, ...opening.headers, ...notifying },
    body: {
      transactionStatus: basket.status,
      basketId: basket.basketId,
      ...opening.data,
      _links: asLinks({ ...opening.hrefs, self, status: `${self}/status` }),
    },
  };
};

/** Reads the members of a new basket: each must belong to this TPP, not be authorised, and be in no other basket. */
interface Members {
  payments: readonly Payment[];
  consents: readonly Consent[];
}

/** The PSUs whom each member needs, as one text each. */
function authorisersAt({ ledger: { main } }: RunningBank, { payments, consents }: Members, psuId?: string) {
  const owners = [
    ...payments.map(({ content }) => ownerOf(main, content.debtor)),
    ...consents.map((consent) => consentParent(main, consent, psuId).owner),
  ];
  return new Set(owners.map((owner) => JSON.stringify(authorisersOf(owner))));
}

function membersOf({ ledger: { main } }: RunningBank, { json, tpp }: Call): Members {
  const { paymentIds, consentIds } = (json ?? {}) as Record<string, unknown>;
  if (paymentIds !== undefined && consentIds !== undefined)
    throw new Refusal(400, 'REFERENCE_MIX_INVALID', 'A basket holds either payments or consents.', {
      path: 'consentIds',
    });
  const path = consentIds === undefined ? 'paymentIds' : 'consentIds';
  const ids: unknown = consentIds ?? paymentIds;
  if (!Array.isArray(ids) || ids.length === 0)
    throw formatError(`${path} is not a list of at least one id.`, path);
  const unknown = new Refusal(400, 'RESOURCE_UNKNOWN', 'There is no such resource of this TPP.', { path });
  if (new Set(ids).size !== ids.length) throw unknown;
  const take = <T extends { tpp: string; status: string }>(
    find: (database: typeof main, id: string) => T | undefined,
    isFree: (member: T) => boolean,
  ): T[] =>
    ids.map((id: unknown) => {
      const member = typeof id === 'string' ? find(main, id) : undefined;
      if (member?.tpp !== tpp) throw unknown;
      if (!isFree(member))
        throw new Refusal(409, 'REFERENCE_STATUS_INVALID', `A member is ${member.status} already.`, { path });
      if (basketOf(main, String(id)) !== undefined)
        throw new Refusal(400, 'RESOURCE_BLOCKED', 'A member is in another basket.', { path });
      return member;
    });
  return path === 'paymentIds'
    ? { payments: take(findPayment, isUnauthorised), consents: [] }
    : { payments: [], consents: take(findConsent, ({ status }) => status === 'received') };
}

/** The basket of the path, if this TPP made it; throws RESOURCE_UNKNOWN. */
export function requireBasket(bank: RunningBank, call: Call): Basket {
  const { main } = bank.ledger;
  doDueWork(main, call.now);
  const basket = findBasket(main, call.params.basketId ?? '');
  if (basket?.tpp !== call.tpp) throw resourceUnknown('basket');
  checkToken(bank, call, basketParent(main, basket));
  return basket;
}

/** GET signing basket. */
export const getBasket: Handler = (bank, call) => {
  const { status, paymentIds, consentIds } = requireBasket(bank, call);
  return {
    status: 200,
    body: {
      ...(paymentIds.length > 0 && { payments: paymentIds }),
      ...(consentIds.length > 0 && { consents: consentIds }),
      transactionStatus: status,
    },
  };
};

/** GET signing basket status. */
export const getBasketStatus: Handler = (bank, call) => ({
  status: 200,
  body: { transactionStatus: requireBasket(bank, call).status },
});

/** DELETE signing basket: its members can be used again; refused after the first authorisation. */
export const deleteBasket: Handler = (bank, call) => {
  const { main } = bank.ledger;
  const { basketId, status } = requireBasket(bank, call);
  if (status !== 'RCVD')
    throw new Refusal(409, 'STATUS_INVALID', `A basket in status ${status} cannot be deleted.`);
  setBasket(main, basketId, 'CANC');
  failOthers(main, { parentKind: 'basket', parentId: basketId }, call.now);
  return { status: 204 };
};
