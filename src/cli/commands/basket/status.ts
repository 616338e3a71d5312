import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import { tellWarnings } from '../../../client/call/bank-warnings.ts';
import { refreshMembers } from '../../../client/payments/baskets.ts';
import type { MemberState } from '../../../client/payments/baskets.ts';
import { endOf } from '../../../client/resources/parent-status.ts';
import { readPaymentState, watchPayment } from '../../../client/payments/payment-status.ts';
import type { StatusReading } from '../../../client/payments/payment-status.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { DataOutcome } from '../../outcome.ts';
import { exitOfStatus } from '../output/exit-of-status.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { memberLines, resourceText } from '../output/resource-document.ts';
import { withTarget } from '../run/with-target.ts';
import { knownTransactionStatus, waitedFor, watchOf, watchOptions } from '../flags/watch-options.ts';

const flags = (command: Flags) =>
  wireOptions(
    watchOptions(
      resourceId(command, 'basket').option(
        '--exit-status',
        'exit 0 authorised, 8 pending, 9 rejected or cancelled',
      ),
      'it is authorised, rejected or cancelled',
      { text: 'read again until this status, such as ACTC', read: knownTransactionStatus },
    ).option('--raw', 'the exact bytes of the bank'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Ask the bank where a signing basket stands, and its members once that is decided',
      examples: ['obk basket status @last', 'obk basket status @last --watch --timeout 5m'],
      exits: [4, 5, 7, 8, 9],
      more: ['obk help basket authorise'],
    },
    run,
  );

const run: Run<Options> = (context, options) => {
  const { watch, wire } = watchOf(options);
  return withTarget(context, wire, async (opened) => {
    const target = await requireBaskets(opened);
    const found = await findResource(target, 'basket', options);
    const outcome = (reading: StatusReading, exit?: ExitCode) => outcomeOf(target, reading, options, exit);
    if (watch === undefined) return outcome(await readPaymentState(target, found));
    return waitedFor(target, found, watchPayment(target, found, watch), {
      watch: options.watch,
      statusOf: ({ state }) => state.transactionStatus,
      outcomeOf: outcome,
    });
  });
};

async function outcomeOf(
  target: Target,
  { answer, state, resource }: StatusReading,
  { exitStatus, raw }: Options,
  exit?: ExitCode,
): Promise<DataOutcome> {
  if (answer !== undefined) tellWarnings(target, answer);
  const decided = endOf('basket', resource.status) !== undefined;
  const members: MemberState[] = decided ? await refreshMembers(target, resource) : [];
  const usual = exitStatus === true ? exitOfStatus('basket', resource.status, 'authorise') : exitCodes.ok;
  return {
    kind: 'data',
    data: answer?.json ?? state,
    text: (style) =>
      [resourceText(target, resource, undefined, style), ...memberLines(members, style)].join('\n'),
    exit: exit ?? usual,
    next: decided ? [] : [line`obk basket authorise ${resource.id}`],
    name: resource.id,
    ...(raw === true && answer !== undefined ? { raw: answer.body } : {}),
  };
}
