import type { Register, Run } from '../../../command.ts';

export const register: Register = (parent, start) =>
  start<object>(parent.command('list'), { examples: ['obk sandbox tenant list'] }, run);

const run: Run<object> = async (context) => ({
  kind: 'rows',
  columns: [
    { key: 'name', title: 'NAME' },
    { key: 'path', title: 'PATH OF ITS PAGES' },
  ],
  rows: (await context.ports.bank.tenants()).map((tenant) => ({ ...tenant })),
  nameKey: 'name',
  empty: 'There is no tenant; the first call of one makes it.',
});
