// Scenario, faults and clock, and the reset of the bank.
import { ask } from './api.ts';
import type { AnswerAt } from './api.ts';
import { button, dayTime, el, empty, messageOf, put, say, searchField, sideBySide } from './dom.ts';
import { refreshing } from './refreshing.ts';

/** Acts, says the result, and shows the new state. */
async function doing(work: () => Promise<unknown>, done: string, then: () => unknown): Promise<void> {
  try {
    await work();
    say(done, 'good');
    await then();
  } catch (error) {
    say(messageOf(error));
  }
}

function showClock(place: Element): () => void {
  const at = el('p', { id: 'now', class: 'big' });
  const draw = async () => {
    const { now, movedMs } = await ask('GET /clock');
    at.textContent = dayTime(now) + (movedMs === 0 ? '' : `, moved by ${Math.round(movedMs / 1000)} s`);
  };
  const move = (body: { move?: string; set?: string; reset?: boolean }, done: string) =>
    doing(() => ask('POST /clock', { body }), done, draw);
  const until = el('input', { id: 'until', placeholder: '2030-01-31T12:00:00Z', autocomplete: 'off' });
  put(
    place,
    el('h2', 'Clock'),
    at,
    sideBySide(
      button('One hour on', () => move({ move: '+1h' }, 'The clock is an hour on.')),
      button('One day on', () => move({ move: '+1d' }, 'The clock is a day on.')),
      button('Back to now', () => move({ reset: true }, 'The clock is that of the machine.'), {
        class: 'second',
      }),
    ),
    sideBySide(
      el('label', 'Time to come, with its zone', until),
      button('Set the clock', () => move({ set: until.value }, 'The clock is set.')),
    ),
  );
  return refreshing(['reset'], draw);
}

type Fault = AnswerAt<'GET /faults'>['faults'][number];

function faultText({ operation, kind, status, raw, edit, delayMs, count }: Fault): string {
  const delay = delayMs === undefined ? undefined : `${delayMs} ms`;
  const parts = [`${operation}: ${kind}`, status, raw === true ? 'raw' : undefined, edit, delay];
  const shown = parts.filter((part) => part !== undefined);
  return `${shown.join(' ')}${count === 1 ? ', once' : `, ${count} times`}`;
}

function showFaults(place: Element): () => void {
  const list = el('div', { id: 'faults' });
  const draw = async () => {
    const { faults } = await ask('GET /faults');
    put(
      list,
      faults.length === 0
        ? empty('No fault is set.')
        : el(
            'ul',
            faults.map((one) => el('li', faultText(one))),
          ),
    );
  };
  const { fields, wish } = faultFields();
  const add = () => doing(() => ask('POST /faults', { body: wish() }), 'The fault is set.', draw);
  const clear = () => doing(() => ask('DELETE /faults'), 'No fault is set.', draw);
  put(
    place,
    el('h2', 'Faults'),
    list,
    fields,
    sideBySide(button('Add the fault', add), button('Clear all faults', clear, { class: 'second' })),
  );
  // A fault ends after the number of calls that was set.
  return refreshing(['call', 'reset'], draw);
}

/** The part of the document of the control API that lists the kinds of faults. */
interface DocumentOfFaults {
  components: { schemas: { FaultKind: { enum: readonly string[] } } };
}

/** The fields of a new fault, and `wish`, which reads them. */
function faultFields() {
  const operation = el('input', {
    ...{ id: 'fault-operation', list: 'operations', value: '*', autocomplete: 'off' },
  });
  const kind = el('select', { id: 'fault-kind' });
  const offerKinds = async () => {
    const { components } = (await ask('GET /openapi.json')) as DocumentOfFaults;
    put(
      kind,
      components.schemas.FaultKind.enum.map((one) => el('option', { value: one }, one)),
    );
  };
  void offerKinds();
  const number = (id: string, value: string) =>
    el('input', { id, inputmode: 'numeric', value, autocomplete: 'off', size: '6' });
  const count = number('fault-count', '1');
  const status = number('fault-status', '');
  const delay = number('fault-delay', '');
  const edit = el('input', { id: 'fault-edit', placeholder: '/pointer=VALUE', autocomplete: 'off' });
  const raw = el('input', { type: 'checkbox', id: 'fault-raw' });
  const wish = () => ({
    operation: operation.value,
    kind: kind.value as Fault['kind'],
    count: Number(count.value),
    ...(status.value !== '' && { status: Number(status.value) }),
    ...(delay.value !== '' && { delayMs: Number(delay.value) }),
    ...(edit.value !== '' && { edit: edit.value }),
    ...(raw.checked && { raw: true as const }),
  });
  const fields = sideBySide(
    el('label', 'Operation', operation),
    el('label', 'Kind', kind),
    el('label', 'Times', count),
    el('label', 'Status', status),
    el('label', 'Delay in ms', delay),
    el('label', 'Edit', edit),
    el('label', { class: 'check' }, raw, 'Raw, as a gateway answers'),
  );
  return { fields, wish };
}

