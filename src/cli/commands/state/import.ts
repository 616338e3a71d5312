import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { notEmpty } from '../flags/sca-options.ts';
import { movedOutcome } from './moved.ts';
import { stateOptions } from './state-options.ts';

const flags = (command: Flags) =>
  stateOptions(
    command.option(
      '--recovered <FILE>',
      'what sqlite3 .recover has saved of a state.db',
      notEmpty('--recovered'),
    ),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Take the files of this home over into a shared state: each entry once, however often it is begun; the files stay as they are. With --recovered, take into this home what `sqlite3 state.db .recover | sqlite3 recovered.db` has saved of a damaged state.db, once that was moved aside',
      examples: [
        'obk state import',
        'obk state import --recovered recovered.db',
        'obk config set state.store postgres   # from now on it is used',
      ],
      exits: [3],
      more: ['obk help state export', 'obk help state status'],
    },
    run,
  );

const run: Run<Options> = async ({ ports }, { recovered }) => {
  if (recovered === undefined)
    return movedOutcome(await ports.stateStore.takeIn(), ['obk config set state.store postgres']);
  const moved = await ports.stateStore.takeRecovered(ports.files.absolute(recovered));
  return movedOutcome(moved, ['obk state doctor', 'obk pending list']);
};
