import type { Journal } from '../ports/journal.ts';
import type { ExchangeView } from '../../settings/records/exchange.ts';
import { paramsOf } from '../../standard/xs2a/path-params.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { findRuns } from './journal-runs.ts';
import type { RunView, RunsWished } from './journal-runs.ts';

const idNames = ['paymentId', 'consentId', 'basketId'] as const;

/**
 * The runs that ids, runs or `@last` name, oldest first and whole, with the earlier ones that made what they are about and changed
 * it; `@last` and `@failed` may be of one profile. Account numbers are not masked. Throws RESOURCE_NOT_SAVED and ID_AMBIGUOUS.
 */
export async function runsToRecord(
  journal: Journal,
  wished: readonly string[],
  { profile }: Pick<RunsWished, 'profile'> = {},
): Promise<RunView[]> {
  const chosen = new Map<string, RunView>();
  const whole = async (id: string): Promise<RunView[]> => {
    const found = await findRuns(journal, id, { whole: true, profile });
    return Array.isArray(found) ? found : [found];
  };
  const add = async (run: string): Promise<void> => {
    for (const view of chosen.has(run) ? [] : await whole(run)) chosen.set(view.run, view);
  };
  for (const wish of wished) for (const { run } of await whole(wish)) await add(run);
  const asked = new Set<string>();
  for (;;) {
    const views = [...chosen.values()];
    const made = new Set(views.flatMap(({ exchanges }) => exchanges.flatMap(madeBy)));
    const missing = views
      .flatMap((view) => view.exchanges.flatMap(usedBy).map((id) => ({ id, view })))
      .find(({ id }) => !made.has(id) && !asked.has(id));
    if (missing === undefined) break;
    asked.add(missing.id);
    for (const { run, startedAt, exchanges } of await whole(missing.id).catch(() => []))
      if (startedAt <= missing.view.startedAt && exchanges.some(({ method }) => method !== 'GET'))
        await add(run);
  }
  return [...chosen.values()].sort((one, other) =>
    one.startedAt < other.startedAt || (one.startedAt === other.startedAt && one.run < other.run) ? -1 : 1,
  );
}

/** The ids of what a call has made. */
function madeBy({ method, answer }: ExchangeView): string[] {
  if (method !== 'POST' || answer === undefined || answer.status >= 300) return [];
  return idsIn(tryJson(Buffer.from(answer.body)));
}

/** The ids of what a call is about. */
function usedBy({ operation, url, request }: ExchangeView): string[] {
  const params = paramsOf(operation, url) ?? {};
  const consent = headerOf(
    request.headers.map(({ name, value }): [string, string] => [name, value]),
    'consent-id',
  );
  const { paymentIds, consentIds } = (tryJson(Buffer.from(request.body)) ?? {}) as Record<string, unknown>;
  const inBasket = operation === 'createSigningBasket' ? [paymentIds, consentIds].flat() : [];
  return [...idNames.map((name) => params[name]), consent, ...inBasket].filter(
    (id): id is string => typeof id === 'string',
  );
}

function idsIn(value: unknown): string[] {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return idNames.flatMap((name) => (typeof members[name] === 'string' ? [members[name]] : []));
}
