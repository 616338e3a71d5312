import { operations } from '../../standard/xs2a/operations.ts';
import { operationNamed } from '../../standard/xs2a/variants.ts';
import { nearest } from '../../base/nearest.ts';
import type { BankFault, BankScenario } from '../../settings/records/bank-state.ts';
import { detailKinds } from '../../settings/records/fault-kinds.ts';
import { editForms, readEdit } from '../rules/answer-edit.ts';
import { switches, switchOf, takenBy, takes } from '../rules/scenario.ts';
import { act } from './control-call.ts';
import type { ControlAnswer, ControlCall, ControlHandler } from './control-call.ts';
import { badRequest } from './problem.ts';

/** Scenario, faults and clock. */
export const behaviour = {
  getScenario: scenario,
  async changeScenario(call) {
    const change = call.body as Readonly<Record<string, string>>;
    for (const [name, value] of Object.entries(change)) checkSwitch(name, value);
    await act(call, { do: 'scenario', scenario: change });
    return scenario(call);
  },
  async listFaults(call) {
    return { status: 200, body: { faults: await act(call, { do: 'faults' }) } };
  },
  async addFault(call) {
    const asked: BankFault = { count: 1, ...(call.body as Omit<BankFault, 'count'>) };
    const fault = { ...asked, operation: operationNamed(asked.operation) ?? asked.operation };
    checkFault(fault);
    await act(call, { do: 'add-fault', fault });
    return { status: 201, body: fault };
  },
  async clearFaults(call) {
    await act(call, { do: 'clear-faults' });
    return { status: 204 };
  },
  getClock: async (call) => ({ status: 200, body: (await act(call, { do: 'clock' })) as object }),
  async moveClock(call) {
    const { move, set, reset } = call.body as { move?: string; set?: string; reset?: boolean };
    if (reset === false)
      throw badRequest(
        '/reset does not take false.',
        'True leads back to the time of the machine.',
        '/reset',
      );
    // The command takes all three in one place.
    if (set !== undefined && !/^[0-9]/.test(set))
      throw badRequest(
        `/set does not take ${JSON.stringify(set)}.`,
        'It is a time with its zone (ISO 8601), such as 2030-01-31T09:00:00Z.',
        '/set',
      );
    const pointer = set === undefined ? '/move' : '/set';
    const moved = await act(call, { do: 'clock', move: move ?? set ?? 'reset' }, pointer);
    return { status: 200, body: moved as object };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;

async function scenario(call: ControlCall): Promise<ControlAnswer> {
  return { status: 200, body: { switches: (await act(call, { do: 'scenarios' })) as BankScenario[] } };
}

/** Says which value was meant; the switches themselves refuse all others as well. */
function checkSwitch(name: string, value: string): void {
  const known = switchOf(name);
  if (known === undefined) throw unknown('switch', name, Object.keys(switches), `/${name}`);
  if (!takes(known, value))
    throw unknown('value', value, Object.keys(known.values), `/${name}`, takenBy(known));
}

function unknown(
  what: string,
  name: string,
  known: readonly string[],
  pointer: string,
  all = known.join(', '),
) {
  const near = nearest(name, known);
  return badRequest(
    `There is no ${what} ${JSON.stringify(name)}.`,
    `There is ${all}.`,
    pointer,
    near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : undefined,
  );
}

function checkFault({ operation, kind, status, delayMs, raw, edit }: BankFault): void {
  if (operation !== '*' && operationNamed(operation) === undefined)
    throw unknown('operation', operation, ['*', ...operations.map(({ id }) => id)], '/operation');
  if (kind === 'status' && status === undefined)
    throw badRequest('/status is wanted.', 'A fault of the kind status says which.', '/status');
  if (kind === 'edit' && readEdit(edit ?? '') === undefined)
    throw badRequest('/edit is no edit of an answer.', `An edit is ${editForms}.`, '/edit');
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
