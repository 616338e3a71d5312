import { exitCodes } from '../../errors.ts';
import { refreshMembers } from '../../flows/baskets.ts';
import type { MemberState } from '../../flows/baskets.ts';
import { endOf } from '../../flows/parent-status.ts';
import { readPaymentState, watchPayment } from '../../flows/payment-status.ts';
import { cleanLine } from '../../render/foreign.ts';
import { exitOfStatus } from '../exit-of-status.ts';
import { findResource, resourceId } from '../find-resource.ts';
import type { ResourceId } from '../find-resource.ts';
import { duration, usageError } from '../flags.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { memberLines, resourceText } from '../resource-document.ts';
import { requireBaskets } from '../require-baskets.ts';
import { withTarget } from '../target.ts';

interface Options extends ResourceId {
  exitStatus?: boolean;
  raw?: boolean;
  watch?: boolean;
  interval?: number;
  timeout?: number;
}

export const register: Register = (parent, start) =>
  start(
    wireOptions(
      resourceId(parent.command('status'), 'basket')
        .option('--exit-status', 'exit 0 authorised, 8 pending, 9 rejected or cancelled')
        .option('--watch', 'read again until it is authorised, rejected or cancelled')
        .option('--interval <DURATION>', 'between two reads (5s)', duration('--interval'))
        .option('--timeout <DURATION>', 'longest wait (5m); of one call otherwise', duration('--timeout'))
        .option('--raw', 'the exact bytes of the bank'),
    ),
    {
      about: 'Ask the bank where a signing basket stands, and its members once that is decided',
      examples: ['obk basket status @last', 'obk basket status @last --watch --timeout 5m'],
      exits: [4, 5, 7, 8, 9],
      more: ['obk help basket authorise'],
    },
    run,
  );

const standard = { waitMs: 5 * 60_000, intervalMs: 5_000 };

export const run: Run<Options> = (context, options) => {
  const { watch, interval, timeout, ...others } = options;
  if (watch !== true && interval !== undefined) throw usageError('--interval goes with --watch.');
  const wire = { ...others, ...(watch === true || timeout === undefined ? {} : { timeout }) };
  return withTarget(context, wire, async (target) => {
    await requireBaskets(target);
    const found = await findResource(target, 'basket', options);
    let shown = found.status;
    const read =
      watch === true
        ? await watchPayment(target, found, {
            intervalMs: interval ?? standard.intervalMs,
            timeoutMs: timeout ?? standard.waitMs,
            seen: ({ state: { transactionStatus } }) => {
              if (transactionStatus === shown) return;
              shown = transactionStatus;
              target.ports.notices.say(`Basket ${cleanLine(found.id)}: ${cleanLine(shown ?? 'no status')}`);
            },
          })
        : { ...(await readPaymentState(target, found)), end: undefined };
    const { answer, state, resource } = read;
    const decided = endOf('basket', resource.status) !== undefined;
    const members: MemberState[] = decided ? await refreshMembers(target, resource) : [];
    const usual =
      options.exitStatus === true ? exitOfStatus('basket', resource.status, 'authorise') : exitCodes.ok;
    return {
      kind: 'data',
      data: answer?.json ?? state,
      text: (style) =>
        [resourceText(target, resource, undefined, style), ...memberLines(members, style)].join('\n'),
      exit: read.end === 'timeout' ? exitCodes.pending : usual,
      next: decided ? [] : [`obk basket authorise ${resource.id}`],
      name: resource.id,
      ...(options.raw === true && answer !== undefined ? { raw: answer.body } : {}),
    };
  });
};
