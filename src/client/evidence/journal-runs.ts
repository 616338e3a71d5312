import { defined } from '../../base/defined.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { Journal } from '../ports/journal.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import type { EndedRun, JournalRecord, JournalRun } from '../../settings/records/journal.ts';
import type { Environment } from '../../settings/records/profile.ts';
import { paramsOf } from '../../standard/xs2a/path-params.ts';
import { tryJson, readErrorBody } from '../../standard/xs2a/tpp-messages.ts';
import { maskAccounts } from '../redaction/masking.ts';
import { ambiguousId, leastOfId, named } from '../resources/naming.ts';
import type { Candidate } from '../resources/naming.ts';
import { readable } from '../resources/run-records.ts';
import { viewsOfRecords } from '../exchange/exchange-view.ts';
import type { Ticket } from '../../settings/records/ticket.ts';
import { decisiveCode, hasExit } from '../../standard/xs2a/bank-messages.ts';

/** How a run ended as far as its calls go; UNKNOWN before all, RESOLVED where it was settled later, else the last call's. */
export type RunOutcome = NonNullable<ExchangeView['outcome']> | 'RESOLVED' | 'UNREADABLE';

/** One run as listed; what its records do not say is null. */
export interface RunSummary {
  run: string;
  /** The host that it was on, in a journal of several machines. */
  host?: string | null;
  /** ISO 8601, UTC. */
  startedAt: string;
  command: string | null;
  profile: string | null;
  environment: Environment | null;
  exchanges: number;
  /** Null where nothing was called. */
  outcome: RunOutcome | null;
  /** The exit code; null while it runs, or after it was killed. */
  exit: number | null;
  /** What a call that failed says of the run, in one sentence; null where none did. */
  verdict: string | null;
}

/** A run with its exchanges, or with those that a resource or request is about. */
export interface RunView extends Omit<RunSummary, 'exchanges'> {
  /** There where the certificates of the bank were not checked. */
  insecure?: true;
  exchanges: readonly ExchangeView[];
}

/** Which runs are meant, and how they are wanted. */
export interface RunsWished {
  /** Account numbers are not masked. */
  readonly whole?: boolean;
  /** `@last` and `@failed` stand for runs with this profile alone. */
  readonly profile?: string | undefined;
}

/** A run as it is listed; without records it cannot be read. */
export function listedRun(run: JournalRun, records: readonly JournalRecord[] | undefined): RunSummary {
  return records === undefined ? { ...summary(run, []), outcome: 'UNREADABLE' } : summary(run, records);
}

/**
 * Finds the run or runs that `id` names: one run by its id, a prefix of at least six characters, `@last` or `@last-N`
 * (only runs of this machine that called a bank count), `@failed` or `@failed-N` (of those, runs that did not exit with 0 or left a
 * write whose outcome is unknown); or a list of runs with the calls about a resource or with an X-Request-ID, oldest
 * first. Throws RESOURCE_NOT_SAVED and ID_AMBIGUOUS.
 */
export async function findRuns(
  journal: Journal,
  id: string,
  { whole = false, profile }: RunsWished = {},
): Promise<RunView | RunView[]> {
  const back = /^@(last|failed)(?:-(\d{1,4}))?$/.exec(id);
  if (back !== null)
    return lastRun(journal, { back: Number(back[2] ?? 0), failed: back[1] === 'failed', whole, profile });
  const all = await otherRuns(journal);
  const only = named(id, all, ({ run }) => run, { what: 'runs', list: 'obk log list' });
  if (only !== undefined) return runView(only, await journal.read(only.run), whole);
  const about = await runsAbout(journal, all, { id, whole });
  if (about.length > 0) return about;
  const longer = id.length < leastOfId ? undefined : await idBeginning(journal, all, id);
  if (longer !== undefined) return runsAbout(journal, all, { id: longer, whole });
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `No run, resource or request ${JSON.stringify(id)} is in the journal.`,
    detail:
      'A run is named by its id, at least six characters of it, @last, @last-1 or @failed; a payment, consent, basket or request by its id or six characters of it.',
    hint: ['obk log list'],
  });
}

async function lastRun(
  journal: Journal,
  {
    back,
    failed,
    whole,
    profile,
  }: { back: number; failed: boolean; whole: boolean; profile: string | undefined },
): Promise<RunView> {
  let left = back;
  const isOwn = ({ elsewhere }: JournalRun) => elsewhere !== true;
  let others = false;
  for await (const run of failed ? await journal.runsThat(mayHaveFailed) : await journal.runs()) {
    if (run.run === journal.run) continue;
    if (!isOwn(run)) {
      others = true;
      continue;
    }
    const view = runView(run, (await readable(journal, run)) ?? [], whole);
    if (view.exchanges.length === 0 || (failed && !hasFailed(view))) continue;
    if (profile !== undefined && view.profile !== profile) continue;
    if (left === 0) return view;
    left -= 1;
  }
  const called = profile === undefined ? 'called a bank' : `called a bank with the profile ${profile}`;
  const which = failed ? `${called} and failed` : called;
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title:
      back === 0
        ? `No run has ${failed ? which : `${which} yet`}.`
        : `There are fewer than ${back + 1} runs that ${which}.`,
    ...(others && {
      detail: '@last and @failed stand for runs of this machine; obk log list has those of the others too.',
    }),
    hint: ['obk log list'],
  });
}

