import type { Register, Run } from '../../command.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('status'),
    {
      about: 'Show whether the bank inside runs, and which process it is',
      examples: ['obk sandbox status', 'obk sandbox status --jq .running'],
      more: ['obk help sandbox stop', 'obk help sandbox start'],
    },
    run,
  );

const run: Run<object> = async ({ ports }) => {
  const found = await ports.bank.status();
  const { baseUrl = null, pid = null, idleMs = null } = found ?? {};
  const end =
    idleMs === null ? 'until it is stopped' : `until ${String(idleMs / 1000)} s pass without a call`;
  return {
    kind: 'data',
    data: { running: found !== undefined, baseUrl, pid, idleMs },
    text: () =>
      found === undefined
        ? 'The bank inside does not run; a call of the profile sandbox starts it.'
        : `The bank inside answers at ${found.baseUrl} (process ${String(found.pid)}), ${end}.`,
    next: found === undefined ? [] : ['obk sandbox stop'],
  };
};
