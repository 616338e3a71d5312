import type { Register, Run } from '../../command.ts';
import { movedOutcome } from './moved.ts';
import { stateOptions } from './state-options.ts';

export const register: Register = (parent, start) =>
  start(
    stateOptions(parent.command('import')),
    {
      about:
        'Take the files of this home over into a shared state: each entry once, however often it is begun; the files stay as they are',
      examples: ['obk state import', 'obk config set state.store postgres   # from now on it is used'],
      exits: [3],
      more: ['obk help state export', 'obk help state status'],
    },
    run,
  );

const run: Run<object> = async (context) =>
  movedOutcome(await context.ports.stateStore.takeIn(), ['obk config set state.store postgres']);
