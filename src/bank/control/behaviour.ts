import type { ValueOf } from '../../base/schema.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import { operationNamed } from '../../standard/xs2a/variants.ts';
import { nearest } from '../../base/nearest.ts';
import type { BankFault, BankScenario } from '../../settings/records/bank-state.ts';
import { detailKinds, faultKinds } from '../../settings/records/fault-kinds.ts';
import { moveClock, movedMs, noMove } from '../books/clock.ts';
import { addFault, allFaults, clearFaults } from '../rules/faults.ts';
import type { Switch as BankSwitch } from '../rules/policy.ts';
import {
  meanings,
  needUnpinned,
  scenarioOf,
  setScenario,
  switches,
  switchOf,
  takenBy,
  takes,
} from '../rules/scenario.ts';
import type { Scenario } from '../rules/scenario.ts';
import { duly, pointing, problemOf } from './control-call.ts';
import type { ControlCall, Operations } from './control-call.ts';
import { badRequest, didYouMean } from './problem.ts';
import type { Problem } from './problem.ts';
import { flag, integer, list, named, object, text, textUpTo, within, words } from '../openapi/schema.ts';

const someSwitches = {
  switches: [
    {
      name: 'bulk',
      about: 'Of a bulk payment',
      value: 'whole',
      values: [
        { value: 'whole', meaning: 'every entry is booked' },
        { value: 'partial', meaning: 'the last entry is rejected: PART' },
      ],
    },
  ],
};

const fault = { operation: 'getPaymentInitiationStatus', kind: 'status', status: 503, count: 2 };

const someTime = { now: '2026-11-24T10:00:00.000Z', movedMs: 86400000 };

const Switch = named(
  'Switch',
  object(
    {
      name: text(),
      about: text(),
      value: text('As it is now.'),
      values: list(
        object({ value: text(), meaning: text() }),
        'The first is the standard. The value as it is now is among them.',
      ),
    },
    {
      open: object(
        { form: text('A form such as of-N.'), takes: text('The values of this form, in words.') },
        {},
        'There where the switch also takes a number or a list.',
      ),
    },
  ),
);

const ScenarioChange = named('ScenarioChange', {
  type: 'object',
  description: 'Names of switches with their new values.',
  minProperties: 1,
  maxProperties: 100,
  additionalProperties: { type: 'string' },
});

const FaultKind = named(
  'FaultKind',
  words(
    faultKinds,
    'drop-before and drop-after-commit cut the connection, before or after the bank has acted; status answers with one; delay waits; html, truncate, drip and escape spoil the answer; redirect answers 307; edit writes one thing of the answer otherwise; push-lost, push-twice, push-out-of-order and push-foreign-certificate spoil the notifications of what the operation makes.',
  ),
);

const status = within(
  200,
  599,
  'Of the kinds status and html; that of status is lawful (tppMessages, X-Request-ID) unless raw.',
);
const rest = {
  raw: flag('Answers with the status alone, as a gateway in front of a bank does.'),
  edit: text('Of the kind edit: status=200, body=TEXT, NAME:=VALUE, NAME:, /pointer=VALUE or /pointer.'),
};

const Fault = named(
  'Fault',
  object(
    {
      operation: text('An operation of the interface, or * for all.'),
      kind: FaultKind,
      count: integer('How many requests it still strikes.', { minimum: 1 }),
    },
    {
      status,
      delayMs: within(0, 600000, 'Of the kinds delay (2000 without it) and drip (1000 without it).'),
      ...rest,
    },
  ),
);

const NewFault = named(
  'NewFault',
  object(
    {
      operation: text('An operation of the interface such as initiatePayment, or * for all.', {
        minLength: 1,
      }),
      kind: FaultKind,
    },
    {
      status,
      delayMs: within(0, 600000, 'Of the kinds delay and drip.'),
      ...rest,
      count: within(1, 1000000, 'How many requests it strikes; 1 if it is not given.'),
    },
  ),
);

const Clock = named(
  'Clock',
  object({
    now: text("The bank's time (ISO 8601, UTC)."),
    movedMs: integer('By how much it is ahead of the machine.'),
  }),
);

const ClockMove = named(
  'ClockMove',
  object(
    {},
    {
      move: text('Forward by so much: +1d, +90m, +2w, +30s or +12h.', { pattern: '^\\+[0-9]{1,6}[smhdw]$' }),
      set: textUpTo(40, 'A time to come (ISO 8601, with a zone).'),
      reset: flag('With true, back to the time of the machine.'),
    },
    'Exactly one of the three.',
    { minProperties: 1, maxProperties: 1 },
  ),
);

