import {
  consentMoves,
  consentStatuses,
  transactionMoves,
  transactionStatuses,
} from '../../standard/xs2a/codes.ts';
import { frameworkNames, usualFramework } from '../../standard/xs2a/variants.ts';
import { paymentServices, products } from '../../standard/xs2a/products.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { flag, listOf, mapOf, may, needed, oneOf, usual } from '../../settings/documents/shape.ts';
import type { Shape, ValueOf } from '../../settings/documents/shape.ts';
import type { Node, PathPlace } from '../../settings/documents/document.ts';
import { ownTpp } from '../trust/own-tpp.ts';
import {
  bban,
  currency,
  date,
  iban,
  instant,
  integer,
  maskedPan,
  msisdn,
  pan,
  pattern,
  text,
} from './values.ts';

const id = pattern(/^[A-Za-z0-9_-]{1,100}$/, 'an id of letters, digits, - and _');

const referenceMap = mapOf(
  {
    iban: may('The IBAN.', iban),
    bban: may('The BBAN.', bban),
    msisdn: may('The mobile number.', msisdn),
    pan: may('The card number.', pan),
    maskedPan: may('The masked card number.', maskedPan),
    currency: may('One currency of a multicurrency account.', currency),
  },
  'An account of this bank.',
  ({ where, currency: _currency, ...ids }, wrong) => {
    if (Object.keys(ids).length !== 1) wrong(where, 'it names not exactly one account');
  },
);

const reference: typeof referenceMap = {
  ...referenceMap,
  schema: {
    ...referenceMap.schema,
    oneOf: ['iban', 'bban', 'msisdn', 'pan', 'maskedPan'].map((name) => ({ required: [name] })),
  },
};

const references = listOf(reference);

const everyAccount = oneOf(['allAccounts', 'allAccountsWithOwnerName']);

const accessMap = mapOf(
  {
    accounts: may('Accounts whose details may be read.', references),
    balances: may('Accounts whose balances may be read.', references),
    transactions: may('Accounts whose transactions may be read.', references),
    ownerName: may('Accounts whose owners may be told.', references),
    availableAccounts: may('A list of all accounts.', everyAccount),
    availableAccountsWithBalance: may('A list of all accounts with balances.', everyAccount),
    allPsd2: may('All accounts with balances and transactions.', everyAccount),
  },
  undefined,
  ({ where, ...rights }, wrong) => {
    if (Object.keys(rights).length === 0) wrong(where, 'it gives access to nothing');
  },
);

const former = usual(
  'It has ended, and its customer or an account of it is no longer at the bank; then they need not be in the file.',
  flag,
  false,
);
const tpp = usual("The organizationIdentifier of its TPP; the bank's own TPP without it.", text(256), ownTpp);
const notEnded = 'what has not ended concerns customers and accounts that are there';

const access: typeof accessMap = { ...accessMap, schema: { ...accessMap.schema, minProperties: 1 } };

const consent = mapOf(
  {
    consentId: may('Its id; without it one is made, always the same.', id),
    tpp,
    psuId: may('The customer whose accounts it concerns.', text(140)),
    authorisedBy: may(
      'The customers who have authorised it; without it psuId, where it is valid.',
      listOf(text(140)),
    ),
    access: needed('What may be read.', access),
    recurring: usual('More than one use; true without it.', flag, true),
    frequencyPerDay: usual('How often a day without the customer; 4 without it.', integer(1, 999_999), 4),
    validUntil: usual('The last day; 9999-12-31 without it.', date, '9999-12-31'),
    combined: usual('A payment of the same session follows.', flag, false),
    status: usual('Its status; valid without it.', oneOf(consentStatuses.map(({ code }) => code)), 'valid'),
    lastActionDate: may('The day of its last change; today without it.', date),
    dueAt: may('When it ends by itself.', instant),
    former,
  },
  undefined,
  ({ former, status }, wrong) => {
    if (former && consentMoves[status].length > 0) wrong('former', notEnded);
  },
);

/** The section `consents`. */
export const consents = listOf(consent);

/** A consent of the file. */
export type ConsentPlan = ValueOf<typeof consent>;

/** A body as JSON: the members of a payment are texts, but for those that the interface has as truth values. */
const truths = new Set(['batchBookingPreferred']);

type Body = { kind: 'text'; text: string } | { kind: 'json'; value: unknown };

const body: Shape<Body & { place: PathPlace }> = {
  schema: { type: ['object', 'string'] },
  read(node) {
    const place = { line: node.line, column: node.column, path: node.path };
    return node.kind === 'text'
      ? { kind: 'text', text: node.text, place }
      : { kind: 'json', value: plain(node), place };
  },
};

function plain(node: Node, key = ''): unknown {
  if (node.kind === 'list') return node.items.map((item) => plain(item));
  if (node.kind === 'map')
    return Object.fromEntries([...node.members].map(([name, { value }]) => [name, plain(value, name)]));
  return truths.has(key) && /^(true|false)$/.test(node.text) ? node.text === 'true' : node.text;
}

const paymentStatus = oneOf(transactionStatuses.map(({ code }) => code));

const payment = mapOf(
  {
    paymentId: may('Its id; without it one is made, always the same.', id),
    tpp,
    psuId: may('The customer who pays.', text(140)),
    service: usual('The payment service; payments without it.', oneOf(paymentServices), 'payments'),
    product: usual(
      'The payment product; sepa-credit-transfers without it.',
      oneOf(products),
      'sepa-credit-transfers',
    ),
    framework: usual(
      'The version of the interface in which it came; 1.3.6 without it.',
      oneOf(frameworkNames),
      usualFramework,
    ),
    contentType: may('The media type of the body; application/json without it.', text(200)),
    body: needed('The payment as the TPP has sent it: JSON as a map, XML as a text.', body),
    status: usual('Its status; RCVD without it.', paymentStatus, 'RCVD'),
    requestId: may('The X-Request-ID with which it came.', text(100)),
    createdAt: may('When it came; the start of the bank without it.', instant),
    booked: may('How often money has moved; from the status without it.', integer(0, 100_000)),
    cancelRequested: usual('A cancellation waits for its authorisation.', flag, false),
    stages: may(
      'What happens to it by itself; from the status without it.',
      listOf(
        mapOf({
          at: needed('When.', instant),
          status: may('The status that it gets.', paymentStatus),
          book: may('The money moves.', flag),
        }),
      ),
    ),
    rejected: usual(
      'The parts that were not executed.',
      listOf(
        mapOf({
          part: needed('The place in the payment, from 0.', integer(0, 1_000_000)),
          reason: needed('The reason of ISO 20022, such as AM04.', text(4)),
        }),
      ),
      [],
    ),
    history: may(
      'The statuses that it has had, with their times.',
      listOf(
        mapOf({
          status: needed('The status.', paymentStatus),
          at: needed('Since when.', instant),
        }),
      ),
    ),
    former,
  },
  undefined,
  ({ former, status }, wrong) => {
    if (former && transactionMoves[status].includes('RJCT')) wrong('former', notEnded);
  },
);

/** The section `payments`. */
export const payments = listOf(payment);

/** A payment of the file. */
export type PaymentPlan = ValueOf<typeof payment>;

/** A reference to an account as the wire has it. */
export function referenceFrom({ where: _where, ...ids }: ValueOf<typeof reference>): AccountReference {
  return ids;
}
