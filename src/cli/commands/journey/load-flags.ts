import type { Flags, OptionsOf } from '../../command.ts';
import type { LoadPlan, MaxErrors } from '../../../tester/journeys/load.ts';
import { duration, integer, usageError } from '../flags/flag-values.ts';

/** Adds the flags of a load. */
export const loadFlags = <Own>(command: Flags<Own>) =>
  command
    .optionsGroup('LOAD FLAGS')
    .option(
      '--arrivals <N/s>',
      'so many begin a second (or minute), whatever became of those before',
      arrivals,
    )
    .option('--for <DURATION>', 'for so long', duration('--for'))
    .option(
      '--users <N>',
      'at most so many at once (200); $user.number is one of them',
      integer('--users', 1, 10_000),
    )
    .option('--max-errors <N>', 'stop when more have failed: a number, or a share such as 1%', maxErrors);

type LoadOptions = OptionsOf<typeof loadFlags>;

/** Reads how many journeys arrive: 50/s, 90/m. */
function arrivals(text: string): number {
  const [, count = '', unit = ''] = /^([0-9]{1,6}(?:\.[0-9]{1,3})?)\/(s|m)$/.exec(text) ?? [];
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1);
  if (unit !== '' && perSecond > 0 && perSecond <= 100_000) return perSecond;
  throw usageError(
    `--arrivals takes a number a second or minute, such as 50/s or 90/m; not ${JSON.stringify(text)}.`,
  );
}

/** Reads a bound on errors: a number, or a share. */
function maxErrors(text: string): MaxErrors {
  const [, number = '', percent = ''] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)(%?)$/.exec(text) ?? [];
  if (percent !== '' && Number(number) <= 100) return { percent: Number(number) };
  if (percent === '' && /^[0-9]+$/.test(number)) return { most: Number(number) };
  throw usageError(`--max-errors takes a number or a share, such as 10 or 1%; not ${JSON.stringify(text)}.`);
}

/** Flags that a load has no use for, by the member that says whether they were given. */
const withoutUse = {
  parallel: '--parallel',
  repeat: '--repeat',
  bail: '--bail',
  junit: '--junit',
  annotations: '--annotations',
} as const;

/** The plan of a load; undefined where none is wanted. Throws USAGE for flags that do not go together. */
export function loadPlan(
  options: LoadOptions & Partial<Record<keyof typeof withoutUse, unknown>>,
): LoadPlan | undefined {
  const { arrivals: perSecond, for: forMs, users = 200, maxErrors: most = { percent: 1 } } = options;
  if (perSecond === undefined) {
    for (const name of ['for', 'users', 'maxErrors'] as const)
      if (options[name] !== undefined)
        throw usageError(
          `${name === 'maxErrors' ? '--max-errors' : `--${name}`} belongs to a load.`,
          '--arrivals 50/s',
        );
    return undefined;
  }
  if (forMs === undefined) throw usageError('A load needs its time.', '--for 60s');
  if (forMs < 100) throw usageError('A load takes at least 100 ms.', '--for 60s');
  for (const [name, flag] of Object.entries(withoutUse)) {
    const given = options[name as keyof typeof withoutUse];
    if (given !== undefined && given !== 1 && given !== false)
      throw usageError(`${flag} has no use beside --arrivals.`);
  }
  return { perSecond, forMs, users, maxErrors: most };
}
