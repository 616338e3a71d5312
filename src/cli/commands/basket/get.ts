import type { Register, Run } from '../../command.ts';
import { readBasket } from '../../../client/payments/baskets.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import type { ResourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { answerOutcome } from '../payment/answer-outcome.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { withTarget } from '../run/with-target.ts';

export const register: Register = (parent, start) =>
  start(
    wireOptions(resourceId(parent.command('get'), 'basket').option('--raw', 'the exact bytes of the bank')),
    {
      about: 'Read a signing basket as the bank has it: its members and its status',
      examples: ['obk basket get @last'],
      exits: [4, 5, 7],
      more: ['obk help basket status'],
    },
    run,
  );

const run: Run<ResourceId & { raw?: boolean }> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const target = await requireBaskets(opened);
    const resource = await findResource(target, 'basket', options);
    const answer = await readBasket(target, resource);
    return answerOutcome(answer, { id: resource.id, raw: options.raw === true });
  });
