/** Who pays whom how much, and what a consent lets a TPP see. */
export const orderScript = String.raw`
import { el, foreign } from './dom.js';

/** An account as a TPP has named it. */
const accountText = ({ currency, ...numbers }) =>
  [...Object.values(numbers).filter((one) => typeof one === 'string'), currency].filter(Boolean).join(' ');

export const sumsText = ({ sums }) => sums.map(({ amount, currency }) => amount + ' ' + currency).join(' + ');

/** Payer and payees in one line; the names of others keep their direction to themselves. */
export const whoToWhom = ({ debtorAccount, count, transfers: [first] }, psuId) => [
  foreign((psuId === null ? '' : psuId + ', ') + accountText(debtorAccount)), ' pays ', foreign(first?.creditorName ?? ''),
  count > 1 ? ' and ' + (count - 1) + (count === 2 ? ' other' : ' others') : '',
];

const standingText = (one) => one && Object.entries(one).map(([name, value]) => name + ' ' + value).join(', ');

export const orderFacts = (order) => [
  ['Payer', accountText(order.debtorAccount)],
  ['Amount', sumsText(order)],
  ['Transfers', order.count === 1 ? undefined : order.count],
  ['Not before', order.executeAt?.slice(0, order.executeAt.endsWith('T00:00:00.000Z') ? 10 : 16).replace('T', ' ')],
  ['Standing order', standingText(order.standingOrder)],
];

/** The transfers of a payment, with the reason where the bank did not execute one. */
export const transfersTable = ({ count, transfers }) => [
  count > transfers.length
    && el('p', { class: 'quiet' }, 'The first ' + transfers.length + ' of ' + count + '; the body below has all.'),
  el('table', { class: 'transfers' }, el('caption', undefined, 'Transfers'),
    el('thead', undefined, el('tr', undefined, ['Payee', 'Amount', 'Text'].map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', undefined, transfers.map((one) => el('tr', undefined,
      el('th', { scope: 'row' }, el('div', undefined, one.creditorName), el('div', { class: 'quiet' }, one.creditorAccount)),
      el('td', undefined, one.amount + ' ' + one.currency,
        one.rejected && el('div', { class: 'bad' }, 'not executed: ' + one.rejected)),
      el('td', undefined, one.remittance ?? ''))))),
];

const few = 3;

/** What a consent is about: pairs of a name and its accounts, or the kind of all of them. */
export const accessFacts = (access) => Object.entries(access ?? {}).flatMap(([name, value]) => {
  if (typeof value === 'string') return [[name, value]];
  if (!Array.isArray(value)) return accessFacts(value);
  const named = value.slice(0, few).map((one) => (typeof one === 'string' ? one : accountText(one))).join(', ');
  const more = value.length > few ? ' and ' + (value.length - few) + ' more' : '';
  return [[name, value.length === 0 ? 'to be chosen by the PSU' : named + more]];
});

const linksTo = (what, ids) => ids.length === 0 ? undefined
  : ids.map((id, at) => [at === 0 ? '' : ', ', el('a', { href: '#/' + what + '/' + encodeURIComponent(id) }, id)]);

/** What a PSU is asked to authorise. */
export function aboutFacts({ order, access, basket }) {
  if (order !== undefined)
    return [...orderFacts(order), ['Payee', order.transfers[0]?.creditorName], ['Payee account', order.transfers[0]?.creditorAccount]];
  if (basket !== undefined)
    return [['Payments', linksTo('payments', basket.paymentIds)], ['Consents', linksTo('consents', basket.consentIds)]];
  return accessFacts(access);
}
`;
