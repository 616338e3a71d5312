import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { wireOptions } from '../flags/global-options.ts';
import { returnOption, waitOptions } from '../flags/sca-options.ts';
import { scaId, takeStep } from './sca-id.ts';

const flags = (command: Flags) => wireOptions(returnOption(waitOptions(scaId(command))));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        "Open or print the link to the bank's page again; --wait (or a person) stays until the PSU is back",
      examples: ['obk sca open @last', 'obk sca open --wait --timeout 2m'],
      exits: [8, 9, 5],
      more: ['obk help sca status'],
    },
    run,
  );

const run: Run<Options> = (context, options) => takeStep(context, options, 'open');
