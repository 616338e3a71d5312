import type { Register, Run } from '../../command.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('stop'),
    {
      about: 'End the bank inside, which a run of obk has started; its ledger stays',
      examples: ['obk sandbox stop'],
      more: ['obk help sandbox status'],
    },
    run,
  );

const run: Run<object> = async ({ ports }) => {
  const found = await ports.bank.stop();
  return {
    kind: 'data',
    data: { stopped: found !== undefined, name: found?.name ?? null, pid: found?.pid ?? null },
    text: () =>
      found === undefined
        ? 'The bank inside does not run.'
        : `The bank inside has ended (process ${String(found.pid)}).`,
  };
};
