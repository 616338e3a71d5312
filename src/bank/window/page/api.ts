// Calls of the control API with its token, and its stream of events.
import type { ControlInput, ControlResults, OperationId, operations } from '../../control/operations.ts';

/** Method and path of an operation, such as `GET /calls/{number}`. */
type Door = (typeof operations)[OperationId]['at'];
type OperationAt<At extends Door> = {
  [Id in OperationId]: (typeof operations)[Id]['at'] extends At ? Id : never;
}[OperationId];

/** The body that an operation answers; undefined where there is none. */
export type AnswerAt<At extends Door> = ControlResults[OperationAt<At>];

/** An event of the stream; of a call that the bank does not keep any more, its data are not complete. */
export type BankEvent = { id: number } & (
  | { kind: 'call'; data: Partial<Call> | null }
  | { kind: 'payment'; data: { id: string; status: string; at: string } }
  | { kind: 'consent'; data: { id: string; status: string } }
  | { kind: 'authorisation' | 'decision'; data: AuthorisationStep }
  | { kind: 'basket' | 'missed' | 'reset'; data: unknown }
);
export type Call = AnswerAt<'GET /calls'>['calls'][number];
interface AuthorisationStep {
  id: string;
  parentId: string;
  scaStatus: string;
  psuId: string | null;
  at: string;
}

/** A value in the session storage, which is kept only for this tab: a cookie would reach every other port of this machine. */
function kept(key: string) {
  let value = sessionStorage.getItem(key) ?? '';
  return {
    get: () => value,
    set: (next: string) => {
      value = next;
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    },
  };
}

const token = kept('obk-bank-token');
export const setToken = token.set;
export const hasToken = () => token.get() !== '';

/** The tenant that is shown, where the bank has several. */
const tenant = kept('obk-bank-tenant');
export const shownTenant = tenant.get;
export const setTenant = tenant.set;

const ofTenant = (path: string) =>
  tenant.get() === '' ? path : `tenants/${encodeURIComponent(tenant.get())}/${path}`;

/** A refusal in the words of the bank; its status is 0 where the bank does not answer. */
export class Failure extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ProblemBody {
  title?: string;
  detail?: string;
  next?: readonly string[];
}
const wordsOf = ({ title, detail, next = [] }: ProblemBody) =>
  [title, detail, ...next].filter(Boolean).join(' ');

interface Options {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
}
async function answerOf(path: string, options: Options = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${token.get()}`, ...options.headers };
  let answer: Response;
  try {
    answer = await fetch(`api/${path}`, { ...options, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Failure(0, 'The bank does not answer. It may have ended.');
  }
  if (answer.ok) return answer;
  const unread = (): ProblemBody => ({ title: `The bank answered ${answer.status}.` });
  throw new Failure(answer.status, wordsOf((await answer.json().catch(unread)) as ProblemBody));
}

interface Asked<At extends Door> {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: ControlInput<OperationAt<At>>['body'];
}

/** Has the bank do an operation for the tenant that is shown. Throws Failure. */
export async function ask<At extends Door>(
  at: At,
  { path = {}, query = {}, body }: Asked<At> = {},
): Promise<AnswerAt<At>> {
  const [method = '', template = ''] = at.split(' /');
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const answer = await answerOf(ofTenant(search === '' ? filled : `${filled}?${search}`), {
    method,
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return (answer.status === 204 ? undefined : await answer.json()) as AnswerAt<At>;
}

/** The tenants of the bank as a whole. Throws Failure. */
export async function getTenants(): Promise<AnswerAt<'GET /tenants'>> {
  return (await (await answerOf('tenants')).json()) as AnswerAt<'GET /tenants'>;
}

interface Follower {
  opened: () => void;
  happened: (events: readonly BankEvent[]) => void;
}

/** Reads the events after the one with this number until the connection ends. Throws Failure where there is none. */
export async function follow(after: number, { opened, happened }: Follower, signal: AbortSignal) {
  const answer = await answerOf(ofTenant('events'), { headers: { 'Last-Event-ID': String(after) }, signal });
  opened();
  if (answer.body === null) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() ?? '';
    happened(parts.flatMap(eventOf));
  }
}

function eventOf(text: string): BankEvent[] {
  const lines = new Map(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  if (!lines.has('event')) return [];
  const data: unknown = JSON.parse(lines.get('data') ?? 'null');
  return [{ id: Number(lines.get('id')), kind: lines.get('event'), data } as BankEvent];
}
