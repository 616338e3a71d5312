/** People with what a test needs to authorise, and their accounts with balances. */
export const peopleScript = String.raw`
import { get } from './api.js';
import { el, facts, put } from './dom.js';
import { refreshing } from './resources.js';

const money = ({ iban, bban, msisdn, maskedPan, currency, balance }) => el('tr', undefined,
  el('th', { scope: 'row' }, iban || bban || msisdn || maskedPan || ''), el('td', { class: 'amount' }, balance),
  el('td', undefined, currency));

const card = (one) => el('li', { class: 'card' },
  el('h2', undefined, one.psuId),
  el('p', { class: 'quiet' }, one.description),
  one.locked && el('p', { class: 'bad' }, 'Locked after too many wrong secrets.'),
  facts([['PSU-Corporate-ID', one.corporateId], ['Approach', one.approach + ', ' + one.start], ['Methods', one.methods.map(({ name }) => name).join(', ')],
    ['Password', one.password], ['Second password', one.additionalPassword], ['One-time password', one.otp]]),
  el('table', undefined, el('caption', undefined, 'Accounts of ' + one.psuId),
    el('thead', undefined, el('tr', undefined, ['Account', 'Balance', 'Currency'].map((name) => el('th', { scope: 'col' }, name)))),
    el('tbody', undefined, [...one.accounts, ...one.cards].map(money))));

export function showPeople(main) {
  const list = el('ul', { class: 'cards' });
  const words = el('input', { id: 'people-words', type: 'search', autocomplete: 'off', on: { input: () => draw() } });
  put(main, el('h1', undefined, 'People'),
    el('div', { class: 'row' }, el('label', undefined, 'Words in name or description', words)), list);
  let people = [];
  const draw = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    put(list, people.filter((one) => {
      const text = [one.psuId, one.description, one.approach, ...one.accounts.map(({ iban }) => iban)].join(' ').toLowerCase();
      return wanted.every((word) => text.includes(word));
    }).map(card));
  };
  return refreshing(['payment', 'call', 'reset'], async () => {
    ({ people } = await get('people'));
    draw();
  });
}
`;
