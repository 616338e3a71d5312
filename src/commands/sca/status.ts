import { exitCodes } from '../../errors.ts';
import type { ExitCode } from '../../errors.ts';
import { findAuthorisation } from '../../flows/find-authorisation.ts';
import { readAuthorisations, watchAuthorisations } from '../../flows/sca-status.ts';
import type { Column } from '../../outcome.ts';
import { duration, usageError } from '../flags.ts';
import { wireOptions } from '../global-options.ts';
import type { WireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { requireBaskets } from '../require-baskets.ts';
import { withTarget } from '../target.ts';
import { nextOf, scaId } from './sca-id.ts';
import type { ScaId } from './sca-id.ts';

interface Options extends ScaId, WireOptions {
  watch?: boolean;
  interval?: number;
  timeout?: number;
}

export const register: Register = (parent, start) =>
  start(
    wireOptions(
      scaId(parent.command('status'))
        .option('--watch', 'read again until every authorisation is over; one line per change')
        .option('--interval <DURATION>', 'between two reads (5s)', duration('--interval'))
        .option('--timeout <DURATION>', 'longest wait (5m); of one call otherwise', duration('--timeout')),
    ),
    {
      about: 'Show every authorisation of a resource, each with its scaStatus; of one, if its id is given',
      examples: [
        'obk sca status @last',
        'obk sca status --json',
        'obk sca status @last --watch --timeout 5m',
      ],
      exits: [8, 9, 4, 5],
      more: ['obk help sca submit', 'obk help payment status'],
    },
    run,
  );

const columns: readonly Column[] = [
  { key: 'of', title: 'OF' },
  { key: 'authorisationId', title: 'AUTHORISATION' },
  { key: 'scaStatus', title: 'STATUS' },
  { key: 'psuId', title: 'PSU' },
  { key: 'changedAt', title: 'SINCE' },
  { key: 'approach', title: 'APPROACH', wide: true },
];

const standardWaitMs = 5 * 60_000;
const standardIntervalMs = 5_000;

export const run: Run<Options> = (context, options) => {
  const { watch = false, interval = standardIntervalMs, timeout, ...others } = options;
  if (!watch && options.interval !== undefined) throw usageError('--interval goes with --watch.');
  const wire = { ...others, ...(watch || timeout === undefined ? {} : { timeout }) };
  return withTarget(context, wire, async (target) => {
    const found = await findAuthorisation(target, options.id, target.run.psu?.id);
    const { noun, id } = found.resource;
    if (noun === 'basket') await requireBaskets(target);
    const list = {
      kind: 'rows' as const,
      columns,
      nameKey: 'authorisationId',
      empty: `No authorisation of the ${noun} ${id} is known.`,
    };
    if (!watch) return { ...list, rows: await readAuthorisations(target, found), next: nextOf(found) };
    let exit: ExitCode = exitCodes.pending;
    const rows = watchAuthorisations(target, found, {
      intervalMs: interval,
      timeoutMs: timeout ?? standardWaitMs,
      ended: (success) => {
        exit = success === undefined ? exitCodes.pending : success ? exitCodes.ok : exitCodes.declined;
      },
    });
    return { ...list, rows, live: true, exitAtEnd: () => exit };
  });
};
