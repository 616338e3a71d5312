import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { formParts } from '../../../client/orders/form-parts.ts';
import { readPayment } from '../../../client/resources/read-payment.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { withTarget } from '../run/with-target.ts';
import { answerOutcome } from './answer-outcome.ts';

const flags = (command: Flags) =>
  wireOptions(resourceId(command, 'payment').option('--raw', 'the exact bytes of the bank'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Read a payment as the bank has it',
      examples: [
        'obk payment get @last',
        'obk payment get @last --fields instructedAmount.amount,creditorName',
      ],
      exits: [4, 5, 7],
      more: ['obk help payment status'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findResource(target, 'payment', options);
    const answer = await readPayment(target, resource);
    const parts = formParts(answer);
    const outcome = answerOutcome(answer, { id: resource.id, raw: options.raw === true });
    return parts === undefined ? outcome : { ...outcome, data: { parts } };
  });
