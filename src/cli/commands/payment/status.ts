import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import type { PaymentState } from '../../../client/resources/payment-state.ts';
import { readPaymentState, watchPayment } from '../../../client/payments/payment-status.ts';
import type { StatusReading } from '../../../client/payments/payment-status.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import type { Style } from '../../render/style.ts';
import { foldFor } from '../../render/wrap.ts';
import { transactionStatus } from '../../../standard/xs2a/codes.ts';
import { isXmlProduct } from '../../../standard/xs2a/products.ts';
import { exitOfStatus } from '../output/exit-of-status.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { stateLines } from '../output/rejected-lines.ts';
import { statusText } from '../flags/status-text.ts';
import { withTarget } from '../run/with-target.ts';
import { knownTransactionStatus, waitedFor, watchOf, watchOptions } from '../flags/watch-options.ts';

const flags = (command: Flags) =>
  wireOptions(
    watchOptions(
      resourceId(command, 'payment')
        .option('--pain002', 'ask for a pain.002 (of a pain.001 product)')
        .option('--exit-status', 'exit 0 accepted, 8 pending, 9 rejected or cancelled'),
      'nothing changes any more',
      { text: 'read again until this status, such as ACSC', read: knownTransactionStatus },
    ).option('--raw', 'the exact bytes of the bank'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Ask the bank where a payment stands',
      examples: [
        'obk payment status @last',
        'obk payment status @last --fields transactionStatus',
        'obk payment status @last --until ACSC --timeout 5m',
        'obk payment status @last --watch --until ACSC --json',
      ],
      exits: [4, 5, 7, 8, 9],
      more: ['obk help payment authorise'],
    },
    run,
  );

const run: Run<Options> = (context, options) => {
  const { watch, wire } = watchOf(options);
  return withTarget(context, wire, async (target) => {
    const resource = await findResource(target, 'payment', options);
    const how = { pain002: options.pain002 === true };
    if (watch === undefined) return outcomeOf(target, await readPaymentState(target, resource, how), options);
    return waitedFor(target, resource, watchPayment(target, resource, { ...how, ...watch }), {
      watch: options.watch,
      statusOf: ({ state }) => state.transactionStatus,
      outcomeOf: (reading, exit) => outcomeOf(target, reading, options, exit),
    });
  });
};

function outcomeOf(
  { ports }: Target,
  { answer, state, messages, resource }: StatusReading,
  { exitStatus, raw }: Options,
  exit?: ExitCode,
) {
  for (const { code, text } of messages) ports.notices.warn(cleanLine(`${code} ${text ?? ''}`.trim()));
  for (const text of state.contradictions ?? [])
    ports.notices.warn(cleanLine(`The report of the bank contradicts itself: ${text}`));
  const status = state.transactionStatus;
  return {
    kind: 'data' as const,
    data: answer?.json ?? state,
    text: (style: Style) => statusLines(resource, state, style).join('\n'),
    exit: exit ?? (exitStatus === true ? exitOfStatus('payment', status, 'authorise') : exitCodes.ok),
    next: nextSteps(resource, state),
    name: resource.id,
    ...(raw === true && answer !== undefined ? { raw: answer.body } : {}),
  };
}

function nextSteps(
  { id, product = '' }: SavedResource,
  { transactionStatus: status, rejected }: PaymentState,
) {
  switch (status === undefined ? undefined : transactionStatus(status)?.kind) {
    case 'received':
      return [line`obk payment authorise ${id}`];
    case 'partly-authorised':
      return [line`obk payment authorisations ${id}`];
    case 'partly':
      return rejected === undefined && isXmlProduct(product)
        ? [line`obk payment status ${id} --pain002   # which payments were rejected`]
        : [];
    default:
      return [];
  }
}

function statusLines(resource: SavedResource, state: PaymentState, style: Style): string[] {
  const title = style.bold(`Payment ${cleanLine(resource.id)}`);
  return foldFor(style, [
    `${title}: ${statusText(state.transactionStatus, style)}`,
    ...stateLines({ ...state, contradictions: [] }),
  ]);
}
