import type { Register, Run } from '../../../command.ts';
import { line } from '../../../command-line.ts';
import { nearest } from '../../../nearest.ts';
import { usageError } from '../../flags/flag-values.ts';
import { findSwitch, meaningOf } from './find-switch.ts';

interface Options {
  name: string;
  value: string;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('set')
      .argument('<name>', 'switch, such as lifeCycle')
      .argument('<value>', 'one of its values, such as batch-actc'),
    {
      about: 'Set one switch of the bank inside; it stays so until it is set again or the bank is reset',
      examples: ['obk sandbox scenario set bulk partial', 'obk sandbox scenario set bulk whole'],
      more: ['obk sandbox scenario list', 'obk help sandbox reset'],
    },
    run,
  );

const run: Run<Options> = async (context, { name, value }) => {
  const { bank } = context.ports;
  const found = findSwitch(await bank.scenarios(), name, `set NAME ${value}`);
  const values = found.values.map((one) => one.value);
  if (!values.includes(value)) {
    const near = nearest(value, values);
    throw usageError(
      `${name} takes ${values.join(', ')}; not ${JSON.stringify(value)}.`,
      ...near.map((meant) => line`obk sandbox scenario set ${name} ${meant}`),
      line`obk sandbox scenario get ${name}`,
    );
  }
  await bank.setScenario(name, value);
  return {
    kind: 'data',
    data: { name, value, before: found.value },
    text: () => `${name} is ${value}: ${meaningOf(found, value)}.`,
    name: value,
  };
};
