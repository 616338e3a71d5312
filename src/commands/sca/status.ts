import { exitCodes } from '../../errors.ts';
import type { ExitCode } from '../../errors.ts';
import { findAuthorisation } from '../../flows/find-authorisation.ts';
import { readAuthorisations, watchAuthorisations } from '../../flows/sca-status.ts';
import type { Column } from '../../outcome.ts';
import { wireOptions } from '../global-options.ts';
import type { WireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { requireBaskets } from '../require-baskets.ts';
import { withTarget } from '../target.ts';
import { watchOf, watchOptions } from '../watch-options.ts';
import type { WatchOptions } from '../watch-options.ts';
import { nextOf, scaId } from './sca-id.ts';
import type { ScaId } from './sca-id.ts';

interface Options extends ScaId, WireOptions, WatchOptions {
  timeout?: number;
}

export const register: Register = (parent, start) =>
  start(
    wireOptions(
      watchOptions(scaId(parent.command('status')), 'every authorisation is over; one line per change'),
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

export const run: Run<Options> = (context, options) => {
  const { watch, wire } = watchOf(options);
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
    if (watch === undefined)
      return { ...list, rows: await readAuthorisations(target, found), next: nextOf(found) };
    let exit: ExitCode = exitCodes.pending;
    const rows = watchAuthorisations(target, found, {
      ...watch,
      ended: (success) => {
        exit = success === undefined ? exitCodes.pending : success ? exitCodes.ok : exitCodes.declined;
      },
    });
    return { ...list, rows, live: true, exitAtEnd: () => exit };
  });
};
