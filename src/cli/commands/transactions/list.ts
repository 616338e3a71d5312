import { reportCommand } from './report.ts';

export const { register } = reportCommand('account', 'list', {
  about: 'List the transactions of an account: one row each, whatever format the bank sends',
  usage: '--account IBAN',
  usual:
    'account date-from date-to booking-status all limit accept raw consent create-consent iban ' +
    'psu-id psu-password-from otp-from sca-method dry-run',
  examples: [
    'obk transactions --account DE65990010000000002443',
    'obk transactions list --account DE65990010000000002443 --date-from 2026-01-01 --booking-status both -o csv',
    'obk transactions list --account DE65990010000000002443 --accept camt.053 --raw',
    'obk transactions list --account DE65990010000000002443 --all -o html --output page.html',
    'obk transactions list --create-consent --iban DE65990010000000002443 --psu-id embedded-choice --sca-method sms --psu-password-from env:PSU_PASSWORD --otp-from env:PSU_OTP',
  ],
  exits: [4, 5, 6, 7, 11],
  more: ['obk help transactions get', 'obk help consent create', 'obk help accounts list'],
});
