import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { readConsent } from '../../../client/resources/read-consent.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { withUse } from '../output/used-up.ts';
import { answerOutcome } from '../payment/answer-outcome.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) =>
  wireOptions(resourceId(command, 'consent').option('--raw', 'the exact bytes of the bank'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Read a consent as the bank has it: access, last day, accesses a day',
      examples: ['obk consent get @last', 'obk consent get @last --fields validUntil,frequencyPerDay'],
      exits: [4, 5, 7],
      more: ['obk help consent status', 'obk help consent list'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findResource(target, 'consent', options);
    const { answer, resource: read } = await readConsent(target, resource);
    return withUse(target, read, answerOutcome(answer, { id: read.id, raw: options.raw === true }));
  });
