import type { Register, Run } from '../../../command.ts';

export const register: Register = (parent, start) =>
  start<object>(parent.command('list'), { examples: ['obk sandbox fault list'] }, run);

const run: Run<object> = async (context) => ({
  kind: 'rows',
  columns: [
    { key: 'operation', title: 'OPERATION' },
    { key: 'kind', title: 'FAULT' },
    { key: 'count', title: 'LEFT', align: 'right' },
    { key: 'status', title: 'STATUS', align: 'right' },
    { key: 'delayMs', title: 'DELAY MS', align: 'right' },
  ],
  rows: (await context.ports.bank.faults()).map((fault) => ({ ...fault })),
  nameKey: 'operation',
  empty: 'No faults wait.',
});
