/** Scenario, faults and clock, and the bank begun anew. */
export const behaviourScript = String.raw`
import { get, send } from './api.js';
import { button, dayTime, el, empty, put, say } from './dom.js';
import { refreshing } from './resources.js';

/** Acts, says what came of it, and shows the new state. */
async function doing(work, done, then) {
  try {
    await work();
    say(done, 'good');
    await then();
  } catch (error) {
    say(error.message);
  }
}

function clock(place) {
  const draw = async () => {
    const { now, movedMs } = await get('clock');
    at.textContent = dayTime(now) + (movedMs === 0 ? '' : ', moved by ' + Math.round(movedMs / 1000) + ' s');
  };
  const at = el('p', { id: 'now', class: 'big' });
  const move = (body, done) => () => doing(() => send('POST', 'clock', body), done, draw);
  const until = el('input', { id: 'until', placeholder: '2030-01-31T12:00:00Z', autocomplete: 'off' });
  put(place, el('h2', undefined, 'Clock'), at, el('div', { class: 'row' },
    button('One hour on', move({ move: '+1h' }, 'The clock is an hour on.')),
    button('One day on', move({ move: '+1d' }, 'The clock is a day on.')),
    button('Back to now', move({ reset: true }, 'The clock is that of the machine.'), { class: 'second' })),
    el('div', { class: 'row' }, el('label', undefined, 'Time to come, with its zone', until),
      button('Set the clock', () => move({ set: until.value }, 'The clock is set.')())));
  return refreshing(['reset'], draw);
}

function faults(place) {
  const list = el('div', { id: 'faults' });
  const draw = async () => {
    const found = (await get('faults')).faults;
    put(list, found.length === 0 ? empty('No fault is set.') : el('ul', undefined, found.map((one) =>
      el('li', undefined, one.operation + ': ' + one.kind + (one.status === undefined ? '' : ' ' + one.status)
        + (one.raw ? ' raw' : '') + (one.edit === undefined ? '' : ' ' + one.edit)
        + (one.delayMs === undefined ? '' : ' ' + one.delayMs + ' ms') + (one.count === 1 ? ', once' : ', ' + one.count + ' times')))));
  };
  const operation = el('input', { id: 'fault-operation', list: 'operations', value: '*', autocomplete: 'off' });
  const kind = el('select', { id: 'fault-kind' });
  const offerKinds = async () => {
    const { components } = await get('openapi.json');
    put(kind, components.schemas.FaultKind.enum.map((one) => el('option', { value: one }, one)));
  };
  void offerKinds();
  const number = (id, value) => el('input', { id, inputmode: 'numeric', value, autocomplete: 'off', size: '6' });
  const [count, answer, delay] = [number('fault-count', '1'), number('fault-status', ''), number('fault-delay', '')];
  const edit = el('input', { id: 'fault-edit', placeholder: '/pointer=VALUE', autocomplete: 'off' });
  const raw = el('input', { type: 'checkbox', id: 'fault-raw' });
  const wish = () => ({ operation: operation.value, kind: kind.value, count: Number(count.value),
    ...(answer.value !== '' && { status: Number(answer.value) }), ...(delay.value !== '' && { delayMs: Number(delay.value) }),
    ...(edit.value !== '' && { edit: edit.value }), ...(raw.checked && { raw: true }) });
  put(place, el('h2', undefined, 'Faults'), list, el('div', { class: 'row' },
    el('label', undefined, 'Operation', operation), el('label', undefined, 'Kind', kind),
    el('label', undefined, 'Times', count), el('label', undefined, 'Status', answer), el('label', undefined, 'Delay in ms', delay),
    el('label', undefined, 'Edit', edit), el('label', { class: 'check' }, raw, 'Raw, as a gateway answers')),
  el('div', { class: 'row' },
    button('Add the fault', () => doing(() => send('POST', 'faults', wish()), 'The fault is set.', draw)),
    button('Clear all faults', () => doing(() => send('DELETE', 'faults'), 'No fault is set.', draw), { class: 'second' })));
  // A fault strikes so many calls and is gone.
  return refreshing(['call', 'reset'], draw);
}

function scenario(place) {
  const list = el('div', { class: 'switches' });
  const words = el('input', { id: 'switch-words', type: 'search', autocomplete: 'off', on: { input: () => draw() } });
  let switches = [];
  /** For a switch that also takes a number or a list. */
  const another = (name, { form, takes }) => {
    const field = el('input', { id: 'other-' + name, placeholder: form, autocomplete: 'off', size: '10',
      'aria-describedby': 'takes-' + name });
    return [
      el('div', { class: 'row' }, el('label', undefined, 'Another value of ' + name, field),
        button('Set', () => doing(() => send('PATCH', 'scenario', { [name]: field.value }),
          name + ' is ' + field.value + ' now.', read), { id: 'set-' + name, 'aria-label': 'Set ' + name, class: 'second' })),
      el('p', { class: 'quiet', id: 'takes-' + name }, 'It also takes ' + takes + '.'),
    ];
  };
  const one = ({ name, about, value, values, open }) => {
    const choose = el('select', { id: 'switch-' + name, 'aria-describedby': 'about-' + name, on: { change: () =>
      doing(() => send('PATCH', 'scenario', { [name]: choose.value }), name + ' is ' + choose.value + ' now.', read) } },
    values.map((each) => el('option', { value: each.value, selected: each.value === value }, each.value)));
    const meaning = values.find((each) => each.value === value)?.meaning ?? '';
    return el('div', { class: value === values[0]?.value ? 'switch' : 'switch changed' },
      el('label', { for: 'switch-' + name }, name), choose,
      el('p', { class: 'quiet', id: 'about-' + name }, about + ' ' + meaning + (meaning.endsWith('.') ? '' : '.')),
      open && another(name, open));
  };
  const draw = () => {
    const wanted = words.value.toLowerCase();
    put(list, switches.filter(({ name, about }) => (name + ' ' + about).toLowerCase().includes(wanted)).map(one));
  };
  const read = async () => {
    ({ switches } = await get('scenario'));
    draw();
  };
  put(place, el('h2', undefined, 'Scenario'),
    el('p', { class: 'quiet' }, 'Each switch is a legal variation that banks have; a changed one is marked.'),
    el('div', { class: 'row' }, el('label', undefined, 'Words in a switch', words)), list);
  return refreshing(['reset'], read);
}

function anew(place) {
  const sure = el('input', { type: 'checkbox', id: 'sure' });
  put(place, el('h2', undefined, 'Begin anew'),
    el('p', undefined, 'Payments, consents, calls, faults, scenario and clock go; people and accounts are as at first.'),
    el('div', { class: 'row' }, el('label', { class: 'check' }, sure, 'Forget everything'),
      button('Reset the bank', () => sure.checked
        ? doing(() => send('POST', 'reset'), 'The bank began anew.', () => location.reload())
        : say('Tick "Forget everything" first: a reset cannot be undone.'), { class: 'second' })));
}

export function showBehaviour(main) {
  const places = [0, 1, 2, 3].map(() => el('section', { class: 'card' }));
  put(main, el('h1', undefined, 'Behaviour'), places);
  anew(places[3]);
  const ends = [clock(places[0]), faults(places[1]), scenario(places[2])];
  return () => ends.forEach((end) => end());
}
`;
