import type { Register, Run } from '../../../command.ts';
import { meaningOf } from './find-switch.ts';

export const register: Register = (parent, start) =>
  start<object>(
    parent.command('list'),
    {
      about: 'List the switches of the bank inside: within what real banks do, how it behaves now',
      examples: ['obk sandbox scenario list', 'obk sandbox scenario list --json'],
      more: ['obk help sandbox scenario get', 'obk help sandbox scenario set'],
    },
    run,
  );

export const run: Run<object> = async (context) => ({
  kind: 'rows',
  columns: [
    { key: 'name', title: 'SWITCH' },
    { key: 'value', title: 'VALUE' },
    { key: 'meaning', title: 'WHAT IT MEANS' },
    { key: 'others', title: 'OTHER VALUES', wide: true },
  ],
  rows: (await context.ports.bank.scenarios()).map((one) => ({
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
