import { formParts } from '../../flows/form-parts.ts';
import { readPayment } from '../../flows/saved-payment.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { withTarget } from '../target.ts';
import { answerOutcome } from './answer-outcome.ts';
import { findPayment, paymentId } from './find-payment.ts';
import type { PaymentId } from './find-payment.ts';

export const register: Register = (parent, start) =>
  start(
    wireOptions(paymentId(parent.command('get')).option('--raw', 'the exact bytes of the bank')),
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

export const run: Run<PaymentId & { raw?: boolean }> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findPayment(target, options);
    const answer = await readPayment(target, resource);
    const parts = formParts(answer);
    const outcome = answerOutcome(answer, { id: resource.id, raw: options.raw === true });
    return parts === undefined ? outcome : { ...outcome, data: { parts } };
  });
