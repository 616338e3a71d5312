import type { Register, Run } from '../../../command.ts';

export const register: Register = (parent, start) =>
  start<object>(parent.command('list'), { examples: ['obk sandbox client list'] }, run);

const run: Run<object> = async (context) => ({
  kind: 'rows',
  columns: [
    { key: 'clientId', title: 'CLIENT' },
    { key: 'redirectUris', title: 'ADDRESSES BESIDE THIS MACHINE' },
  ],
  rows: (await context.ports.bank.clients()).map((client) => ({ ...client })),
  nameKey: 'clientId',
  empty: 'There is no client.',
});