type Switch = AnswerAt<'GET /scenario'>['switches'][number];
type Change = (name: string, value: string) => Promise<void>;

/** The field of a switch that also takes a number or a list. */
function otherValue(name: string, { form, takes }: NonNullable<Switch['open']>, change: Change) {
  const describedBy = `takes-${name}`;
  const field = el('input', {
    ...{ id: `other-${name}`, placeholder: form, autocomplete: 'off', size: '10' },
    'aria-describedby': describedBy,
  });
  const set = button('Set', () => change(name, field.value), {
    ...{ id: `set-${name}`, 'aria-label': `Set ${name}`, class: 'second' },
  });
  return [
    sideBySide(el('label', `Another value of ${name}`, field), set),
    el('p', { class: 'quiet', id: describedBy }, `It also takes ${takes}.`),
  ];
}

function switchCard({ name, about, value, values, open }: Switch, change: Change) {
  const describedBy = `about-${name}`;
  const choice = el(
    'select',
    { id: `switch-${name}`, 'aria-describedby': describedBy },
    values.map((each) => el('option', { value: each.value, selected: each.value === value }, each.value)),
  );
  choice.addEventListener('change', () => void change(name, choice.value));
  const meaning = values.find((each) => each.value === value)?.meaning ?? '';
  return el(
    'div',
    { class: value === values[0]?.value ? 'switch' : 'switch changed' },
    el('label', { for: `switch-${name}` }, name),
    choice,
    el('p', { class: 'quiet', id: describedBy }, `${about} ${meaning}${meaning.endsWith('.') ? '' : '.'}`),
    open && otherValue(name, open, change),
  );
}

function showScenario(place: Element): () => void {
  let switches: readonly Switch[] = [];
  const list = el('div', { class: 'switches' });
  const words = searchField('switch-words');
  const change: Change = (name, value) =>
    doing(() => ask('PATCH /scenario', { body: { [name]: value } }), `${name} is ${value} now.`, read);
  const draw = () => {
    const wanted = words.value.toLowerCase();
    const shown = switches.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(wanted));
    put(
      list,
      shown.map((one) => switchCard(one, change)),
    );
  };
  const read = async () => {
    ({ switches } = await ask('GET /scenario'));
    draw();
  };
  words.addEventListener('input', draw);
  put(
    place,
    el('h2', 'Scenario'),
    el('p', { class: 'quiet' }, 'Each switch is a legal variation that banks have; a changed one is marked.'),
    sideBySide(el('label', 'Words in a switch', words)),
    list,
  );
  return refreshing(['reset'], read);
}

function showReset(place: Element): void {
  const sure = el('input', { type: 'checkbox', id: 'sure' });
  const reset = () => {
    if (!sure.checked) say('Tick "Forget everything" first: a reset cannot be undone.');
    else
      void doing(
        () => ask('POST /reset'),
        'The bank began anew.',
        () => {
          location.reload();
        },
      );
  };
  put(
    place,
    el('h2', 'Begin anew'),
    el('p', 'Payments, consents, calls, faults, scenario and clock go; people and accounts are as at first.'),
    sideBySide(
      el('label', { class: 'check' }, sure, 'Forget everything'),
      button('Reset the bank', reset, { class: 'second' }),
    ),
  );
}

export function showBehaviour(main: Element): () => void {
  const card = () => el('section', { class: 'card' });
  const [clock, faults, scenario, reset] = [card(), card(), card(), card()];
  put(main, el('h1', 'Behaviour'), clock, faults, scenario, reset);
  showReset(reset);
  const ends = [showClock(clock), showFaults(faults), showScenario(scenario)];
  return () => {
    for (const end of ends) end();
  };
}
