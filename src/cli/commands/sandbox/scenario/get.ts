import type { Register, Run } from '../../../command.ts';
import { definitions } from '../../../render/wrap.ts';
import { findSwitch } from './find-switch.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('get').argument('<name>', 'switch, such as lifeCycle'),
    {
      about: 'Show one switch of the bank inside: its value, and what each value means',
      examples: ['obk sandbox scenario get lifeCycle', 'obk sandbox scenario get bulk --fields value'],
      more: ['obk sandbox scenario list', 'obk help sandbox scenario set'],
    },
    run,
  );

export const run: Run<{ name: string }> = async (context, { name }) => {
  const found = findSwitch(await context.ports.bank.scenarios(), name, 'get NAME');
  return {
    kind: 'data',
    data: found,
    text: (style) =>
      [
        `${style.bold(found.name)} is ${style.good(found.value)}. ${found.about} ...`,
        ...definitions(
          [
            ...found.values.map(({ value, meaning }) => [value, meaning] as const),
            ...(found.open === undefined ? [] : [[found.open.form, `takes ${found.open.takes}`] as const]),
          ],
          { indent: 2, width: Math.max(style.width, 40) },
        ),
      ].join('\n'),
    name: found.value,
  };
};
