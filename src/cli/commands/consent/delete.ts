import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import { deleteConsent } from '../../../client/consents/consent.ts';
import { reread } from '../../../client/sca/decision.ts';
import { isFinalConsent } from '../../../standard/xs2a/codes.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { lead } from '../run/lead.ts';
import { wireOptions } from '../flags/global-options.ts';
import { resourceDocument, resourceText } from '../output/resource-document.ts';
import { confirmMoney, confirmOptions, scaOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) => wireOptions(scaOptions(confirmOptions(resourceId(command, 'consent'))));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'End a consent at the bank; with the PSU, where the bank wants that (consent.deleteNeedsSca)',
      examples: ['obk consent delete @last --yes'],
      exits: [4, 5, 7, 8, 9, 12],
      more: ['obk help consent list', 'obk help consent authorise'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const found = await findResource(target, 'consent', options);
    await confirmMoney(context, target, `The end of consent ${cleanLine(found.id)}`, options);
    const { resource, conversation } = await deleteConsent(target, (await reread(target, found)).resource);
    if (conversation !== undefined)
      return lead(
        context,
        target,
        { resource, conversation, resumed: false, leader: 'delete', created: true },
        options,
      );
    // A bank that does not say that it is over has not ended it.
    const done = isFinalConsent(resource.status ?? '');
    const next = line`obk consent status ${resource.id}`;
    return {
      kind: 'data',
      data: resourceDocument(target, resource, undefined, {
        kind: 'deletion',
        next: done ? 'obk consent list' : next,
      }),
      text: (style) => resourceText(target, resource, undefined, style),
      name: resource.id,
      ...(done ? {} : { exit: exitCodes.pending, next: [next] }),
    };
  });
