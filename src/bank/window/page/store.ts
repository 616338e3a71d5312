// The page's memory of the bank, which is bounded: the newest calls, and the life of the newest resources.
import type { BankEvent, Call } from './api.ts';

const mostCalls = 500;
const mostResources = 200;
const mostSteps = 100;

/** A call; `order` is the number of its event, or 0 where no event reported it. */
export type KnownCall = Call & { order: number };
/** One step in the life of a payment or consent; `at` (ISO 8601, UTC) is missing until it is known. */
export interface StatusStep {
  order: number;
  status: string;
  at?: string;
}
/** One step in the life of an authorisation. */
export type AuthorisationStep = Extract<BankEvent, { kind: 'authorisation' | 'decision' }>['data'] & {
  order: number;
};

/** Calls by their number, oldest first; resources by their id, with each step of their life in the order of the events. */
export const calls = new Map<number, KnownCall>();
export const payments = new Map<string, readonly StatusStep[]>();
export const consents = new Map<string, readonly StatusStep[]>();
const authorisations = new Map<string, readonly AuthorisationStep[]>();

type Kinds = ReadonlySet<string>;
const listeners = new Set<(kinds: Kinds) => void>();
let last = 0;

/** The number of the last event that was taken in. */
export const lastEvent = () => last;

/** Has a function called after each batch of events, with the kinds that were in it; the result ends that. */
export function onChange(act: (kinds: Kinds) => void): () => void {
  listeners.add(act);
  return () => {
    listeners.delete(act);
  };
}

function notify(kinds: Kinds): void {
  for (const act of listeners) act(kinds);
}

function bound(map: Map<unknown, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

function add<Step>(map: Map<string, readonly Step[]>, id: string, step: Step): Step {
  const steps = map.get(id) ?? [];
  map.delete(id);
  map.set(id, [...steps, step].slice(-mostSteps));
  bound(map, mostResources);
  return step;
}

function clear(): void {
  for (const map of [calls, payments, consents, authorisations]) map.clear();
}

/** Forgets everything: what comes next is of another bank. */
export function forget(): void {
  clear();
  last = 0;
  timeless = [];
  decided = undefined;
}

/** Steps of consents, which the bank notes without a time: they have that of the authorisation or call which they came with. */
let timeless: StatusStep[] = [];
let decided: AuthorisationStep | undefined;

function timed<Data extends { at: string }>(order: number, data: Data): Data & { order: number } {
  for (const one of timeless.splice(0)) one.at = data.at;
  return { ...data, order };
}

const isInFull = (call: Partial<Call> | null): call is Call => call?.method !== undefined;

/** Takes events in; a call that the bank does not keep any more is left out. */
export function take(events: readonly BankEvent[]): void {
  for (const event of events) {
    last = event.id;
    takeOne(event);
  }
  notify(new Set(events.map(({ kind }) => kind)));
}

function takeOne({ id: order, kind, data }: BankEvent): void {
  switch (kind) {
    case 'reset':
      clear();
      return;
    case 'call':
      if (!isInFull(data)) return;
      calls.set(data.number, timed(order, data));
      bound(calls, mostCalls);
      return;
    case 'payment':
      add(payments, data.id, timed(order, data));
      return;
    case 'consent':
      takeConsent(order, data);
      return;
    case 'authorisation':
    case 'decision':
      decided = add(authorisations, data.id, timed(order, data));
      return;
    case 'basket':
    case 'missed':
  }
}

function takeConsent(order: number, data: { id: string; status: string }): void {
  const step: StatusStep = add(consents, data.id, { ...data, order });
  if (decided?.parentId === data.id && decided.order === order - 1) step.at = decided.at;
  else timeless = [...timeless, step].slice(-mostSteps);
}

/** Takes in calls, oldest first, that no event reported; they were before all events. */
export function recall(kept: readonly Call[]): void {
  const known = [...calls];
  calls.clear();
  for (const call of kept) calls.set(call.number, { ...call, order: 0 });
  for (const [number, call] of known) calls.set(number, call);
  bound(calls, mostCalls);
  notify(new Set(['reset']));
}

/** The calls that a resource is about: the one that made it, and those whose path names it. */
export function callsOf(id: string, requestId?: string): KnownCall[] {
  const made = ({ requestId: own, method }: KnownCall) =>
    requestId !== undefined && own === requestId && method === 'POST';
  return [...calls.values()].filter((call) => call.path.includes(id) || made(call));
}

/** The steps of the authorisations of a resource, in order. */
export function stepsOfAuthorisations(parentId: string): AuthorisationStep[] {
  return [...authorisations.values()]
    .flat()
    .filter((one) => one.parentId === parentId)
    .sort((a, b) => a.order - b.order);
}
