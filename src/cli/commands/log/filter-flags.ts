import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf } from '../../command.ts';
import type { Context } from '../../context.ts';
import { idInJournal } from '../../../client/evidence/journal-runs.ts';
import type { LogFilter } from '../../../client/evidence/log-filter.ts';
import { oauthOperations } from '../../../client/oauth/oauth-operations.ts';
import { nearest } from '../../../base/nearest.ts';
import { operations } from '../../../standard/xs2a/operations.ts';
import { usageError } from '../flags/flag-values.ts';

/** A time as it is typed: a point, or so long ago. */
type Time = Date | { agoMs: number };

/** The options that choose among what was called. */
export type FilterOptions = OptionsOf<typeof filterFlags>;

const outcomes = ['DONE', 'REJECTED', 'NOT_SENT', 'UNKNOWN', 'FAILED', 'RESOLVED'];
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Adds the flags that choose among what was called; --profile is one of them where it is given. */
export const filterFlags = <Own>(command: Flags<Own>) =>
  command
    .optionsGroup('FILTER FLAGS')
    .option('--operation <NAME>', 'calls of this operation, such as initiatePayment', operationName)
    .option('--status <S>', 'HTTP status (401, 4xx) or outcome (UNKNOWN, REJECTED ...)', status)
    .option(
      '--resource <ID>',
      'about this payment, consent, basket or X-Request-ID, its first 6 or more characters',
    )
    .option('--since <TIME>', 'from then on: 2026-11-21, 2026-11-21T10:00Z, or 2h or 3d ago', time('--since'))
    .option('--until <TIME>', 'up to then', time('--until'));

/** The filter of a run of obk; --profile counts only where it was typed. Throws ID_AMBIGUOUS. */
export async function filterOf(context: Context, options: FilterOptions): Promise<LogFilter> {
  const { operation, status: wished, resource, since, until } = options;
  const { profile } = context.globals;
  const now = context.ports.clock.now().getTime();
  const point = (at: Time) => (at instanceof Date ? at : new Date(now - at.agoMs));
  return {
    ...defined({ profile, operation, status: wished }),
    ...(resource !== undefined && { resource: await idInJournal(context.ports.journal, resource) }),
    ...(since !== undefined && { since: point(since) }),
    ...(until !== undefined && { until: point(until) }),
  };
}

const operationNames: readonly string[] = [...operations.map(({ id }) => id), ...oauthOperations];

/** Accepts any case; completion takes the list from `choices`. */
const operationName = Object.assign(
  (text: string): string => {
    const found = operationNames.find((id) => id.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw usageError(
      `--operation: there is no ${JSON.stringify(text)}.`,
      ...nearest(text, operationNames).map((id) => `--operation ${id}`),
    );
  },
  { choices: operationNames },
);

function status(text: string): string {
  if (/^[1-5](\d\d|xx)$/i.test(text)) return text.toLowerCase();
  const outcome = text.toUpperCase().replaceAll('-', '_');
  if (outcomes.includes(outcome)) return outcome;
  throw usageError(
    `--status takes an HTTP status (401, 4xx) or ${outcomes.join(', ')}; not ${JSON.stringify(text)}.`,
  );
}

/** Reads a day, a time (ISO 8601, UTC unless it says otherwise), or how long ago. */
function time(flag: string): (text: string) => Time {
  return (text) => {
    const [, digits, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
    if (digits !== undefined) return { agoMs: Number(digits) * (units[unit] ?? 0) };
    const [whole, clock, zone] =
      /^\d{4}-\d{2}-\d{2}(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ??
      [];
    const point = new Date(
      whole === undefined ? Number.NaN : clock !== undefined && zone === undefined ? `${text}Z` : text,
    );
    if (!Number.isNaN(point.getTime())) return point;
    throw usageError(
      `${flag} takes a time such as 2026-11-21T10:00Z, or how long ago: 90m, 2h, 3d; not ${JSON.stringify(text)}.`,
    );
  };
}
