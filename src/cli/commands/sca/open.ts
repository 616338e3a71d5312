import type { Register, Run } from '../../command.ts';
import { wireOptions } from '../flags/global-options.ts';
import { returnOption, waitOptions } from '../flags/sca-options.ts';
import type { ScaOptions } from '../flags/sca-options.ts';
import { scaId, takeStep } from './sca-id.ts';
import type { ScaId } from './sca-id.ts';

export const register: Register = (parent, start) =>
  start(
    wireOptions(returnOption(waitOptions(scaId(parent.command('open'))))),
    {
      about:
        "Open or print the link to the bank's page again; --wait (or a person) stays until the PSU is back",
      examples: ['obk sca open @last', 'obk sca open --wait --timeout 2m'],
      exits: [8, 9, 5],
      more: ['obk help sca status'],
    },
    run,
  );

const run: Run<ScaId & ScaOptions> = (context, options) => takeStep(context, options, 'open');
