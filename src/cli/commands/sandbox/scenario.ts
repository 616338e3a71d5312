import type { Registers, Run } from '../../command.ts';
import type { Context } from '../../context.ts';
import { line } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import { nearest } from '../../../base/nearest.ts';
import type { BankScenario } from '../../../settings/records/bank-state.ts';
import { definitions } from '../../render/wrap.ts';
import { usageError } from '../flags/flag-values.ts';

export const register: Registers = {
  scenario: (command, start) =>
    start(
      command.argument('[name]', 'one switch; all if not given'),
      {
        about: 'Show or change how the bank inside differs from its standard, as real banks do',
        examples: ['obk sandbox scenario', 'obk sandbox scenario set lifeCycle next-day'],
        more: [
          'obk help sandbox scenario list',
          'obk help sandbox scenario get',
          'obk help sandbox scenario set',
        ],
      },
      show,
    ),
  list: (command, start) =>
    start(
      command,
      {
        about: 'List the switches of the bank inside: within what real banks do, how it behaves now',
        examples: ['obk sandbox scenario list', 'obk sandbox scenario list --json'],
        more: ['obk help sandbox scenario get', 'obk help sandbox scenario set'],
      },
      list,
    ),
  get: (command, start) =>
    start(
      command.argument('<name>', 'switch, such as lifeCycle'),
      {
        about: 'Show one switch of the bank inside: its value, and what each value means',
        examples: ['obk sandbox scenario get lifeCycle', 'obk sandbox scenario get bulk --fields value'],
        more: ['obk sandbox scenario list', 'obk help sandbox scenario set'],
      },
      get,
    ),
  set: (command, start) =>
    start(
      command
        .argument('<name>', 'switch, such as lifeCycle')
        .argument('<value>', 'one of its values, such as batch-actc'),
      {
        about: 'Set one switch of the bank inside; it stays so until it is set again or the bank is reset',
        examples: ['obk sandbox scenario set bulk partial', 'obk sandbox scenario set bulk whole'],
        more: ['obk sandbox scenario list', 'obk help sandbox reset'],
      },
      set,
    ),
};

/** The noun alone shows: that is what somebody wants who does not know the switches yet. */
const show: Run<{ name?: string }> = (context, { name }) =>
  name === undefined ? list(context, {}) : get(context, { name });

const list: Run<object> = async (context) => ({
  kind: 'rows',
  columns: [
    { key: 'name', title: 'SWITCH' },
    { key: 'value', title: 'VALUE' },
    { key: 'meaning', title: 'WHAT IT MEANS' },
    { key: 'others', title: 'OTHER VALUES', wide: true },
  ],
  rows: (await context.ports.bank.control('getScenario')).switches.map((one) => ({
    ...one,
    meaning: meaningOf(one, one.value),
    others: [
      ...one.values.map(({ value }) => value),
      ...(one.open === undefined ? [] : [one.open.form]),
    ].filter((value) => value !== one.value),
  })),
  nameKey: 'name',
  empty: 'The bank inside has no switches.',
  next: ['obk sandbox scenario get lifeCycle   # every value of a switch and what it means'],
});

const get: Run<{ name: string }> = async (context, { name }) => {
  const found = await findSwitch(context, name, 'get NAME');
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

const set: Run<{ name: string; value: string }> = async (context, { name, value }) => {
  const { bank } = context.ports;
  const found = await findSwitch(context, name, `set NAME ${value}`);
  const values = found.values.map((one) => one.value);
  const no = () =>
    usageError(
      `${name} takes ${[...values, ...(found.open ? [found.open.takes] : [])].join(', ')}; not ${JSON.stringify(value)}.`,
      ...nearest(value, values).map((meant) => line`obk sandbox scenario set ${name} ${meant}`),
      line`obk sandbox scenario get ${name}`,
    );
  if (found.open === undefined && !values.includes(value)) throw no();
  try {
    await bank.control('changeScenario', { body: { [name]: value } });
  } catch (error) {
    // A number or a list is judged by the bank, which also says that a switch is held by a door.
    const isWrong =
      error instanceof ObkError && error.title === `There is no value ${JSON.stringify(value)}.`;
    throw found.open !== undefined && isWrong ? no() : error;
  }
  const now = found.open === undefined ? found : await findSwitch(context, name, 'get NAME');
  return {
    kind: 'data',
    data: { name, value, before: found.value },
    text: () => `${name} is ${value}: ${meaningOf(now, value)}.`,
    name: value,
  };
};

/** The switch of this name; a near miss is named. */
async function findSwitch({ ports }: Context, name: string, command: string): Promise<BankScenario> {
  const { switches: all } = await ports.bank.control('getScenario');
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const near = nearest(
    name,
    all.map((one) => one.name),
  );
  throw usageError(
    `The bank inside has no switch ${JSON.stringify(name)}.`,
    ...near.map((meant) => line`obk sandbox scenario ${command.replace('NAME', meant).split(' ')}`),
    'obk sandbox scenario list',
  );
}

/** The meaning of a switch's value, in one sentence. */
function meaningOf({ about, values }: BankScenario, value: string): string {
  return `${about} ${values.find((one) => one.value === value)?.meaning ?? ''}`.trim();
}
