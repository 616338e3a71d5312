// Who pays whom how much, and what a consent lets a TPP see.
import type { AnswerAt } from './api.ts';
import { el, foreign, headings } from './dom.ts';
import type { Child, Fact } from './dom.ts';

type Order = AnswerAt<'GET /payments/{paymentId}'>['order'];
type Account = Order['debtorAccount'];

/** An account as a TPP has named it. */
const accountText = ({ currency, ...numbers }: Account) =>
  [...Object.values(numbers).filter((one) => typeof one === 'string'), currency].filter(Boolean).join(' ');

export const sumsText = ({ sums }: Pick<Order, 'sums'>) =>
  sums.map(({ amount, currency }) => `${amount} ${currency}`).join(' + ');

/** Payer and payees in one line; the direction of foreign names does not reach beyond them. */
export const whoToWhom = (
  { debtorAccount, count, transfers: [first] }: Order,
  psuId: string | null,
): Child => [
  foreign((psuId === null ? '' : `${psuId}, `) + accountText(debtorAccount)),
  ' pays ',
  foreign(first?.creditorName ?? ''),
  count > 1 ? ` and ${count - 1}${count === 2 ? ' other' : ' others'}` : '',
];

const standingText = (one: Order['standingOrder']) =>
  one &&
  Object.entries(one)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

export const orderFacts = (order: Order): Fact[] => [
  ['Payer', accountText(order.debtorAccount)],
  ['Amount', sumsText(order)],
  ['Transfers', order.count === 1 ? undefined : order.count],
  [
    'Not before',
    order.executeAt?.slice(0, order.executeAt.endsWith('T00:00:00.000Z') ? 10 : 16).replace('T', ' '),
  ],
  ['Standing order', standingText(order.standingOrder)],
];

const transferRow = (one: Order['transfers'][number]) =>
  el(
    'tr',
    el(
      'th',
      { scope: 'row' },
      el('div', one.creditorName),
      el('div', { class: 'quiet' }, one.creditorAccount),
    ),
    el(
      'td',
      `${one.amount} ${one.currency}`,
      one.rejected !== null && el('div', { class: 'bad' }, `not executed: ${one.rejected}`),
    ),
    el('td', one.remittance ?? ''),
  );

/** The transfers of a payment, with the reason where the bank did not execute one. */
export const transfersTable = ({ count, transfers }: Order): Child => [
  count > transfers.length &&
    el('p', { class: 'quiet' }, `The first ${transfers.length} of ${count}; the body below has all.`),
  el(
    'table',
    { class: 'transfers' },
    el('caption', 'Transfers'),
    headings(['Payee', 'Amount', 'Text']),
    el('tbody', transfers.map(transferRow)),
  ),
];

const few = 3;

/** What a consent is about: pairs of a name and its accounts, or the kind of all of them. */
export const accessFacts = (access: object = {}): [string, string][] =>
  Object.entries(access).flatMap(([name, value]: [string, string | object]) => {
    if (typeof value === 'string') return [[name, value]];
    return Array.isArray(value) ? [[name, accountsText(value as Account[])]] : accessFacts(value);
  });

function accountsText(accounts: readonly (Account | string)[]): string {
  const named = accounts.slice(0, few).map((one) => (typeof one === 'string' ? one : accountText(one)));
  const more = accounts.length > few ? ` and ${accounts.length - few} more` : '';
  return accounts.length === 0 ? 'to be chosen by the PSU' : named.join(', ') + more;
}

const linksTo = (what: string, ids: readonly string[]): Child =>
  ids.length === 0
    ? undefined
    : ids.map((id, at) => [
        at === 0 ? '' : ', ',
        el('a', { href: `#/${what}/${encodeURIComponent(id)}` }, id),
      ]);

/** What an authorisation is for. */
interface About {
  parentKind: string;
  order?: Order;
  access?: object | undefined;
  basket?: { paymentIds: readonly string[]; consentIds: readonly string[] };
}

/** What a PSU is asked to authorise. */
export function aboutFacts({ order, access, basket }: About): Fact[] {
  if (order !== undefined)
    return [
      ...orderFacts(order),
      ['Payee', order.transfers[0]?.creditorName],
      ['Payee account', order.transfers[0]?.creditorAccount],
    ];
  if (basket !== undefined)
    return [
      ['Payments', linksTo('payments', basket.paymentIds)],
      ['Consents', linksTo('consents', basket.consentIds)],
    ];
  return accessFacts(access);
}
