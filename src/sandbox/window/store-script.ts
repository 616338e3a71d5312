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

function step(map, id, order, data) {
  const steps = map.get(id) ?? [];
  map.delete(id);
  map.set(id, [...steps, { ...data, order }].slice(-mostSteps));
  bound(map, mostResources);
}

export function forget() {
  for (const map of [calls, payments, consents, authorisations]) map.clear();
}

/** Takes events in; a call of an event older than the calls that the bank keeps is not told in full. */
export function take(events) {
  const kinds = new Set();
  for (const { id: order, kind, data } of events) {
    kinds.add(kind);
    if (kind === 'reset') forget();
    else if (kind === 'call') {
      if (data?.method === undefined) continue;
      calls.set(data.number, { ...data, order });
      bound(calls, mostCalls);
    } else if (kind === 'payment') step(payments, data.id, order, data);
    else if (kind === 'consent') step(consents, data.id, order, data);
    else if (kind === 'authorisation' || kind === 'decision') step(authorisations, data.id, order, data);
  }
  for (const act of listeners) act(kinds);
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
