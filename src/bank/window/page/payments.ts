import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { waiting } from './authorisations.ts';
import { callList } from './calls.ts';
import { box, dayTime, el, facts, put, empty, svg, visible } from './dom.ts';
import { orderFacts, sumsText, transfersTable, whoToWhom } from './order.ts';
import { refreshing } from './refreshing.ts';
import { back, life, lifeText, newest, section, showList, status } from './resource-list.ts';
import { callsOf, payments, stepsOfAuthorisations } from './store.ts';
import type { Child } from './dom.ts';
import type { AuthorisationStep, KnownCall, StatusStep } from './store.ts';

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

const actors = { tpp: 'TPP', bank: 'Bank', psu: 'PSU' };
type Actor = keyof typeof actors;
const lane = 240;
const height = 36;
const top = 52;

/** An arrow of the drawing, or a note where it leads back to its actor; `number` is that of a call. */
interface Arrow {
  from: Actor;
  to: Actor;
  text: string;
  number?: number;
  isAnswer?: true;
}

/** What happened without a call. */
interface Change {
  order: number;
  at: string | undefined;
  text: string;
  /** The PSU who ended an authorisation. */
  psuId?: string;
}

/** The parts of the life of a payment. */
interface Life {
  calls: readonly KnownCall[];
  statuses: readonly StatusStep[];
  authorisations: readonly AuthorisationStep[];
}

const changeOf = ({ order, at, scaStatus, psuId }: AuthorisationStep): Change => ({
  order,
  at,
  text: `authorisation ${scaStatus}`,
  ...(scaStatus === 'finalised' && psuId !== null && { psuId }),
});

const note = ({ text }: Change): Arrow => ({ from: 'bank', to: 'bank', text });

/** A change that no call made: the PSU did, or time. */
const alone = (change: Change): Arrow =>
  change.psuId === undefined ? note(change) : { from: 'psu', to: 'bank', text: `${change.psuId}: finalised` };

const request = ({ method, operation, path, number }: KnownCall): Arrow => ({
  from: 'tpp',
  to: 'bank',
  text: `${method} ${operation ?? path}`,
  number,
});

const answer = ({ status, code, number }: KnownCall): Arrow => ({
  from: 'bank',
  to: 'tpp',
  text: `${status ?? 'no answer'}${code === null ? '' : ` ${code}`}`,
  number,
  isAnswer: true,
});

/** What happened to a payment in the order of the bank's events: calls with their answers, statuses, and the PSU. */
function sequenceOf({ calls, statuses, authorisations }: Life): Arrow[] {
  const events: (Change | { order: number; call: KnownCall })[] = [
    ...calls.map((call) => ({ order: call.order, call })),
    ...statuses.map(({ order, at, status }) => ({ order, at, text: `status ${status}` })),
    ...authorisations.map(changeOf),
  ].sort((a, b) => a.order - b.order);
  const steps: Arrow[] = [];
  let waiting: Change[] = [];
  for (const event of events) {
    if (!('call' in event)) {
      waiting.push(event);
      continue;
    }
    const { call } = event;
    // The changes that a call makes are noted before the call is, and a read changes nothing.
    const isWithin = ({ at = '' }: Change) => call.method !== 'GET' && at >= call.at;
    steps.push(
      ...waiting.filter((one) => !isWithin(one)).map(alone),
      request(call),
      ...waiting.filter(isWithin).map(note),
      answer(call),
    );
    waiting = [];
  }
  return [...steps, ...waiting.map(alone)];
}

const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function arrow({ from, to, text, isAnswer, number }: Arrow, x: (actor: Actor) => number, y: number): Child {
  const label = visible((number === undefined ? '' : `${number}  `) + text);
  if (from === to)
    return [
      svg('rect', { class: 'note', x: x(from) - 100, y: y - 13, width: 200, height: 20, rx: 4 }),
      svg('text', { x: x(from), y: y + 1 }, clip(label, 30)),
    ];
  const back = x(to) < x(from) ? 8 : -8;
  return [
    svg('line', { class: isAnswer ? 'answer' : 'request', x1: x(from), y1: y, x2: x(to), y2: y }),
    svg('path', { d: `M${x(to)} ${y} l${back} -4 v8 z` }),
    svg('text', { x: (x(from) + x(to)) / 2, y: y - 6 }, clip(label, 34)),
  ];
}

/** The drawing; the list below it says the same in words, for a reader who cannot see it. */
function diagram(steps: readonly Arrow[]): Child {
  if (steps.length === 0) return empty('Nothing of it is kept any more.');
  const hasPsu = steps.some(({ from }) => from === 'psu');
  const lanes: Actor[] = hasPsu ? ['tpp', 'bank', 'psu'] : ['tpp', 'bank'];
  const x = (actor: Actor) => lane / 2 + lanes.indexOf(actor) * lane;
  const width = lanes.length * lane;
  const depth = top + steps.length * height + 8;
  const label = `Sequence of ${steps.length} steps; the list below says the same`;
  return [
    el(
      'div',
      { class: 'drawing', tabindex: '0', role: 'group', 'aria-label': 'Drawing of the sequence' },
      svg(
        'svg',
        { role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${depth}`, width, height: depth },
        lanes.map((one) => [
          svg('rect', { x: x(one) - 60, y: 6, width: 120, height: 28, rx: 4 }),
          svg('text', { x: x(one), y: 25, class: 'actor' }, actors[one]),
          svg('line', { class: 'life', x1: x(one), y1: 34, x2: x(one), y2: depth - 4 }),
        ]),
        steps.map((step, at) => arrow(step, x, top + at * height + 20)),
      ),
    ),
    el(
      'details',
      { id: 'sequence-words' },
      el('summary', 'The sequence in words'),
      el('ol', steps.map(inWords)),
    ),
  ];
}

const inWords = ({ from, to, text, number }: Arrow) =>
  el(
    'li',
    from === to ? actors[from] : `${actors[from]} to ${actors[to]}`,
    ': ',
    number === undefined ? el('strong', text) : el('a', { href: `#/calls/${number}` }, text),
  );
