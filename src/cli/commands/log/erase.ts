import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { erasePsu } from '../../../client/evidence/erase.ts';
import { eraseKept } from '../../../tester/journeys/kept-runs.ts';
import { demand } from '../flags/flag-values.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { chosenProfile } from '../run/with-target.ts';

const flags = (command: Flags) =>
  command
    .option('--psu-id <ID>', 'PSU-ID of the customer', notEmpty('--psu-id'))
    .option('--dry-run', 'say what would be erased, and erase nothing');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Clear a customer from journal, authorisations and tokens; what keeps a payment from being sent twice stays',
      usage: '--psu-id ID',
      examples: ['obk log erase --psu-id anna --dry-run'],
      exits: [3],
      more: ['obk help log prune', 'obk help pending list'],
    },
    run,
  );

const run: Run<Options> = async (context, { psuId, dryRun = false }) => {
  demand([psuId === undefined && '--psu-id'], 'obk log erase --help');
  const { name } = await chosenProfile(context);
  const erased = await erasePsu(context.ports, name, psuId ?? '', { dryRun });
  const { runs, unsettled, conversations, resources, tokens } = erased;
  const journeys = await eraseKept(context.ports.files, context.directories.state, psuId ?? '', dryRun);
  const verb = dryRun ? 'Would be erased' : 'Erased';
  return {
    kind: 'data',
    data: { dryRun, profile: name, ...erased, ...(journeys > 0 && { journeys }) },
    text: () =>
      [
        `${verb}: ${String(runs.length)} runs, ${String(conversations)} authorisations, ${String(tokens)} tokens; names and accounts of ${String(resources)} payments, consents and baskets.`,
        ...(journeys === 0
          ? []
          : [`${verb} too: ${String(journeys)} kept runs of journeys that name the PSU.`]),
        ...(unsettled.length === 0
          ? []
          : [`Kept ${String(unsettled.length)} runs: the outcome of a write is unknown (obk pending list).`]),
      ].join('\n'),
    name: runs.join('\n'),
    next: unsettled.length === 0 ? [] : ['obk pending list'],
  };
};
