import type { Register, Run } from '../command.ts';

export const register: Register = (command, start) =>
  start(command, { examples: ['obk version', 'obk version --json'] }, run);

const run: Run<object> = (context) => {
  const { version } = context.process;
  return Promise.resolve({ kind: 'data', data: { version }, text: () => version, name: version });
};
