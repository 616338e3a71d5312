import type { Register, Run } from '../../../command.ts';

export const register: Register = (parent, start) =>
  start<object>(parent.command('list'), { examples: ['obk sandbox snapshot list'] }, run);

const run: Run<object> = async (context) => ({
  kind: 'rows',
  columns: [
    { key: 'name', title: 'NAME' },
    { key: 'savedAt', title: 'SAVED' },
  ],
  rows: (await context.ports.bank.snapshots()).map((snapshot) => ({ ...snapshot })),
  nameKey: 'name',
  empty: 'There is no snapshot.',
});
