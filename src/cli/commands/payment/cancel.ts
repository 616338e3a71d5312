import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import { cancelPayment } from '../../../client/payments/cancel.ts';
import { reread } from '../../../client/sca/decision.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { lead, ledOutcome } from '../run/lead.ts';
import { approachOptions, preferencesOf } from '../flags/tpp-preferences.ts';
import { accountsGrouped } from '../output/for-person.ts';
import { resourceDocument, summaryText } from '../output/resource-document.ts';
import { confirmMoney, confirmOptions, scaOptions } from '../flags/sca-options.ts';
import { documented } from '../run/documented.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(scaOptions(confirmOptions(approachOptions(resourceId(command, 'payment')))));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Cancel a payment that is not executed yet',
      examples: ['obk payment cancel @last --yes'],
      exits: [5, 8, 9, 12],
      more: ['obk help payment authorise'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const { resource } = await reread(target, await findResource(target, 'payment', options));
    const { id, summary } = resource;
    const which = summary === undefined ? '' : `, ${accountsGrouped(summaryText(summary), {})}`;
    await confirmMoney(context, target, `Cancellation of payment ${cleanLine(id)}${which}`, options);
    const result = await documented(target, resource, 'cancellation', () =>
      cancelPayment(target, resource, preferencesOf(options)),
    );
    switch (result.kind) {
      case 'cancelled':
      case 'untold': {
        const { resource: now, said = {} } = result;
        const done = { conversation: undefined, success: true, timedOut: false, missing: [], asked: true };
        return ledOutcome(context, target, { ...done, resource: now, said }, 'cancel');
      }
      case 'authorise':
        return lead(context, target, { ...result, resumed: false, leader: 'cancel', created: true }, options);
      case 'impossible': {
        const { error } = result;
        return {
          kind: 'data',
          data: resourceDocument(target, resource, undefined, {
            kind: 'cancellation',
            next: line`obk payment get ${resource.id}`,
            more: { code: error.bankCode ?? null, tppMessages: error.messages },
          }),
          text: (style) =>
            [
              `${style.bad('✗')} The bank does not cancel payment ${cleanLine(resource.id)} any more.`,
              ...error.messages.map(({ code, text }) =>
                cleanLine(
                  `  ${[code, text && `— "${text}"`].filter((part) => part !== undefined).join(' ')}`,
                ),
              ),
            ].join('\n'),
          exit: exitCodes.declined,
          name: resource.id,
          next: [line`obk payment get ${resource.id}`],
        };
      }
    }
  });