/** A killed run counts if it left a write of unknown outcome; any other without an end may still be running. */
const hasFailed = ({ exit, outcome }: RunView): boolean =>
  outcome === 'UNKNOWN' || (exit !== null && exit !== exitCodes.ok);

/** Whether the records of a run are worth reading for that: thousands that went well are passed over. */
const mayHaveFailed = ({ exit, calls }: EndedRun): boolean =>
  exit !== exitCodes.ok || calls.some(({ outcome }) => outcome === null || outcome === 'UNKNOWN');

async function runsAbout(
  journal: Journal,
  all: readonly JournalRun[],
  { id, whole }: { id: string; whole: boolean },
): Promise<RunView[]> {
  const found: RunView[] = [];
  for (const run of all) {
    const records = (await readable(journal, run)) ?? [];
    const kept = exchangesAbout(records, id);
    if (kept.size === 0) continue;
    const view = runView(run, records, whole);
    const prepared = records.filter((record) => record.type === 'prepared');
    found.unshift({ ...view, exchanges: view.exchanges.filter((_, at) => kept.has(prepared[at]?.exchange)) });
  }
  return found;
}

/** The id that calls are about: as it was typed where there are any, else the only one in the journal that begins so. Throws ID_AMBIGUOUS. */
export async function idInJournal(journal: Journal, typed: string): Promise<string> {
  if (typed.length < leastOfId) return typed;
  const all = await otherRuns(journal);
  for (const run of all)
    if (exchangesAbout((await readable(journal, run)) ?? [], typed).size > 0) return typed;
  return (await idBeginning(journal, all, typed)) ?? typed;
}

/** The whole id of a run, or of what calls are about. Throws ID_AMBIGUOUS. */
export async function wholeIdIn(journal: Journal, typed: string): Promise<string> {
  const run = named(typed, await otherRuns(journal), ({ run }) => run, {
    what: 'runs',
    list: 'obk log list',
  });
  return run?.run ?? idInJournal(journal, typed);
}

/** The one id in the journal that begins so, in the same case where there is such a one. Throws ID_AMBIGUOUS. */
async function idBeginning(
  journal: Journal,
  all: readonly JournalRun[],
  beginning: string,
): Promise<string | undefined> {
  const found = new Map<string, Candidate>();
  const lower = beginning.toLowerCase();
  for (const run of all)
    for (const record of (await readable(journal, run)) ?? [])
      for (const one of idsOf(record)) if (one.id.toLowerCase().startsWith(lower)) found.set(one.id, one);
  const likely = [...found.values()];
  const same = likely.filter(({ id }) => id.startsWith(beginning));
  const ids = same.length === 0 ? likely : same;
  if (ids.length > 1) throw ambiguousId(beginning, 'ids in the journal', ids, 'obk log list');
  return ids[0]?.id;
}

/** The ids by which a person may look for a call. */
function idsOf(record: JournalRecord): Candidate[] {
  if (record.type === 'answered') return idsIn(tryJson(Buffer.from(record.body)));
  const ofResource = idsIn('resource' in record ? record.resource : undefined);
  if (record.type !== 'prepared') return ofResource;
  const inPath = idsIn(paramsOf(record.operation, record.url));
  return [...ofResource, ...inPath, { id: record.requestId, says: `X-Request-ID of ${record.operation}` }];
}

const idsIn = (members: unknown): Candidate[] =>
  Object.entries((members ?? {}) as Readonly<Record<string, unknown>>).flatMap(([name, id]) =>
    typeof id === 'string' && /^(payment|consent|basket|authorisation)Id$/.test(name)
      ? [{ id, says: name }]
      : [],
  );

/** The exchanges of a run that a resource, an X-Request-ID or an intent (the id of what is pending) is about. */
export function exchangesAbout(
  records: readonly JournalRecord[],
  id: string,
): ReadonlySet<string | undefined> {
  return new Set(
    records
      .filter((record) => isAbout(record, id))
      .map((record) => ('exchange' in record ? record.exchange : undefined)),
  );
}

