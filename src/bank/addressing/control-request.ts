import type { AnySteering } from '../steering/steering.ts';

/** A request to the control API of a bank, and how the result of the steering is read from its answer. */
export interface ControlRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  result: (text: string) => unknown;
}

type Action = AnySteering['do'];
type Asked<Do extends Action> = Extract<AnySteering, { do: Do }>;

/** The actions that the commands of obk take; the others are for who has the ledger at hand. */
type Remote = Exclude<Action, 'arrivals' | 'payments' | 'balance'>;

const whole = (text: string): unknown => JSON.parse(text);
const member = (name: string) => (text: string) => (JSON.parse(text) as Record<string, unknown>)[name];
const nothing = (): unknown => null;
const hand = (psuId: string | undefined) => (psuId === undefined ? {} : { psuId });

const requests: { readonly [Do in Remote]: (asked: Asked<Do>) => ControlRequest } = {
  decide: ({ id, decision, psuId }) => ({
    method: 'POST',
    path: '/decisions',
    body: { id, decision, ...hand(psuId) },
    result(text) {
      const { id: _id, decision: _decision, ...decided } = JSON.parse(text) as Record<string, unknown>;
      return decided;
    },
  }),
  revoke: ({ id, psuId }) => ({
    method: 'POST',
    path: '/decisions',
    body: { id, decision: 'revoke', ...hand(psuId) },
    result: (text) => ({ consentId: id, consentStatus: member('consentStatus')(text) }),
  }),
  'add-fault': ({ fault }) => ({ method: 'POST', path: '/faults', body: fault, result: nothing }),
  faults: () => ({ method: 'GET', path: '/faults', result: member('faults') }),
  'clear-faults': () => ({ method: 'DELETE', path: '/faults', result: nothing }),
  'add-client': ({ client }) => ({ method: 'POST', path: '/clients', body: client, result: whole }),
  clients: () => ({ method: 'GET', path: '/clients', result: member('clients') }),
  reset: () => ({ method: 'POST', path: '/reset', result: nothing }),
  snapshots: () => ({ method: 'GET', path: '/snapshots', result: member('snapshots') }),
  'save-snapshot': ({ name }) => ({ method: 'PUT', path: `/snapshots/${name}`, result: whole }),
  'restore-snapshot': ({ name }) => ({ method: 'POST', path: `/snapshots/${name}/restore`, result: whole }),
  'delete-snapshot': ({ name }) => ({ method: 'DELETE', path: `/snapshots/${name}`, result: whole }),
  people: () => ({ method: 'GET', path: '/people', result: member('people') }),
  log: ({ after }) => ({
    method: 'GET',
    path: `/calls?after=${String(after)}&limit=1000`,
    result: member('calls'),
  }),
  pushes: ({ after }) => ({
    method: 'GET',
    path: `/notifications?after=${String(after)}`,
    result: member('notifications'),
  }),
  resend: ({ of }) => ({ method: 'POST', path: '/notifications', body: { of }, result: whole }),
  scenario: ({ scenario }) => ({ method: 'PATCH', path: '/scenario', body: scenario, result: nothing }),
  scenarios: () => ({ method: 'GET', path: '/scenario', result: member('switches') }),
  clock: ({ move }) =>
    move === undefined
      ? { method: 'GET', path: '/clock', result: whole }
      : { method: 'POST', path: '/clock', body: clockBody(move), result: whole },
  seed: ({ seed: { from, to, of, psuId = 'redirect' } }) => ({
    method: 'POST',
    path: `/people/${encodeURIComponent(psuId)}/generated-transactions`,
    body: { count: of, from, to },
    result: whole,
  }),
  export: () => ({ method: 'GET', path: '/config', result: (text) => text }),
};

function clockBody(move: string): object {
  if (move === 'reset') return { reset: true };
  return move.startsWith('+') ? { move } : { set: move };
}

/** The request that does what a steering says. */
export function controlRequest(command: AnySteering): ControlRequest {
  const request = (requests as Readonly<Record<string, (asked: AnySteering) => ControlRequest>>)[command.do];
  if (request === undefined) throw new Error(`no request for ${command.do}`);
  return request(command);
}
