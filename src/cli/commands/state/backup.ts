import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { stateOptions } from './state-options.ts';

const flags = (command: Flags) =>
  stateOptions(command.argument('<file>', 'a new file; an existing one is never replaced'));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about:
        'Copy state.db of this home, at any time, into one file (mode 0600); the log, which may be lost, is not part of it',
      examples: ['obk state backup state-copy.db'],
      exits: [3],
      more: ['obk help state verify'],
    },
    run,
  );

const run: Run<Options> = async (context, { file }) => {
  const path = context.ports.files.absolute(file);
  await context.ports.stateStore.backUp(path);
  return { kind: 'data', data: { file: path }, name: path, text: () => `Copied to ${path}.` };
};