/** The id of a created resource stands in the answer of its POST only, that of an older one in the path. */
function isAbout(record: JournalRecord, id: string): boolean {
  switch (record.type) {
    case 'prepared': {
      const path = record.url.split(/[?#]/, 1)[0] ?? '';
      return (
        record.requestId.toLowerCase() === id.toLowerCase() ||
        (id.length >= 6 && record.intent?.startsWith(id.toLowerCase()) === true) ||
        record.headers.some(([name, value]) => /^consent-id$/i.test(name) && value === id) ||
        Object.values(record.resource ?? {}).includes(id) ||
        path.split('/').some((segment) => segment === id || segment === encodeURIComponent(id))
      );
    }
    case 'answered':
      return record.body.includes(JSON.stringify(id));
    case 'resolved':
      return Object.values(record.resource ?? {}).includes(id);
    case 'run':
    case 'sending':
    case 'failed':
    case 'ended':
      return false;
  }
}

/** All runs but this one, newest first. */
export async function otherRuns(journal: Journal): Promise<JournalRun[]> {
  const others: JournalRun[] = [];
  for await (const run of await journal.runs()) if (run.run !== journal.run) others.push(run);
  return others;
}

function runView(run: JournalRun, records: readonly JournalRecord[], whole: boolean): RunView {
  const insecure = records.some((record) => record.type === 'run' && record.insecure === true);
  return {
    ...summary(run, records),
    ...(insecure ? { insecure } : {}),
    exchanges: viewsOfRecords(records, whole),
  };
}

function summary({ run, startedAt, host }: JournalRun, records: readonly JournalRecord[]): RunSummary {
  const head = records.find((record) => record.type === 'run');
  const end = records.findLast((record) => record.type === 'ended');
  const exchanges = viewsOfRecords(records);
  return {
    run,
    ...defined({ host }),
    startedAt,
    command: head?.command ?? null,
    profile: head?.profile ?? null,
    environment: head?.environment ?? null,
    exchanges: exchanges.length,
    outcome: outcomeOf(exchanges),
    exit: end?.exit ?? null,
    verdict: maskedVerdict(verdictOf(exchanges, undefined)),
  };
}

const maskedVerdict = (text: string | null) => (text === null ? null : maskAccounts(text));

function outcomeOf(exchanges: readonly ExchangeView[]): RunOutcome | null {
  const outcomes = exchanges.map(({ outcome, resolution }) =>
    resolution === undefined ? outcome : 'RESOLVED',
  );
  return outcomes.includes('UNKNOWN') ? 'UNKNOWN' : (outcomes.at(-1) ?? null);
}

/** The exchanges that an id, a run or `@last` names, in time order, each with the profile of its run and what that left unchecked. */
export async function findExchanges(
  journal: Journal,
  id: string,
  wished: RunsWished = {},
): Promise<{ profile: string | null; insecure: boolean; view: ExchangeView }[]> {
  const found = await findRuns(journal, id, wished);
  const runs = Array.isArray(found) ? found : [found];
  const calls = runs.flatMap(({ profile, insecure = false, exchanges }) =>
    exchanges.map((view) => ({ profile, insecure, view })),
  );
  if (calls.length > 0) return calls;
  throw new ObkError({
    code: 'RESOURCE_NOT_SAVED',
    title: `The run ${id} called no bank.`,
    hint: ['obk log list'],
  });
}

/** One sentence about how it stands: what the last call that failed says, else the status; null where nothing is known. */
export function verdictOf(
  exchanges: readonly ExchangeView[],
  status: Pick<Ticket['statuses'][number], 'value' | 'meaning'> | undefined,
): string | null {
  const unknown = exchanges.findLast(
    ({ outcome, resolution }) => outcome === 'UNKNOWN' && resolution === undefined,
  );
  if (unknown !== undefined) {
    const { answer } = unknown;
    const why = answer === undefined ? 'no answer' : `the bank answered ${reasonIn(answer)}`;
    return `the outcome of ${unknown.operation} is unknown (${why})`;
  }
  const last = exchanges.at(-1);
  const failed = last === undefined || last.outcome === 'DONE' ? undefined : last;
  if (failed?.answer !== undefined && failed.outcome !== undefined)
    return `refused by the bank: ${refusalIn(failed.answer)} (${failed.operation})`;
  if (failed?.failure !== undefined)
    return failed.failure.left ? `no answer to ${failed.operation}` : `${failed.operation} was not sent`;
  if (status === undefined) return null;
  return status.meaning === null ? status.value : `${status.value}: ${status.meaning}`;
}

function refusalIn(answer: NonNullable<ExchangeView['answer']>): string {
  const { messages, status } = answer;
  const code = decisiveCode(messages);
  const path = messages.find((one) => one.code === code)?.path;
  const said = code === undefined || hasExit(code) ? code : `HTTP ${String(status)}, ${code}`;
  return `${said ?? reasonIn(answer)}${path === undefined ? '' : ` in ${path}`}`;
}

const mostWords = 80;

/** The status of an answer with its code, or with the first words of one that has none. */
function reasonIn({ status, body, headers }: NonNullable<ExchangeView['answer']>): string {
  const said = `HTTP ${String(status)}`;
  const type = headers.find(({ name }) => /^content-type$/i.test(name))?.value;
  const { shape, text = '', messages } = readErrorBody(Buffer.from(body), { contentType: type });
  const code = decisiveCode(messages) ?? messages.find((one) => one.text !== undefined)?.text;
  if (code !== undefined) return `${said}, ${short(code)}`;
  const words = shape === 'html' ? `HTML of a gateway or web server, ${text}` : text;
  return words.trim() === '' ? said : `${said}, ${short(words)}`;
}

function short(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > mostWords ? `${line.slice(0, mostWords)}…` : line;
}
