import type { ExchangeView, NamedValue } from '../../settings/records/exchange.ts';
import { JsonNumber, readJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';

/** One place where two exchanges differ; null where a side has nothing there. */
export interface Difference {
  /** `request`, `request header Accept`, `answer body $.transactionStatus` ... */
  where: string;
  a: string | null;
  b: string | null;
}

/** Two exchanges of the same operation, or one that the other side lacks. */
export interface ComparedCall {
  operation: string;
  a: string | null;
  b: string | null;
  differences: readonly Difference[];
  /** How many places differ only in what always does: ids, times, digests, signatures. */
  folded: number;
}

/** Compares two lists of exchanges: the nth call of an operation with the nth of the same. */
export function compareCalls(a: readonly ExchangeView[], b: readonly ExchangeView[]): ComparedCall[] {
  const left = [...b];
  const pairs = a.map((view): [ExchangeView | undefined, ExchangeView | undefined] => {
    // Two single calls are compared whatever they are.
    const at =
      a.length === 1 && b.length === 1 ? 0 : left.findIndex((other) => other.operation === view.operation);
    return [view, at < 0 ? undefined : left.splice(at, 1)[0]];
  });
  return [...pairs, ...left.map((view) => [undefined, view] as const)].map(([one, other]) => ({
    operation: (one ?? other)?.operation ?? '',
    a: one?.requestId ?? null,
    b: other?.requestId ?? null,
    ...(one === undefined || other === undefined ? { differences: [], folded: 0 } : compare(one, other)),
  }));
}

function compare(a: ExchangeView, b: ExchangeView): Pick<ComparedCall, 'differences' | 'folded'> {
  const [before, after] = [placesIn(a), placesIn(b)];
  const [plainA, plainB] = [withoutIds(a), withoutIds(b)];
  const different = [...new Set([...before.keys(), ...after.keys()])]
    .map((where) => ({ where, a: before.get(where) ?? null, b: after.get(where) ?? null }))
    .filter((place) => place.a !== place.b);
  const differences = different.filter(
    (place) =>
      !always.test(place.where) &&
      (place.a === null || place.b === null || plainA(place.a) !== plainB(place.b)),
  );
  return { differences, folded: different.length - differences.length };
}

const always = /^(request|answer) header (x-request-id|date|digest|signature|content-length)$/;
const idName = /(Id|Identification)$/;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const instant = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?/g;

/** Replaces ids and times in texts of an exchange, so that what is left can be compared. */
function withoutIds(view: ExchangeView): (text: string) => string {
  const own = [...leavesOf(view.request.body), ...leavesOf(view.answer?.body ?? '')]
    .filter(([path, value]) => idName.test(path) && value.length >= 6)
    .map(([, value]) => value);
  return (text) =>
    own
      .reduce((rest, id) => rest.replaceAll(id, '‹id›'), text)
      .replace(uuid, '‹id›')
      .replace(instant, '‹time›')
      .replace(/^(https?:\/\/(127\.0\.0\.1|localhost)):\d+/, '$1');
}

function placesIn({ method, url, request, answer, failure, outcome }: ExchangeView): Map<string, string> {
  const places = new Map<string, string>([
    ['method', method],
    ['url', url],
    ['outcome', outcome ?? 'not ended'],
  ]);
  const status = answer?.status ?? failure?.status;
  if (status !== undefined) places.set('status', String(status));
  if (failure !== undefined) places.set('failure', failure.why);
  addHeaders(places, 'request', request.headers);
  addHeaders(places, 'answer', answer?.headers ?? failure?.headers ?? []);
  for (const [path, value] of leavesOf(request.body)) places.set(`request body ${path}`, value);
  for (const [path, value] of leavesOf(answer?.body ?? '')) places.set(`answer body ${path}`, value);
  return places;
}

function addHeaders(places: Map<string, string>, side: string, headers: readonly NamedValue[]): void {
  for (const { name, value } of headers) {
    const where = `${side} header ${name.toLowerCase()}`;
    const before = places.get(where);
    places.set(where, before === undefined ? value : `${before}, ${value}`);
  }
}

/** The members of a body by their paths; what is not JSON is one. */
function leavesOf(body: string): [path: string, value: string][] {
  if (body === '') return [];
  try {
    return leaves(readJson(body), '$');
  } catch {
    return [['$', body]];
  }
}

function leaves(value: JsonValue, path: string): [string, string][] {
  if (value === null || typeof value !== 'object' || value instanceof JsonNumber)
    return [[path, String(value)]];
  const inner = Array.isArray(value)
    ? value.flatMap((item, at) => leaves(item, `${path}[${String(at)}]`))
    : Object.entries(value).flatMap(([name, item]) => leaves(item, `${path}.${name}`));
  return inner.length > 0 ? inner : [[path, Array.isArray(value) ? '[]' : '{}']];
}
