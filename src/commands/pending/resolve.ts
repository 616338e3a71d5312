import { findPending, resolvePending } from '../../flows/pending.ts';
import { badId } from '../../xs2a/request.ts';
import { demand, usageError } from '../flags.ts';
import type { Register, Run } from '../register.ts';
import { chosenProfile } from '../target.ts';

interface Options {
  id: string;
  paymentId?: string;
  notCreated?: boolean;
  reason?: string;
  dryRun?: boolean;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('resolve')
      .argument('<id>', 'as obk pending list shows it, or its beginning')
      .option('--payment-id <ID>', 'the bank made this payment')
      .option('--not-created', 'the bank made nothing')
      .option('--reason <TEXT>', 'how you know, for the journal')
      .option('--dry-run', 'say what would be settled and write nothing'),
    {
      about:
        'Settle an unknown payment with what you found out at the bank; --not-created lets it be sent again',
      examples: [
        'obk pending resolve ID --not-created --reason "the bank has no such payment"',
        'obk pending resolve ID --payment-id PAYMENT_ID --reason "seen in online banking"',
      ],
      exits: [3],
      more: ['obk pending list', 'obk help pending show'],
    },
    run,
  );

export const run: Run<Options> = async (context, options) => {
  const { id, paymentId, notCreated, reason } = options;
  const one = (paymentId !== undefined) !== (notCreated === true);
  demand(
    [!one && '--payment-id ID or --not-created (one of them)', reason === undefined && '--reason'],
    'obk pending resolve --help',
  );
  if (paymentId !== undefined) {
    const bad = badId(paymentId);
    if (bad !== undefined) throw usageError(`--payment-id cannot be used: ${bad}.`);
  }
  const { name, profile } = await chosenProfile(context);
  const item = await findPending(context.ports, name, id);
  if (item.kind === 'open') {
    throw usageError(`${item.id} is no unknown call; its authorisation is open.`, item.next);
  }
  const resolution = paymentId === undefined ? ({ notCreated: true } as const) : { paymentId };
  if (options.dryRun !== true) {
    await resolvePending(context.ports, { name, profile }, item, resolution, reason ?? '');
  }
  const next = paymentId === undefined ? [] : [`obk payment status ${paymentId}`];
  return {
    kind: 'data',
    data: {
      id: item.id,
      resolution: paymentId === undefined ? 'not-created' : 'created',
      paymentId: paymentId ?? null,
      next: next[0] ?? null,
      dryRun: options.dryRun === true,
    },
    text: () => {
      const settled = options.dryRun === true ? 'Would be settled' : 'Settled';
      return paymentId === undefined
        ? `${settled}: ${item.id} made nothing. It may be sent again.`
        : `${settled}: ${item.id} is payment ${paymentId}.`;
    },
    name: item.id,
    next,
  };
};
