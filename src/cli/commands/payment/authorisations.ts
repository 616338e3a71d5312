import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { listAuthorisations } from '../../../client/authorisations/list-authorisations.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { withTarget } from '../run/with-target.ts';

const flags = (command: Flags) => wireOptions(resourceId(command, 'payment'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'List the authorisations of a payment and of its cancellation, each with its scaStatus',
      examples: ['obk payment authorisations @last', 'obk payment authorisations @last -o tsv'],
      exits: [4, 5, 7],
      more: ['obk help payment authorise'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    const resource = await findResource(target, 'payment', options);
    const rows: Record<string, unknown>[] = [];
    for await (const { of, authorisationId, scaStatus } of listAuthorisations(target, resource)) {
      rows.push({ of, authorisationId, scaStatus: scaStatus ?? null });
    }
    return {
      kind: 'rows',
      columns: [
        { key: 'of', title: 'OF' },
        { key: 'authorisationId', title: 'AUTHORISATION' },
        { key: 'scaStatus', title: 'STATUS', whole: true },
      ],
      rows,
      nameKey: 'authorisationId',
      empty: `Payment ${resource.id} has no authorisation.`,
    };
  });
