import type { Register, Run } from '../../../command.ts';

export const register: Register = (parent, start) =>
  start<object>(parent.command('clear'), { examples: ['obk sandbox fault clear'] }, run);

const run: Run<object> = async (context) => {
  await context.ports.bank.clearFaults();
  return { kind: 'data', data: { cleared: true }, text: () => 'The bank inside behaves again.' };
};