/** Scenario, faults and clock. */
export const behaviour = {
  getScenario: {
    at: 'GET /scenario',
    summary: 'How the bank behaves',
    about: 'Each switch is a lawful variation that real banks have.',
    gives: {
      status: 200,
      about: 'All switches.',
      schema: object({ switches: list(Switch) }),
      example: someSwitches,
    },
    run: scenario,
  },
  changeScenario: {
    at: 'PATCH /scenario',
    summary: 'Change switches',
    about: 'All that are named or none; the others stay as they are, until the next reset.',
    takes: { schema: ScenarioChange, example: { bulk: 'partial' } },
    gives: {
      status: 200,
      about: 'All switches as they are now.',
      schema: object({ switches: list(Switch) }),
      example: {
        switches: [
          {
            name: 'bulk',
            about: 'Of a bulk payment',
            value: 'partial',
            values: [
              { value: 'whole', meaning: 'every entry is booked' },
              { value: 'partial', meaning: 'the last entry is rejected: PART' },
            ],
          },
        ],
      },
    },
    run(call: ControlCall<Readonly<Record<string, string>>>) {
      const { main } = call.books.ledger;
      needUnpinned(main, call.body);
      for (const [name, value] of Object.entries(call.body)) checkSwitch(name, value);
      setScenario(main, call.body);
      return scenario(call);
    },
  },
  listFaults: {
    at: 'GET /faults',
    summary: 'The faults that wait',
    about: 'In the order in which they strike.',
    gives: {
      status: 200,
      about: 'The faults.',
      schema: object({ faults: list(Fault) }),
      example: { faults: [fault] },
    },
    run: ({ books }) => ({ status: 200, body: { faults: allFaults(books.ledger.log) } }),
  },
  addFault: {
    at: 'POST /faults',
    summary: 'Make the bank misbehave',
    about: 'In the next calls of one operation.',
    takes: { schema: NewFault, example: fault },
    gives: { status: 201, about: 'The fault as the bank has it.', schema: Fault, example: fault },
    run({ books, body }: ControlCall<ValueOf<typeof NewFault>>) {
      const operation = operationNamed(body.operation) ?? body.operation;
      const fault: BankFault = { count: 1, ...body, operation };
      checkFault(fault);
      pointing(fault.kind === 'edit' ? '/edit' : undefined, () => {
        addFault(books.ledger.log, fault);
      });
      return { status: 201, body: fault };
    },
  },
  clearFaults: {
    at: 'DELETE /faults',
    summary: 'Forget all faults',
    about: 'The bank behaves again.',
    gives: { status: 204, about: 'There are no faults.' },
    run({ books }) {
      clearFaults(books.ledger.log);
      return { status: 204 };
    },
  },
  getClock: {
    at: 'GET /clock',
    summary: "The bank's time",
    about: 'Bookings, expiry and standing orders go by it.',
    gives: { status: 200, about: 'The time.', schema: Clock, example: someTime },
    run: time,
  },
  moveClock: {
    at: 'POST /clock',
    summary: "Move the bank's time",
    about:
      'Forward by move or set, back to the time of the machine by reset. What becomes due is done before the answer.',
    takes: { schema: ClockMove, example: { move: '+1d' } },
    gives: { status: 200, about: 'The time now.', schema: Clock, example: someTime },
    run(call: ControlCall<ValueOf<typeof ClockMove>>) {
      const { move, set, reset } = call.body;
      if (reset === false)
        throw badRequest(
          '/reset does not take false.',
          'True leads back to the time of the machine.',
          '/reset',
        );
      // The clock itself would take a move here, too.
      if (set !== undefined && !/^[0-9]/.test(set)) throw problemOf(noMove(set), '/set');
      const { main } = call.books.ledger;
      pointing(set === undefined ? '/move' : '/set', () => {
        main.atomically(() => {
          moveClock(main, move ?? set ?? 'reset', call.books.clock.now());
        });
      });
      return time(call);
    },
  },
} as const satisfies Operations;

function scenario({ books }: ControlCall) {
  const current = scenarioOf(books.ledger.main);
  const shown = Object.entries<BankSwitch>(switches).map(([name, one]): BankScenario => {
    const { about, open } = one;
    const value = current[name as keyof Scenario];
    return {
      name,
      about,
      value,
      values: Object.entries(meanings(one, value)).map(([each, meaning]) => ({ value: each, meaning })),
      ...(open && { open: { form: open.form, takes: open.takes } }),
    };
  });
  return { status: 200, body: { switches: shown } };
}

function time(call: ControlCall) {
  const main = duly(call);
  return { status: 200, body: { now: call.books.clock.now().toISOString(), movedMs: movedMs(main) } };
}

/** Says which value was meant; the switches themselves refuse all others as well. */
function checkSwitch(name: string, value: string): void {
  const known = switchOf(name);
  if (known === undefined)
    throw unknown('switch', { name, pointer: `/${name}`, known: Object.keys(switches) });
  if (takes(known, value)) return;
  const values = Object.keys(known.values);
  throw unknown('value', { name: value, pointer: `/${name}`, known: values, all: takenBy(known) });
}

function unknown(
  what: string,
  of: { name: string; pointer: string; known: readonly string[]; all?: string },
): Problem {
  const { name, pointer, known, all = known.join(', ') } = of;
  const title = `There is no ${what} ${JSON.stringify(name)}.`;
  return badRequest(title, `There is ${all}.`, pointer, didYouMean(nearest(name, known)));
}

function checkFault({ operation, kind, status, delayMs, raw, edit }: BankFault): void {
  if (operation !== '*' && operationNamed(operation) === undefined)
    throw unknown('operation', {
      name: operation,
      pointer: '/operation',
      known: ['*', ...operations.map(({ id }) => id)],
    });
  if (kind === 'status' && status === undefined)
    throw badRequest('/status is wanted.', 'A fault of the kind status says which.', '/status');
  for (const [name, value] of Object.entries({ status, delayMs, raw, edit })) {
    const kinds = detailKinds[name as keyof typeof detailKinds];
    if (value === undefined || kinds.includes(kind)) continue;
    throw badRequest(
      `/${name} is not for the kind ${kind}.`,
      `It is for ${kinds.join(' and ')}.`,
      `/${name}`,
    );
  }
}
