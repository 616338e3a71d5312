import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import { deleteBasket } from '../../../client/payments/baskets.ts';
import { endOf } from '../../../client/resources/parent-status.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { confirmMoney, confirmOptions } from '../flags/sca-options.ts';
import { requireBaskets } from '../run/require-offered.ts';
import { resourceDocument, resourceText } from '../output/resource-document.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) => wireOptions(confirmOptions(resourceId(command, 'basket')));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Delete a signing basket that nobody has authorised yet; its members are free again',
      examples: ['obk basket delete @last --yes'],
      exits: [5, 8, 12],
      more: ['obk help basket create'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const target = await requireBaskets(opened);
    const found = await findResource(target, 'basket', options);
    await confirmMoney(context, target, `The deletion of basket ${cleanLine(found.id)}`, options);
    const resource = await deleteBasket(target, found);
    // A bank that does not say that it is over has not deleted it.
    const done = endOf('basket', resource.status) === false;
    const next = line`obk basket status ${resource.id}`;
    return {
      kind: 'data',
      data: resourceDocument(target, resource, undefined, { next: done ? undefined : next }),
      text: (style) => resourceText(target, resource, undefined, style),
      name: resource.id,
      ...(done ? {} : { exit: exitCodes.pending, next: [next] }),
    };
  });
