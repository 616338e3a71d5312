import type { Register, Run } from '../../command.ts';
import { stateOptions } from './state-options.ts';

export const register: Register = (command, start) =>
  start(
    stateOptions(command),
    {
      about:
        'Seal what the key before (state.oldKeyFrom) has sealed with the current one (state.keyFrom); interrupted, it goes on where it was',
      examples: ['obk state rekey', 'obk state status   # no value of the old key is left'],
      exits: [3],
      more: ['obk help state doctor', 'obk help config set'],
    },
    run,
  );

const run: Run<object> = async (context) => {
  const { stateStore, notices } = context.ports;
  const sealed = await stateStore.rekey(({ kind, sealed: count }) => {
    notices.trace(1, `${kind}: ${String(count)} sealed anew`);
  });
  const all = sealed.reduce((sum, one) => sum + one.sealed, 0);
  return {
    kind: 'data',
    data: { sealed },
    text: () =>
      all === 0
        ? 'Nothing to do: everything is sealed with the current key.'
        : sealed
            .filter(({ sealed: count }) => count > 0)
            .map(({ kind, sealed: count }) => `${kind}: ${String(count)} sealed anew`)
            .join('\n'),
    next: all === 0 ? [] : ['obk config unset state.oldKeyFrom'],
  };
};
