/** Calls of the control API with its token, and its stream of events. */
export const apiScript = String.raw`
/** Kept for this tab alone: a cookie would reach every other port of this machine. */
const place = 'obk-bank-token';
let token = sessionStorage.getItem(place) ?? '';

export function setToken(value) {
  token = value;
  if (value === '') sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, value);
}

export const hasToken = () => token !== '';

/** The tenant that is shown, where the bank has several. */
const placeOfTenant = 'obk-bank-tenant';
let tenant = sessionStorage.getItem(placeOfTenant) ?? '';

export const shownTenant = () => tenant;

export function setTenant(name) {
  tenant = name;
  if (name === '') sessionStorage.removeItem(placeOfTenant);
  else sessionStorage.setItem(placeOfTenant, name);
}

const ofTenant = (path) => (tenant === '' ? path : 'tenants/' + encodeURIComponent(tenant) + '/' + path);

/** What went wrong, in the words of the bank. */
export class Failure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const whatOf = ({ title, detail, next }) => [title, detail, ...(next ?? [])].filter(Boolean).join(' ');

async function asked(path, options) {
  let answer;
  try {
    answer = await fetch('api/' + path, { ...options, headers: { Authorization: 'Bearer ' + token, ...options?.headers } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Failure(0, 'The bank does not answer. It may have ended.');
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({ title: 'The bank answered ' + answer.status + '.' }));
  throw new Failure(answer.status, whatOf(told));
}

export async function get(path) {
  return (await asked(ofTenant(path))).json();
}

/** The tenants of the bank as a whole. */
export async function getTenants() {
  return (await asked('tenants')).json();
}

export async function send(method, path, body) {
  const answer = await asked(ofTenant(path), {
    method,
    ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return answer.status === 204 ? undefined : answer.json();
}

/** Reads the events of the bank after the one with this number until the connection ends; throws where there is none. */
export async function follow(after, opened, told, signal) {
  const answer = await asked(ofTenant('events'), { headers: { 'Last-Event-ID': String(after) }, signal });
  opened();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop();
    told(parts.map(eventOf).filter(Boolean));
  }
}

function eventOf(text) {
  const lines = new Map(text.split('\n').map((line) => {
    const at = line.indexOf(': ');
    return [line.slice(0, at), line.slice(at + 2)];
  }));
  if (!lines.has('event')) return undefined;
  return { id: Number(lines.get('id')), kind: lines.get('event'), data: JSON.parse(lines.get('data') ?? 'null') };
}
`;
