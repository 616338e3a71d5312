import type { ValueOf } from '../../base/schema.ts';
import type { Database } from '../books/database.ts';
import { findAuthorisation, listAuthorisations } from '../sca/authorisation-store.ts';
import type { Authorisation as KeptAuthorisation } from '../sca/authorisation-store.ts';
import { findBasket } from '../stores/basket-store.ts';
import { findConsent } from '../stores/consent-store.ts';
import { findPayment } from '../stores/payment-store.ts';
import { ObkError } from '../../base/errors.ts';
import {
  decide as decideInPlace,
  noConsent,
  noOpenAuthorisation,
  noPage,
  revoke,
} from '../steering/decide.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { isOwnLink } from '../trust/tenants.ts';
import { absent, badRequest, Problem, withoutDetail } from './problem.ts';
import { anyObject, list, named, object, orNull, text, textUpTo, words } from '../openapi/schema.ts';
import { approaches } from '../openapi/shared-schemas.ts';
import { afterId, exampleIds, inQuery, limit, newest, truth } from '../openapi/operation.ts';
import { duly, pageOf } from './control-call.ts';
import { mostTransfers, Order, shownOrder } from './resources.ts';

const decisions = ['approve', 'refuse', 'revoke'] as const;

const Authorisation = named(
  'Authorisation',
  object(
    {
      authorisationId: text(),
      parentKind: words(['payment', 'cancellation', 'consent', 'basket']),
      parentId: text(),
      approach: words(approaches),
      scaStatus: text(),
      psuId: orNull(text()),
      createdAt: text(),
      updatedAt: text(),
    },
    {
      order: { ...Order, description: 'Of a payment and of its cancellation.' },
      access: anyObject('Of a consent, as the interface has it.'),
      basket: object(
        { paymentIds: list(text()), consentIds: list(text()) },
        {},
        'Of a signing basket: the payments and consents in it.',
      ),
    },
  ),
);

const Decision = named(
  'Decision',
  object(
    {
      id: textUpTo(
        4000,
        'Of an authorisation, payment, consent or basket; or a link to a page of the bank (scaRedirect, or an authorization request of OAuth).',
      ),
      decision: words(decisions, 'A consent that is valid is revoked; all else is approved or refused.'),
    },
    { psuId: textUpTo(140, 'Who decides; without it the PSU who is known.') },
  ),
);

type DecisionToMake = ValueOf<typeof Decision>;

const DecidedShown = named(
  'Decided',
  object(
    { id: text(), decision: words(decisions) },
    {
      authorisationId: text(),
      scaStatus: text(),
      consentStatus: text(),
      redirectedTo: text('Where the browser of the PSU would be led.'),
    },
  ),
);

/** What came of a decision; a consent is revoked, and an authorisation, which a login has none of, is approved or refused. */
type DecisionMade = ValueOf<typeof DecidedShown>;

/** Authorisations, and the hand of the PSU. */
export const authorisations = {
  decide: {
    at: 'POST /decisions',
    summary: 'Decide in place of the PSU',
    about:
      'What would be a click on the page of the bank or on the phone: the open authorisation with this id, or of this payment, consent or basket, is approved or refused; a valid consent is revoked.',
    takes: { schema: Decision, example: { id: exampleIds.payment, decision: 'approve' } },
    gives: {
      status: 201,
      about: 'What came of it.',
      schema: DecidedShown,
      example: {
        id: exampleIds.payment,
        decision: 'approve',
        authorisationId: exampleIds.authorisation,
        scaStatus: 'finalised',
      },
    },
    also: [404, 409],
    run: decide,
  },
  listAuthorisations: {
    at: 'GET /authorisations',
    summary: 'The authorisations',
    about: 'Oldest first unless `newest` is true.',
    parameters: [
      inQuery('open', 'Those only that the PSU can still decide.', 'true', truth('false')),
      newest,
      afterId(exampleIds.authorisation),
      limit,
    ],
    gives: {
      status: 200,
      about: 'The authorisations.',
      schema: object({ authorisations: list(Authorisation) }),
      example: {
        authorisations: [
          {
            authorisationId: exampleIds.authorisation,
            parentKind: 'payment',
            parentId: exampleIds.payment,
            approach: 'REDIRECT',
            scaStatus: 'received',
            psuId: 'redirect',
            createdAt: '2026-11-23T10:00:00.000Z',
            updatedAt: '2026-11-23T10:00:00.000Z',
          },
        ],
      },
    },
    run(call) {
      const main = duly(call);
      const page = { ...pageOf(call), open: call.given['open'] === 'true' };
      const authorisations = listAuthorisations(main, page).map((one) => shownAuthorisation(main, one));
      return { status: 200, body: { authorisations } };
    },
  },
} as const satisfies Operations;

function decide(call: ControlCall<DecisionToMake>): { status: 201; body: DecisionMade } {
  const {
    body,
    bank: { recording },
  } = call;
  const { id, decision } = body;
  const told = decision === 'revoke' ? undefined : recording?.decided(id, decision);
  if (told !== undefined) return { status: 201, body: { id, decision, ...told } };
  const main = duly(call);
  const isLink = /^https?:\/\//.test(id);
  const isConsent = !isLink && findConsent(main, id) !== undefined;
  if (!isLink && !isConsent && !isKnown(main, id)) throw unknown(body);
  if (decision === 'revoke' && !isConsent)
    throw badRequest(noConsent(id).title, 'Only a consent is revoked.', '/decision');
  try {
    return { status: 201, body: { id, decision, ...decided(call) } };
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { title, detail = withoutDetail.decision } = error;
    throw new Problem(409, { title, detail, next: ['GET /sandbox/api/authorisations?open=true'] });
  }
}

function decided({ bank, books, body }: ControlCall<DecisionToMake>): Omit<DecisionMade, 'id' | 'decision'> {
  const { id, decision, psuId } = body;
  if (decision === 'revoke') return { consentStatus: revoke(books, id, psuId).consentStatus };
  // The pages of two tenants with the same data have the same tokens.
  if (!isOwnLink(bank, id)) throw noPage();
  return decideInPlace(books, decision, id, psuId);
}

/** 404: the bank has nothing of this id that a PSU could decide. */
function unknown({ id, decision }: DecisionToMake): Problem {
  const { title, detail } = decision === 'revoke' ? noConsent(id) : noOpenAuthorisation(id);
  return absent(title, 'authorisations', detail ?? 'It is unknown, or was forgotten by a reset.');
}

const isKnown = (main: Database, id: string): boolean =>
  [findAuthorisation, findPayment, findConsent, findBasket].some((find) => find(main, id) !== undefined);

function shownAuthorisation(main: Database, authorisation: KeptAuthorisation) {
  const { authorisationId, parentKind, parentId, approach, scaStatus, psuId = null } = authorisation;
  const { createdAt, updatedAt } = authorisation;
  const about = shownParent(main, authorisation);
  return {
    authorisationId,
    parentKind,
    parentId,
    approach,
    scaStatus,
    psuId,
    createdAt,
    updatedAt,
    ...about,
  };
}

/** What the PSU is asked to authorise. */
function shownParent(main: Database, { parentKind, parentId }: KeptAuthorisation) {
  if (parentKind === 'consent') return { access: findConsent(main, parentId)?.access };
  if (parentKind === 'basket') {
    const { paymentIds = [], consentIds = [] } = findBasket(main, parentId) ?? {};
    return { basket: { paymentIds, consentIds } };
  }
  const payment = findPayment(main, parentId);
  return payment && { order: shownOrder(payment, mostTransfers.brief) };
}
