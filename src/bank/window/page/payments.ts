// Payments and their life.
import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { waiting } from './authorisations.ts';
import { callList } from './calls.ts';
import { diagram, sequenceOf } from './diagram.ts';
import { box, dayTime, el, facts, put } from './dom.ts';
import { orderFacts, sumsText, transfersTable, whoToWhom } from './order.ts';
import { refreshing } from './refreshing.ts';
import { back, life, lifeText, newest, section, showList, status } from './resource-list.ts';
import { callsOf, payments, stepsOfAuthorisations } from './store.ts';

type Payment = AnswerAt<'GET /payments/{paymentId}'>;

function lineOf(one: Payment) {
  const { paymentId: id, psuId, service, product, createdAt: at, order, history } = one;
  const { standingOrder, executeAt } = order;
  const from =
    standingOrder === null ? executeAt && `on ${executeAt.slice(0, 10)}` : `since ${standingOrder.startDate}`;
  const more = [lifeText(history), from ?? undefined, `${service}/${product}`, id];
  return { id, at, is: whoToWhom(order, psuId), money: sumsText(order), state: one.status, more };
}

export const showPayments = (main: Element, id?: string) =>
  id === undefined
    ? showList(main, {
        title: 'Payments',
        what: 'payments',
        read: async () =>
          (await ask('GET /payments', { query: { ...newest, brief: 'true' } })).payments.map(lineOf),
      })
    : showPayment(main, id);

function showPayment(main: Element, id: string): () => void {
  const place = el('div');
  put(main, back('payments'), el('h1', `Payment ${id}`), place);
  const draw = async () => {
    const one = await ask('GET /payments/{paymentId}', { path: { paymentId: id } });
    const calls = callsOf(id, one.requestId);
    const statuses = payments.get(id) ?? [];
    const steps = sequenceOf({ calls, statuses, authorisations: stepsOfAuthorisations(id) });
    put(
      place,
      factsOf(one),
      section('Who is paid', transfersTable(one.order)),
      await waiting(id, draw),
      section('Life', life(one.history)),
      el('section', { id: 'sequence' }, el('h2', 'Sequence'), diagram(steps)),
      section('Calls', callList(calls.reverse())),
      section('Body', box(one.body, 'Body of the payment')),
    );
  };
  return refreshing(['payment', 'authorisation', 'decision', 'call', 'reset'], draw);
}

const factsOf = (one: Payment) =>
  facts([
    ['transactionStatus', status(one.status)],
    ...orderFacts(one.order),
    ['Product', `${one.service}/${one.product}`],
    ['PSU', one.psuId],
    ['TPP', one.tpp],
    ['Made', dayTime(one.createdAt)],
    ['X-Request-ID', one.requestId],
  ]);
