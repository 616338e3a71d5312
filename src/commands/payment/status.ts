import { readPaymentStatus } from '../../flows/saved-payment.ts';
import { exitCodes } from '../../errors.ts';
import { cleanLine } from '../../render/foreign.ts';
import { transactionStatus } from '../../xs2a/codes.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { withTarget } from '../target.ts';
import { answerOutcome } from './answer-outcome.ts';
import { exitOfStatus } from './exit-of-status.ts';
import { findPayment, paymentId } from './find-payment.ts';
import type { PaymentId } from './find-payment.ts';
import { statusText } from './payment-document.ts';

interface Options extends PaymentId {
  exitStatus?: boolean;
  raw?: boolean;
}

export const register: Register = (parent, start) =>
  start(
    wireOptions(
      paymentId(parent.command('status'))
        .option('--exit-status', 'exit 0 accepted, 8 pending, 9 rejected or cancelled')
        .option('--raw', 'the exact bytes of the bank'),
    ),
    {
      about: 'Ask the bank where a payment stands',
      examples: ['obk payment status @last', 'obk payment status @last --fields transactionStatus'],
      exits: [4, 5, 7, 8, 9],
      more: ['obk help payment authorise'],
    },
    run,
  );

export const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findPayment(target, options);
    const answer = await readPaymentStatus(target, resource);
    const status = answer.transactionStatus;
    const outcome = answerOutcome(answer, { id: resource.id, raw: options.raw === true });
    const open = status !== undefined && transactionStatus(status)?.kind === 'received';
    return {
      ...outcome,
      ...(answer.json === undefined
        ? {}
        : {
            text: (style) =>
              `${style.bold(`Payment ${cleanLine(resource.id)}`)}: ${statusText(status, style)}`,
          }),
      exit: options.exitStatus === true ? exitOfStatus(status, 'authorise') : exitCodes.ok,
      next: open ? [`obk payment authorise ${resource.id}`] : [],
    };
  });
