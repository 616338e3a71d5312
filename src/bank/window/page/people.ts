// People with what a test needs to authorise, and their accounts with balances.
import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { el, facts, headings, put, searchField, sideBySide, wordsIn } from './dom.ts';
import { refreshing } from './refreshing.ts';

type Person = AnswerAt<'GET /people'>['people'][number];
type Money = Partial<Record<'iban' | 'bban' | 'msisdn' | 'maskedPan', string>> &
  Pick<Person['accounts'][number], 'currency' | 'balance'>;

const money = ({ iban, bban, msisdn, maskedPan, currency, balance }: Money) =>
  el(
    'tr',
    el('th', { scope: 'row' }, iban || bban || msisdn || maskedPan || ''),
    el('td', { class: 'amount' }, balance),
    el('td', currency),
  );

const card = (one: Person) =>
  el(
    'li',
    { class: 'card' },
    el('h2', one.psuId),
    el('p', { class: 'quiet' }, one.description),
    one.locked && el('p', { class: 'bad' }, 'Locked after too many wrong secrets.'),
    facts([
      ['PSU-Corporate-ID', one.corporateId],
      ['Approach', `${one.approach}, ${one.start}`],
      ['Methods', one.methods.map(({ name }) => name).join(', ')],
      ['Password', one.password],
      ['Second password', one.additionalPassword],
      ['One-time password', one.otp],
    ]),
    el(
      'table',
      el('caption', `Accounts of ${one.psuId}`),
      headings(['Account', 'Balance', 'Currency']),
      el('tbody', [...one.accounts, ...one.cards].map(money)),
    ),
  );

function matches({ psuId, description, approach, accounts }: Person, words: readonly string[]): boolean {
  const text = [psuId, description, approach, ...accounts.map(({ iban }) => iban)].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

export function showPeople(main: Element): () => void {
  let people: readonly Person[] = [];
  const list = el('ul', { class: 'cards' });
  const words = searchField('people-words');
  const draw = () => {
    put(list, people.filter((one) => matches(one, wordsIn(words))).map(card));
  };
  words.addEventListener('input', draw);
  put(main, el('h1', 'People'), sideBySide(el('label', 'Words in name or description', words)), list);
  return refreshing(['payment', 'call', 'reset'], async () => {
    ({ people } = await ask('GET /people'));
    draw();
  });
}
