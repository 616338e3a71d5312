import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { askBank, findPending } from '../../../client/payments/pending.ts';
import type { OpenAuthorisation, PendingItem } from '../../../client/payments/pending.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { idNames, nouns } from '../../../standard/sca/operations.ts';
import { usageError } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { lead } from '../run/lead.ts';
import { leaderOf } from '../output/exit-of-status.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { feesOption, returnOption, scaOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(
    returnOption(
      feesOption(scaOptions(command.argument('<id>', 'as obk pending list shows it, or its beginning'))),
    ),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Go on with an open authorisation, or ask the bank what became of an unknown call; nothing is sent twice',
      examples: ['obk pending resume ID', 'obk pending resume ID --wait --timeout 2m'],
      exits: [8, 9, 12],
      more: ['obk pending list', 'obk help pending resolve'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const item = await findPending(opened.ports, opened.name, options.id);
    const target = isOfBasket(item) ? await requireBaskets(opened) : opened;
    if (item.kind === 'open') {
      const { resource, conversation } = item;
      refuseAnother(target, item);
      const leader = leaderOf(conversation.parent.kind);
      return lead(
        context,
        target,
        { resource, conversation, resumed: true, leader, created: false },
        options,
      );
    }
    const { status, resource } = await askBank(target, item);
    const noun = nouns.find((one) => idNames[one] in resource);
    const next = noun === undefined ? [] : [line`obk ${noun} status ${resource[idNames[noun]] ?? ''}`];
    return {
      kind: 'data',
      data: { id: item.id, operation: item.operation, status, resource, next: next[0] ?? null },
      text: () => `${item.operation}: the bank says ${cleanLine(status)}. The entry is settled.`,
      name: item.id,
      next,
    };
  });

function isOfBasket(item: PendingItem): boolean {
  return item.kind === 'open' ? item.resource.noun === 'basket' : item.resource?.basketId !== undefined;
}

/** An entry is the authorisation of one PSU; another one begins with an authorisation of their own. */
function refuseAnother({ run: { psu } }: Target, { resource, conversation }: OpenAuthorisation): void {
  const { psuId } = conversation;
  if (psu?.id === undefined || psuId === undefined || psu.id === psuId) return;
  throw usageError(
    `This authorisation is that of PSU ${psuId}, not of ${psu.id}.`,
    line`obk ${resource.noun} authorise ${resource.id} --psu-id ${psu.id}`,
  );
}
