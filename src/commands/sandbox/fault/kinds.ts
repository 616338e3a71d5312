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
};

/** Every way in which the bank inside misbehaves; one that it does not know, or that is not named, does not compile. */
export const faultKinds = Object.keys(ways) as BankFault['kind'][];
