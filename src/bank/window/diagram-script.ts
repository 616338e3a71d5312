/** The sequence of a payment as a drawing, and the same in words. */
export const diagramScript = String.raw`
import { el, empty, svg, visible } from './dom.js';

const actors = { tpp: 'TPP', bank: 'Bank', psu: 'PSU' };
const lane = 240;
const height = 36;
const top = 52;

/** What happened to a payment in the order of the bank's events: calls with their answers, statuses, and the PSU. */
export function sequenceOf({ calls, statuses, authorisations }) {
  const events = [
    ...calls.map((call) => ({ order: call.order, call })),
    ...statuses.map((one) => ({ order: one.order, at: one.at, note: 'status ' + one.status })),
    ...authorisations.map((one) => ({ order: one.order, at: one.at, sca: one })),
  ].sort((a, b) => a.order - b.order);
  const steps = [];
  const note = ({ note: text, sca }) =>
    steps.push({ from: 'bank', to: 'bank', text: text ?? 'authorisation ' + sca.scaStatus });
  /** What happened without a call: the PSU, or time. */
  const alone = (event) => {
    if (event.sca?.scaStatus === 'finalised' && event.sca.psuId !== null)
      steps.push({ from: 'psu', to: 'bank', text: event.sca.psuId + ': finalised' });
    else note(event);
  };
  let waiting = [];
  for (const event of events) {
    if (event.call === undefined) {
      waiting.push(event);
      continue;
    }
    const { call } = event;
    // What a call changes is noted before the call is, and a read changes nothing.
    const within = (one) => call.method !== 'GET' && one.at >= call.at;
    waiting.filter((one) => !within(one)).forEach(alone);
    steps.push({ from: 'tpp', to: 'bank', text: call.method + ' ' + (call.operation ?? call.path), number: call.number });
    waiting.filter(within).forEach(note);
    waiting = [];
    steps.push({ from: 'bank', to: 'tpp', text: (call.status ?? 'no answer') + (call.code === null ? '' : ' ' + call.code),
      answer: true, number: call.number });
  }
  waiting.forEach(alone);
  return steps;
}

const clip = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

function arrow({ from, to, text, answer, number }, x, y) {
  const label = visible((number === undefined ? '' : number + '  ') + text);
  if (from === to)
    return [
      svg('rect', { class: 'note', x: x(from) - 100, y: y - 13, width: 200, height: 20, rx: 4 }),
      svg('text', { x: x(from), y: y + 1 }, clip(label, 30)),
    ];
  const back = x(to) < x(from) ? 8 : -8;
  return [
    svg('line', { class: answer ? 'answer' : 'request', x1: x(from), y1: y, x2: x(to), y2: y }),
    svg('path', { d: 'M' + x(to) + ' ' + y + ' l' + back + ' -4 v8 z' }),
    svg('text', { x: (x(from) + x(to)) / 2, y: y - 6 }, clip(label, 34)),
  ];
}

/** The drawing; its words stand in a list below it for who cannot see it. */
export function diagram(steps) {
  if (steps.length === 0) return empty('Nothing of it is kept any more.');
  const lanes = Object.keys(actors).filter((one) => one !== 'psu' || steps.some(({ from }) => from === 'psu'));
  const x = (actor) => lane / 2 + lanes.indexOf(actor) * lane;
  const size = [lanes.length * lane, top + steps.length * height + 8];
  return [
    el('div', { class: 'drawing', tabindex: '0', role: 'group', 'aria-label': 'Drawing of the sequence' },
      svg('svg', { role: 'img', 'aria-label': 'Sequence of ' + steps.length + ' steps; the list below says the same',
        viewBox: '0 0 ' + size.join(' '), width: size[0], height: size[1] },
      lanes.map((one) => [
        svg('rect', { x: x(one) - 60, y: 6, width: 120, height: 28, rx: 4 }),
        svg('text', { x: x(one), y: 25, class: 'actor' }, actors[one]),
        svg('line', { class: 'life', x1: x(one), y1: 34, x2: x(one), y2: size[1] - 4 }),
      ]),
      steps.map((step, at) => arrow(step, x, top + at * height + 20)))),
    el('details', { id: 'sequence-words' },
      el('summary', undefined, 'The sequence in words'),
      el('ol', undefined, steps.map(({ from, to, text, number }) => el('li', undefined,
        from === to ? actors[from] : actors[from] + ' to ' + actors[to], ': ',
        number === undefined ? el('strong', undefined, text)
          : el('a', { href: '#/calls/' + number }, text))))),
  ];
}
`;
