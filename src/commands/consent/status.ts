import { readConsentState, watchConsent } from '../../flows/consent-status.ts';
import type { ConsentReading } from '../../flows/consent-status.ts';
import { exitCodes } from '../../errors.ts';
import type { ExitCode } from '../../errors.ts';
import type { Target } from '../../flows/target.ts';
import type { DataOutcome } from '../../outcome.ts';
import { cleanLine } from '../../render/foreign.ts';
import { consentStatus, consentStatuses, isFinalConsent, isUsableConsent } from '../../xs2a/codes.ts';
import { duration, oneOf, usageError } from '../flags.ts';
import { exitOfStatus } from '../exit-of-status.ts';
import { findResource, resourceId } from '../find-resource.ts';
import type { ResourceId } from '../find-resource.ts';
import { wireOptions } from '../global-options.ts';
import type { Register, Run } from '../register.ts';
import { resourceText } from '../resource-document.ts';
import { withTarget } from '../target.ts';

interface Options extends ResourceId {
  exitStatus?: boolean;
  raw?: boolean;
  watch?: boolean;
  until?: string;
  interval?: number;
  timeout?: number;
}

const known = consentStatuses.map(({ code }) => code);

export const register: Register = (parent, start) =>
  start(
    wireOptions(
      resourceId(parent.command('status'), 'consent')
        .option('--exit-status', 'exit 0 valid, 8 open, 9 ended')
        .option('--watch', 'read again until it is valid or has ended')
        .option('--until <STATUS>', 'the same until this status, such as valid', oneOf('--until', known))
        .option('--interval <DURATION>', 'between two reads (5s)', duration('--interval'))
        .option('--timeout <DURATION>', 'longest wait (5m); of one call otherwise', duration('--timeout'))
        .option('--raw', 'the exact bytes of the bank'),
    ),
    {
      about: 'Ask the bank where a consent stands',
      examples: ['obk consent status @last', 'obk consent status @last --until valid --timeout 5m'],
      exits: [4, 5, 7, 8, 9],
      more: ['obk help consent authorise', 'obk help consent get'],
    },
    run,
  );

const standardWaitMs = 5 * 60_000;
const standardIntervalMs = 5_000;

export const run: Run<Options> = (context, options) => {
  const { watch, until, interval = standardIntervalMs, timeout, ...others } = options;
  const watches = watch === true || until !== undefined;
  if (!watches && options.interval !== undefined)
    throw usageError('--interval goes with --watch or --until.');
  const wire = { ...others, ...(watches || timeout === undefined ? {} : { timeout }) };
  return withTarget(context, wire, async (target) => {
    const resource = await findResource(target, 'consent', options);
    if (!watches) return outcomeOf(target, await readConsentState(target, resource), options);
    let shown = resource.status;
    const read = await watchConsent(target, resource, {
      ...(until === undefined ? {} : { until }),
      intervalMs: interval,
      timeoutMs: timeout ?? standardWaitMs,
      seen: ({ resource: { id, status } }) => {
        if (status === shown) return;
        shown = status;
        target.ports.notices.say(`Consent ${cleanLine(id)}: ${cleanLine(status ?? 'no status')}`);
      },
    });
    const exits = { reached: undefined, missed: exitCodes.declined, timeout: exitCodes.pending };
    return outcomeOf(target, read, options, exits[read.end]);
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
  return {
    kind: 'data',
    data: answer.json ?? { consentStatus: status },
    text: (style) =>
      [
        resourceText(target, resource, undefined, style),
        ...(psuMessage === undefined ? [] : [`  ${cleanLine(psuMessage)}`]),
      ].join('\n'),
    exit: exit ?? (exitStatus === true ? exitOfStatus('consent', status, 'authorise') : exitCodes.ok),
    next: open
      ? [`obk consent authorise ${id}`]
      : isUsableConsent(status)
        ? [`obk accounts --consent ${id}`]
        : [],
    name: id,
    ...(raw === true ? { raw: answer.body } : {}),
  };
}
