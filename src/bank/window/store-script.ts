/** What the page knows of the bank, bounded: the newest calls, and the life of the newest resources. */
export const storeScript = String.raw`
const mostCalls = 500;
const mostResources = 200;
const mostSteps = 100;

/** Calls by their number, oldest first; resources by their id, with each step of their life in the order of the events. */
export const calls = new Map();
export const payments = new Map();
export const consents = new Map();
export const authorisations = new Map();

const listeners = new Set();
let last = 0;

/** The number of the last event that was taken in. */
export const lastEvent = () => last;

/** Has a function called after each batch of events, with the kinds that were in it. */
export function onChange(act) {
  listeners.add(act);
  return () => listeners.delete(act);
}

function bound(map, most) {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

function add(map, id, step) {
  const steps = map.get(id) ?? [];
  map.delete(id);
  map.set(id, [...steps, step].slice(-mostSteps));
  bound(map, mostResources);
  return step;
}

function clear() {
  for (const map of [calls, payments, consents, authorisations]) map.clear();
}

/** Knows nothing any more: what comes next is another bank. */
export function forget() {
  clear();
  last = 0;
  timeless = [];
  decided = undefined;
}

/** Steps of consents, which the bank notes without a time: they have that of the authorisation or call which they came with. */
let timeless = [];
let decided;

function timed(order, data, at) {
  for (const one of timeless.splice(0)) one.at = at;
  return { ...data, order, at };
}

/** Takes events in; a call of an event older than the calls that the bank keeps is not told in full. */
export function take(events) {
  const kinds = new Set();
  for (const { id: order, kind, data } of events) {
    kinds.add(kind);
    last = order;
    if (kind === 'reset') clear();
    else if (kind === 'call') {
      if (data?.method === undefined) continue;
      calls.set(data.number, timed(order, data, data.at));
      bound(calls, mostCalls);
    } else if (kind === 'payment') add(payments, data.id, timed(order, data, data.at));
    else if (kind === 'consent') {
      const step = add(consents, data.id, { ...data, order });
      if (decided?.parentId === data.id && decided.order === order - 1) step.at = decided.at;
      else timeless = [...timeless, step].slice(-mostSteps);
    } else if (kind === 'authorisation' || kind === 'decision')
      decided = add(authorisations, data.id, timed(order, data, data.at));
  }
  for (const act of listeners) act(kinds);
}

/** Knows calls, oldest first, that no event told of; they were before all that events tell. */
export function recall(kept) {
  const told = [...calls];
  calls.clear();
  for (const call of kept) calls.set(call.number, { ...call, order: 0 });
  for (const [number, call] of told) calls.set(number, call);
  bound(calls, mostCalls);
  for (const act of listeners) act(new Set(['reset']));
}

/** The calls that a resource is about: that which made it, and those whose path names it. */
export function callsOf(id, requestId) {
  return [...calls.values()].filter((call) =>
    call.path.includes(id) || (requestId !== undefined && call.requestId === requestId && call.method === 'POST'));
}

/** The steps of the authorisations of a resource, in order. */
export function stepsOfAuthorisations(parentId) {
  return [...authorisations.values()].flat().filter((one) => one.parentId === parentId)
    .sort((a, b) => a.order - b.order);
}
`;
