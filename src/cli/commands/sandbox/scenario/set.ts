import type { Register, Run } from '../../../command.ts';
import { line } from '../../../../base/command-line.ts';
import { ObkError } from '../../../../base/errors.ts';
import { nearest } from '../../../../base/nearest.ts';
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
  const no = () =>
    usageError(
      `${name} takes ${[...values, ...(found.open ? [found.open.takes] : [])].join(', ')}; not ${JSON.stringify(value)}.`,
      ...nearest(value, values).map((meant) => line`obk sandbox scenario set ${name} ${meant}`),
      line`obk sandbox scenario get ${name}`,
    );
  if (found.open === undefined && !values.includes(value)) throw no();
  try {
    await bank.setScenario(name, value);
  } catch (error) {
    // A number or a list is judged by the bank, which also says that a switch is held by a door.
    const isWrong = error instanceof ObkError && error.title === `The switch ${name} does not take ${value}.`;
    throw found.open !== undefined && isWrong ? no() : error;
  }
  const now = found.open === undefined ? found : findSwitch(await bank.scenarios(), name, 'get NAME');
  return {
    kind: 'data',
    data: { name, value, before: found.value },
    text: () => `${name} is ${value}: ${meaningOf(now, value)}.`,
    name: value,
  };
};
