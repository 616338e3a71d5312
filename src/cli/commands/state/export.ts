import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { demand } from '../flags/flag-values.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { movedOutcome } from './moved.ts';
import { stateOptions } from './state-options.ts';

const flags = (command: Flags) =>
  stateOptions(
    command.option('--to <FOLDER>', 'folder of the home: config and state go below it', notEmpty('--to')),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Write a shared state as the files of a home, with its tokens in clear (mode 0600); begun again, it goes on where it was',
      usage: '--to FOLDER',
      examples: ['obk state export --to home', 'OBK_STATE_DIR=home/state obk pending list'],
      exits: [3],
      more: ['obk help state import'],
    },
    run,
  );

const run: Run<Options> = async (context, { to }) => {
  demand([to === undefined && '--to'], 'obk state export --help');
  const folder = context.ports.files.absolute(to ?? '');
  return movedOutcome(await context.ports.stateStore.bringOut(folder), []);
};
