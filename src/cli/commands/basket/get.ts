import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { readBasket } from '../../../client/payments/baskets.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { answerOutcome } from '../payment/answer-outcome.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(resourceId(command, 'basket').option('--raw', 'the exact bytes of the bank'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Read a signing basket as the bank has it: its members and its status',
      examples: ['obk basket get @last'],
      exits: [4, 5, 7],
      more: ['obk help basket status'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const target = await requireBaskets(opened);
    const resource = await findResource(target, 'basket', options);
    const answer = await readBasket(target, resource);
    return answerOutcome(answer, { id: resource.id, raw: options.raw === true });
  });
