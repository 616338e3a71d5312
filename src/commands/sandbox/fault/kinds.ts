import type { BankFault } from '../../../records/bank-state.ts';

const ways: Readonly<Record<BankFault['kind'], true>> = {
  'drop-before': true,
  'drop-after-commit': true,
  status: true,
  delay: true,
  html: true,
  truncate: true,
  drip: true,
  escape: true,
  redirect: true,
  'push-lost': true,
  'push-twice': true,
  'push-out-of-order': true,
  'push-foreign-certificate': true,
};

/** All kinds of faults; an unknown or a missing one does not compile. */
export const faultKinds = Object.keys(ways) as BankFault['kind'][];
