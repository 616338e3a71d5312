import type { Register, Run } from '../../command.ts';
import { run as get } from './scenario/get.ts';
import { run as list } from './scenario/list.ts';

export const register: Register = (parent, start) =>
  start(
    parent.command('scenario').argument('[name]', 'one switch; all if not given'),
    {
      about: 'Show or change how the bank inside differs from its standard, as real banks do',
      examples: ['obk sandbox scenario', 'obk sandbox scenario set lifeCycle next-day'],
      more: [
        'obk help sandbox scenario list',
        'obk help sandbox scenario get',
        'obk help sandbox scenario set',
      ],
    },
    run,
  );

/** The noun alone shows: that is what somebody wants who does not know the switches yet. */
const run: Run<{ name?: string }> = (context, { name }) =>
  name === undefined ? list(context, {}) : get(context, { name });
