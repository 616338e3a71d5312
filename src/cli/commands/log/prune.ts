import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { prune } from '../../../client/evidence/log-prune.ts';
import type { Keeping } from '../../../client/evidence/log-prune.ts';
import { pruneKept } from '../../../tester/journeys/kept-runs.ts';
import { days, integer, usageError } from '../flags/flag-values.ts';

const flags = (command: Flags) =>
  command
    .option('--older-than <DAYS>', 'runs that began earlier: 90d, 4w', days('--older-than'))
    .option('--keep <N>', 'all but the newest N runs', integer('--keep', 0, 100_000_000))
    .option('--dry-run', 'say what would be removed, and remove nothing');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Remove old runs from the journal; those that something open or unknown needs stay, and no payment is sent twice',
      usage: '--older-than DAYS',
      examples: [
        'obk log prune --older-than 90d --dry-run',
        'obk log prune --keep 1000',
        'obk config set retention 90d   # old runs go by themselves',
      ],
      exits: [3],
      more: ['obk help config set', 'obk help pending'],
    },
    run,
  );

const day = 24 * 60 * 60 * 1000;

const run: Run<Options> = async (context, { olderThan, keep, dryRun = false }) => {
  if ((olderThan === undefined) === (keep === undefined)) {
    throw usageError('Give --older-than DAYS or --keep N.', 'obk log prune --older-than 90d --dry-run');
  }
  const { clock } = context.ports;
  const { profile } = context.globals;
  const old =
    keep === undefined
      ? { before: new Date(clock.now().getTime() - (olderThan ?? 0) * day) }
      : { allBut: keep };
  const { removed, kept } = await prune(context.ports, old, {
    dryRun,
    ...defined({ profile }),
  });
  // Those of journeys are of no one profile.
  const journeys =
    profile === undefined
      ? await pruneKept(context.ports.files, context.directories.state, { ...old, dryRun })
      : 0;
  const gone = dryRun ? 'would be' : 'were';
  return {
    kind: 'data',
    data: { dryRun, removed, kept, ...(journeys > 0 && { journeys }) },
    text: () =>
      [
        headline(removed.length, dryRun),
        ...(journeys > 0 ? [`${String(journeys)} kept runs of journeys ${gone} removed.`] : []),
        ...staying(kept),
      ].join('\n'),
    name: removed.join('\n'),
  };
};

function headline(count: number, dryRun: boolean): string {
  const runs = count === 1 ? '1 run' : `${String(count)} runs`;
  return dryRun ? `${runs} would be removed.` : `${runs} removed.`;
}

const reasons: Readonly<Record<Keeping, string>> = {
  intent: 'what became of its payment only the journal can tell',
  unknown: 'the outcome of a write is unknown (obk pending list)',
  resource: 'what was made is not final, or not known',
  notEnded: 'without an end, perhaps running',
  unreadable: 'damaged; ask the bank what became of the writes',
};

function staying(kept: Readonly<Record<Keeping, number>>): string[] {
  return Object.entries(reasons).flatMap(([reason, text]) => {
    const count = kept[reason as Keeping];
    return count === 0 ? [] : [`Kept ${String(count)}: ${text}.`];
  });
}
