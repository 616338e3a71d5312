import type { Register, Run } from '../../../command.ts';
import { decide } from './decide.ts';
import type { DecideOptions } from './decide.ts';

export const register: Register = (parent, start) =>
  start(
    parent
      .command('approve')
      .argument(
        '<id>',
        'payment (@last), consent, authorisation, first 6 or more characters, or link to a page of the bank',
      )
      .option('--as <PSU-ID>', 'the customer who decides'),
    {
      about: 'Approve an open authorisation in place of the customer, for CI without a browser',
      examples: ['obk sandbox psu approve @last'],
      more: ['obk help payment authorise'],
    },
    run,
  );

const run: Run<DecideOptions> = (context, options) => decide(context, 'approve', options);
