import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { exitCodes } from '../../../base/errors.ts';
import type { ExitCode } from '../../../base/errors.ts';
import { bankSays } from '../../../client/resources/bank-says.ts';
import { tellWarnings } from '../../../client/call/bank-warnings.ts';
import { readConsentState, watchConsent } from '../../../client/consents/consent-status.ts';
import type { ConsentReading } from '../../../client/consents/consent-status.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { DataOutcome } from '../../outcome.ts';
import {
  consentStatus,
  consentStatuses,
  isFinalConsent,
  isUsableConsent,
} from '../../../standard/xs2a/codes.ts';
import { foldFor } from '../../render/wrap.ts';
import { exitOfStatus } from '../output/exit-of-status.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { oneOf } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { resourceText } from '../output/resource-document.ts';
import { withUse } from '../output/used-up.ts';
import { withTarget } from '../run/with-target.ts';
import { waitedFor, watchOf, watchOptions } from '../flags/watch-options.ts';

const known = consentStatuses.map(({ code }) => code);

const flags = (command: Flags) =>
  wireOptions(
    watchOptions(
      resourceId(command, 'consent').option('--exit-status', 'exit 0 valid, 8 open, 9 ended'),
      'it is valid or has ended',
      { text: 'read again until this status, such as valid', read: oneOf('--until', known) },
    ).option('--raw', 'the exact bytes of the bank'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Ask the bank where a consent stands',
      examples: ['obk consent status @last', 'obk consent status @last --until valid --timeout 5m'],
      exits: [4, 5, 7, 8, 9],
      more: ['obk help consent authorise', 'obk help consent get'],
    },
    run,
  );

const run: Run<Options> = (context, options) => {
  const { watch, wire } = watchOf(options);
  return withTarget(context, wire, async (target) => {
    const resource = await findResource(target, 'consent', options);
    if (watch === undefined) {
      const reading = await readConsentState(target, resource);
      return withUse(target, reading.resource, outcomeOf(target, reading, options));
    }
    return waitedFor(target, resource, watchConsent(target, resource, watch), {
      watch: options.watch,
      statusOf: (reading) => reading.resource.status,
      outcomeOf: (reading, exit) => outcomeOf(target, reading, options, exit),
    });
  });
};

function outcomeOf(
  target: Target,
  { answer, resource }: ConsentReading,
  { exitStatus, raw }: Options,
  exit?: ExitCode,
): DataOutcome {
  const { id, status = '' } = resource;
  const open = consentStatus(status) !== undefined && !isUsableConsent(status) && !isFinalConsent(status);
  const { psuMessage } = answer;
  tellWarnings(target, answer);
  return {
    kind: 'data',
    data: answer.json ?? { consentStatus: status },
    text: (style) =>
      [
        resourceText(target, resource, undefined, style),
        ...(psuMessage === undefined ? [] : foldFor(style, [`  ${cleanLine(bankSays(psuMessage))}`])),
      ].join('\n'),
    exit: exit ?? (exitStatus === true ? exitOfStatus('consent', status, 'authorise') : exitCodes.ok),
    next: open
      ? [line`obk consent authorise ${id}`]
      : isUsableConsent(status)
        ? [line`obk accounts --consent ${id}`]
        : [],
    name: id,
    ...(raw === true ? { raw: answer.body } : {}),
  };
}
