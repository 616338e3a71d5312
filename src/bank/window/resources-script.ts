/** Payments, consents and authorisations: their life, and the hand of the PSU. */
export const resourcesScript = String.raw`
import { get, send } from './api.js';
import { badge, box, button, dayTime, el, empty, facts, foreign, put, say } from './dom.js';
import { callsOf, consents, onChange, payments, stepsOfAuthorisations } from './store.js';
import { callList } from './calls.js';
import { aboutFacts, accessFacts, orderFacts, sumsText, transfersTable, whoToWhom } from './order.js';
import { diagram, sequenceOf } from './diagram.js';

const ended = { ACSC: 'good', ACCC: 'good', ACSP: 'good', ACWC: 'good', valid: 'good', finalised: 'good', exempted: 'good',
  RJCT: 'bad', rejected: 'bad', revokedByPsu: 'bad', terminatedByTpp: 'bad', failed: 'bad', CANC: 'bad', expired: 'bad' };
export const status = (text) => badge(text, ended[text] ?? 'warn');

const life = (steps) => el('ol', { class: 'life' }, steps.map((one) =>
  el('li', undefined, status(one.status ?? one.scaStatus), ' ', one.at === undefined ? '' : dayTime(one.at))));

async function decide(decision, id, psuId, done) {
  try {
    const decided = await send('POST', 'decisions', { id, decision, ...(psuId && { psuId }) });
    say('Done: ' + (decided.scaStatus ?? decided.consentStatus ?? decision) + '.', 'good');
    await done();
  } catch (error) {
    say(error.message);
  }
}

function decisions(one, people, done) {
  const who = one.psuId === null
    ? el('select', { id: 'who-' + one.authorisationId }, people.map((psuId) => el('option', { value: psuId }, psuId)))
    : undefined;
  const act = (decision) => () => decide(decision, one.authorisationId, one.psuId ?? who?.value, done);
  const about = ' ' + one.parentKind + ' ' + one.parentId;
  return el('div', { class: 'row' },
    who && el('label', undefined, 'As PSU', who),
    button('Approve', act('approve'), { id: 'approve-' + one.authorisationId, 'aria-label': 'Approve' + about }),
    button('Refuse', act('refuse'), { id: 'refuse-' + one.authorisationId, class: 'second', 'aria-label': 'Refuse' + about }));
}

const places = { payment: 'payments', cancellation: 'payments', consent: 'consents' };

const authorisationCard = (one, people, done) => el('li', { class: 'card' },
  el('h2', undefined, one.parentKind + ' ', places[one.parentKind] === undefined ? one.parentId
    : el('a', { href: '#/' + places[one.parentKind] + '/' + encodeURIComponent(one.parentId) }, one.parentId)),
  facts([...aboutFacts(one), ['PSU', one.psuId ?? 'not known yet'], ['Approach', one.approach], ['scaStatus', one.scaStatus],
    ['Began', dayTime(one.createdAt)], ['Authorisation', one.authorisationId]]),
  decisions(one, people, done));

export function showAuthorisations(main) {
  const list = el('ul', { class: 'cards' });
  const count = el('p', { class: 'quiet' });
  put(main, el('h1', undefined, 'Open authorisations'),
    el('p', undefined, 'Approve and refuse stand for the PSU at the page or the app of the bank.'), count, list);
  return refreshing(['authorisation', 'decision', 'reset'], async () => {
    const [{ authorisations }, { people }] = await Promise.all([
      get('authorisations?open=true&newest=true&limit=' + most), get('people')]);
    put(count, atMost(authorisations));
    put(list, authorisations.length === 0 ? el('li', undefined, empty('Nothing waits for a PSU.'))
      : authorisations.map((one) => authorisationCard(one, people.map(({ psuId }) => psuId), () => undefined)));
  });
}

/** Runs now, and after each batch of events of these kinds, one run at a time; the result ends it. */
export function refreshing(kinds, work) {
  let again = false;
  let busy = false;
  const run = async () => {
    again = true;
    if (busy) return;
    busy = true;
    while (again) {
      again = false;
      try {
        await work();
      } catch (error) {
        say(error.message);
      }
      // What many calls change one after another is read for all of them.
      if (again) await new Promise((resolve) => setTimeout(resolve, 250));
    }
    busy = false;
  };
  void run();
  return onChange((seen) => {
    if (kinds.some((kind) => seen.has(kind))) void run();
  });
}

/** Lists show so many, the newest. */
const most = 200;
const atMost = (found) => found.length < most ? undefined : 'The newest ' + most + ' are shown.';

const row = (what, id, { at, is, money = undefined, state, more }) => el('li', undefined,
  el('a', { href: '#/' + what + '/' + encodeURIComponent(id), id: what + '-' + id },
    at && el('span', { class: 'time' }, dayTime(at)), el('span', { class: 'what' }, is),
    money && el('span', { class: 'money' }, money), status(state), el('span', { class: 'why' }, more)));

const lifeText = (steps) => steps.map((one) => one.status).join(' → ');

/** Parts of a line, those that there are, with a dot between them. */
const dotted = (parts) => parts.filter(Boolean).flatMap((part, at) => (at === 0 ? [part] : [' · ', part]));

function paymentRow({ paymentId, psuId, service, product, status: state, createdAt, order, history }) {
  const more = dotted([lifeText(history), order.standingOrder ? 'since ' + order.standingOrder.startDate
    : order.executeAt && 'on ' + order.executeAt.slice(0, 10), service + '/' + product, paymentId]);
  return row('payments', paymentId, { at: createdAt, is: whoToWhom(order, psuId), money: sumsText(order), state, more });
}

function consentRow({ consentId, psuId, tpp, status: state, recurring, frequencyPerDay, validUntil, access }) {
  const steps = consents.get(consentId) ?? [];
  const is = [foreign(psuId ?? 'A PSU not known yet'), ' lets ', foreign(tpp), ' see '
    + accessFacts(access).map(([name, value]) => name + ': ' + value).join('; ')];
  const more = dotted([lifeText(steps), recurring ? frequencyPerDay + ' a day' : 'once', 'until ' + validUntil, consentId]);
  return row('consents', consentId, { at: steps[0]?.at, is, state, more });
}

function showList(main, title, what, query, rowOf) {
  const count = el('p', { class: 'quiet' });
  const list = el('ol', { class: 'calls' });
  put(main, el('h1', undefined, title), count, list);
  return refreshing([what.slice(0, -1), 'reset'], async () => {
    const found = (await get(what + '?newest=true&limit=' + most + query))[what];
    put(count, atMost(found));
    put(list, found.length === 0 ? el('li', undefined, empty('There is none yet.')) : found.map(rowOf));
  });
}

export const showPayments = (main, id) =>
  id === undefined ? showList(main, 'Payments', 'payments', '&brief=true', paymentRow) : showPayment(main, id);

export const showConsents = (main, id) =>
  id === undefined ? showList(main, 'Consents', 'consents', '', consentRow) : showConsent(main, id);

const back = (what) => el('p', { class: 'back always' }, el('a', { href: '#/' + what }, 'All ' + what));

/** What waits for the PSU of a resource. */
async function waiting(id, done) {
  const [{ authorisations }, { people }] = await Promise.all([
    get('authorisations?open=true&limit=1000'), get('people')]);
  const mine = authorisations.filter((one) => one.parentId === id);
  return mine.length === 0 ? undefined : el('section', undefined, el('h2', undefined, 'Waits for the PSU'),
    el('ul', { class: 'cards' }, mine.map((one) => authorisationCard(one, people.map(({ psuId }) => psuId), done))));
}

function showPayment(main, id) {
  const place = el('div', undefined);
  put(main, back('payments'), el('h1', undefined, 'Payment ' + id), place);
  const draw = async () => {
    const one = await get('payments/' + encodeURIComponent(id));
    const calls = callsOf(id, one.requestId);
    const steps = sequenceOf({ calls, statuses: payments.get(id) ?? [], authorisations: stepsOfAuthorisations(id) });
    put(place,
      facts([['transactionStatus', status(one.status)], ...orderFacts(one.order), ['Product', one.service + '/' + one.product],
        ['PSU', one.psuId], ['TPP', one.tpp], ['Made', dayTime(one.createdAt)], ['X-Request-ID', one.requestId]]),
      el('section', undefined, el('h2', undefined, 'Who is paid'), transfersTable(one.order)),
      await waiting(id, draw),
      el('section', undefined, el('h2', undefined, 'Life'), life(one.history)),
      el('section', { id: 'sequence' }, el('h2', undefined, 'Sequence'), diagram(steps)),
      el('section', undefined, el('h2', undefined, 'Calls'), callList(calls.reverse())),
      el('section', undefined, el('h2', undefined, 'Body'), box(one.body, 'Body of the payment')));
  };
  return refreshing(['payment', 'authorisation', 'decision', 'call', 'reset'], draw);
}

function showConsent(main, id) {
  const place = el('div', undefined);
  put(main, back('consents'), el('h1', undefined, 'Consent ' + id), place);
  const draw = async () => {
    const one = await get('consents/' + encodeURIComponent(id));
    put(place,
      facts([['consentStatus', status(one.status)], ...accessFacts(one.access), ['PSU', one.psuId], ['TPP', one.tpp],
        ['Kind', one.recurring ? 'recurring, ' + one.frequencyPerDay + ' a day' : 'once'], ['Valid until', one.validUntil]]),
      await waiting(id, draw),
      one.status === 'valid' && el('div', { class: 'row' },
        button('Revoke as the PSU', () => decide('revoke', id, one.psuId, draw), { id: 'revoke', class: 'second' })),
      el('section', undefined, el('h2', undefined, 'Life'), life(consents.get(id) ?? [{ status: one.status }])),
      el('section', undefined, el('h2', undefined, 'Access'), box(JSON.stringify(one.access, null, 2), 'Access')),
      el('section', undefined, el('h2', undefined, 'Calls'), callList(callsOf(id).reverse())));
  };
  return refreshing(['consent', 'authorisation', 'decision', 'call', 'reset'], draw);
}
`;
