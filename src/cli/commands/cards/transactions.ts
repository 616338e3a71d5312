import { reportCommand } from '../transactions/report.ts';

export const { register } = reportCommand('card', 'transactions', {
  about: 'List the transactions of a card account (framework surface)',
  usage: '--account masked-pan:NUMBER',
  usual: 'account date-from date-to booking-status all limit accept raw consent psu-id dry-run',
  examples: [],
  exits: [4, 5, 6, 7, 11],
  more: ['obk help cards list', 'obk help transactions list'],
});
