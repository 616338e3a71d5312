import type { TestBank } from '../helpers/bank.ts';
import type { Traveller } from './journeys.ts';

/** How the access of a consent is asked for, with the accounts of a PSU in it. */
export interface Form {
  name: string;
  flags: (ibans: readonly string[]) => readonly string[];
  /** Whether accounts, balances and transactions may be read with it. */
  reads: readonly ('accounts' | 'balances' | 'transactions')[];
}

const everything = ['accounts', 'balances', 'transactions'] as const;

export const forms = {
  iban: { name: 'one account', flags: ([iban = '']) => ['--iban', iban], reads: everything },
  each: {
    name: 'each right of its own account',
    flags: ([one = '', other = one]) => ['--accounts', one, '--balances', other, '--transactions', one],
    reads: ['accounts', 'transactions'],
  },
  available: { name: 'all accounts', flags: () => ['--available-accounts'], reads: ['accounts'] },
  withBalance: {
    name: 'all accounts with balances',
    flags: () => ['--available-accounts-with-balance'],
    reads: ['accounts'],
  },
  allPsd2: { name: 'everything', flags: () => ['--all-psd2'], reads: everything },
  bankOffered: { name: 'what the PSU chooses', flags: () => ['--bank-offered'], reads: everything },
} as const satisfies Record<string, Form>;

/** Each approach and start with one form; the PSU can choose only on a page of the bank. */
export const lives = [
  ['redirect', 'bankOffered'],
  ['redirect-explicit', 'iban'],
  ['embedded-none', 'available'],
  ['embedded-one', 'allPsd2'],
  ['embedded-one-implicit', 'withBalance'],
  ['embedded-choice', 'each'],
  ['embedded-choice-implicit', 'iban'],
  ['decoupled', 'allPsd2'],
  ['decoupled-implicit', 'bankOffered'],
] as const satisfies readonly (readonly [psuId: string, form: keyof typeof forms])[];

/** The forms that `lives` leaves out of an approach: with it every form is led in every approach. */
export const otherForms = [
  ['redirect', 'each'],
  ['redirect-explicit', 'available'],
  ['redirect', 'withBalance'],
  ['redirect-explicit', 'allPsd2'],
  ['decoupled', 'iban'],
  ['decoupled-implicit', 'each'],
  ['decoupled', 'available'],
  ['decoupled-implicit', 'withBalance'],
] as const satisfies readonly (readonly [psuId: string, form: keyof typeof forms])[];

export const ibansOf = (bank: TestBank, psuId: string) => bank.person(psuId).accounts.map(({ iban }) => iban);

/** A consent from its creation to its authorisation, as far as references and an approval lead; its id. */
export async function consented(
  { bank, as }: Traveller,
  psuId: string,
  ...flags: readonly string[]
): Promise<{ consentId: string; consentStatus: string }> {
  const [method] = bank.person(psuId).methods;
  const chosen = method === undefined ? [] : ['--sca-method', method.id];
  const made = await as(psuId, {}, 'consent', 'create', ...flags, ...chosen);
  const { consentId = '', consentStatus = '' } = made;
  if (consentStatus === 'valid') return { consentId, consentStatus };
  // The hand of the PSU; what obk has not begun yet has to be begun first.
  await bank.bank.decide('approve', consentId, psuId).catch(() => undefined);
  const led = await as(psuId, {}, 'consent', 'authorise', consentId, ...chosen);
  return { consentId, consentStatus: led['consentStatus'] ?? '' };
}
