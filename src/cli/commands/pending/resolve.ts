import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { cleanLine } from '../../../base/clean.ts';
import type { Context } from '../../context.ts';
import { prepareReplay, sendReplay } from '../../../client/payments/replay.ts';
import type { Outcome } from '../../outcome.ts';
import { findPending, resolvePending } from '../../../client/payments/pending.ts';
import type { Resolution } from '../../../client/payments/pending.ts';
import { creations } from '../../../client/resources/unknown-writes.ts';
import { idNames, nouns } from '../../../standard/sca/operations.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import { badId } from '../../../standard/xs2a/request.ts';
import { demand, usageError } from '../flags/flag-values.ts';
import { confirmMoney, confirmOptions } from '../flags/sca-options.ts';
import { chosenProfile, withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  confirmOptions(
    command
      .argument('<id>', 'as obk pending list shows it, or its beginning')
      .option('--payment-id <ID>', 'the bank made this payment')
      .option('--consent-id <ID>', 'the bank made this consent')
      .option('--basket-id <ID>', 'the bank made this signing basket')
      .option('--not-created', 'the bank made nothing')
      .option('--reason <TEXT>', 'how you know, for the journal')
      .option(
        '--replay',
        'send the very request once more, where the operator has set requestIdSemantics to replay; asks first',
      )
      .option('--dry-run', 'say what would be settled and write nothing'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Settle an unknown payment (or consent, or basket) with what you found out at the bank; --not-created lets it be sent again',
      examples: [
        'obk pending resolve ID --not-created --reason "the bank has no such payment"',
        'obk pending resolve ID --payment-id PAYMENT_ID --reason "seen in online banking"',
        'obk pending resolve ID --replay --yes',
      ],
      exits: [3, 5, 7, 8, 12],
      more: ['obk pending list', 'obk help pending show'],
    },
    run,
  );

const run: Run<Options> = async (context, options) => {
  if (options.replay === true) return replayed(context, options);
  const { id, notCreated, reason } = options;
  const given = nouns.filter((noun) => options[idNames[noun]] !== undefined);
  const [noun, ...others] = given;
  const one = others.length === 0 && (noun !== undefined) !== (notCreated === true);
  demand(
    [!one && '--payment-id ID, --not-created or --replay (one of them)', reason === undefined && '--reason'],
    'obk pending resolve --help',
  );
  const made = noun === undefined ? undefined : options[idNames[noun]];
  if (noun !== undefined && made !== undefined) {
    const bad = badId(made);
    if (bad !== undefined) throw usageError(`--${noun}-id cannot be used: ${bad}.`);
  }
  const { name, profile } = await chosenProfile(context);
  const item = await findPending(context.ports, name, id);
  if (item.kind === 'open') {
    throw usageError(`${item.id} is no unknown call; its authorisation is open.`, item.next);
  }
  refuseStrange(item.operation, noun);
  if (options.dryRun !== true) {
    const resolution: Resolution = noun === undefined ? { notCreated: true } : { [idNames[noun]]: made };
    await resolvePending({ ports: context.ports, name, profile }, item, resolution, reason ?? '');
  }
  const next = noun === undefined || made === undefined ? [] : [line`obk ${noun} status ${made}`];
  return {
    kind: 'data',
    data: {
      id: item.id,
      resolution: noun === undefined ? 'not-created' : 'created',
      paymentId: null,
      ...(noun === undefined ? {} : { [idNames[noun]]: made }),
      next: next[0] ?? null,
      dryRun: options.dryRun === true,
    },
    text: () => {
      const settled = options.dryRun === true ? 'Would be settled' : 'Settled';
      return noun === undefined
        ? `${settled}: ${item.id} made nothing. It may be sent again.`
        : `${settled}: ${item.id} is ${noun} ${made ?? ''}.`;
    },
    name: item.id,
    next,
  };
};

/** Sends the request once more; the bank tells what it had made of it. */
const replayed = (context: Context, options: Options): Promise<Outcome> =>
  withTarget(context, {}, async (target) => {
    const { id } = options;
    const strange = [...nouns.map((noun) => idNames[noun]), 'notCreated' as const].find(
      (name) => options[name] !== undefined,
    );
    if (strange !== undefined) throw usageError('--replay asks the bank, so that nothing else is said.');
    const item = await findPending(context.ports, target.name, id);
    if (item.kind === 'open') {
      throw usageError(`${item.id} is no unknown call; its authorisation is open.`, item.next);
    }
    const replay = await prepareReplay(target, item);
    const noun = creations[item.operation];
    const agreed = options.yes === true || options.confirm !== undefined || target.ports.person.present;
    demand([!agreed && '--yes'], 'obk pending resolve --help');
    if (options.dryRun !== true) {
      context.ports.notices.warn(
        `At a bank that does not know this X-Request-ID any more it makes a second ${noun ?? 'call'}; requestIdSemantics of ${target.name} says that the bank answers as it did before.`,
      );
      const what = `The request ${cleanLine(item.requestId)} (${cleanLine(item.operation)}) goes to the bank once more`;
      await confirmMoney(context, target, what, options);
    }
    const answer = options.dryRun === true ? undefined : await sendReplay(target, replay);
    const made = noun === undefined ? undefined : answer?.ids[idNames[noun]];
    if (answer !== undefined) {
      if (noun !== undefined && made === undefined)
        throw usageError('The bank names nothing that it made.', item.next);
      const resolution: Resolution =
        noun === undefined || made === undefined ? { notCreated: true } : { [idNames[noun]]: made };
      const reason = `replayed: the bank answered ${String(answer.status)} to the same request`;
      if (made !== undefined) await resolvePending(target, item, resolution, reason);
    }
    const next = noun === undefined || made === undefined ? [] : [line`obk ${noun} status ${made}`];
    return {
      kind: 'data',
      data: {
        id: item.id,
        resolution: 'created',
        paymentId: null,
        ...(noun === undefined || made === undefined ? {} : { [idNames[noun]]: made }),
        next: next[0] ?? null,
        dryRun: options.dryRun === true,
      },
      text: () =>
        made === undefined
          ? `${item.id} would be sent once more under the id ${cleanLine(item.requestId)}.`
          : `Settled: ${item.id} is ${noun ?? ''} ${cleanLine(made)}.`,
      name: item.id,
      next,
    };
  });

/** A payment that left did not make a basket. */
function refuseStrange(operation: string, noun: Noun | undefined): void {
  const expected = creations[operation];
  if (noun === undefined || expected === undefined || noun === expected) return;
  throw usageError(`${operation} makes no ${noun}.`, `--${expected}-id ID`);
}
