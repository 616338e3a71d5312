import { products } from '../../standard/xs2a/products.ts';
import { counted, euros, listOfWords, pairs, span } from './open-values.ts';
import type { OpenValues } from './open-values.ts';

/** One switch: what it is about, its fixed values with what they mean, and the form of others that it takes. */
export interface Switch {
  readonly about: string;
  /** The first one is the standard. */
  readonly values: Readonly<Record<string, string>>;
  readonly open?: OpenValues;
}

/** The formats of a list of transactions, as the policy names them. */
export const reportFormats = ['json', 'camt.052', 'camt.053', 'text'] as const;

/** Entries that are not booked stand on the first page beside as many that are. */
const pagesOf = (count: number): string =>
  `in pages of at most ${String(count)} booked entries; what is pending stands on the first`;

/** The switches of the policy: what an ASPSP decides for all of its PSUs and states in its documentation. */
export const policy = {
  approach: {
    about: 'The usual approach of an authorisation is',
    values: {
      'by-person': 'that of the PSU',
      redirect: 'Redirect for every PSU',
      oauth: 'Redirect with OAuth for every PSU',
      embedded: 'Embedded for every PSU',
      decoupled: 'Decoupled for every PSU',
    },
  },
  productApproach: {
    about: 'The usual approach of a payment',
    values: { none: 'does not depend on its product' },
    open: pairs(
      products,
      ['redirect', 'oauth', 'embedded', 'decoupled'],
      (chosen) => `depends on its product: ${chosen}`,
    ),
  },
  redirectPreferred: {
    about: 'The preference of a TPP in TPP-Redirect-Preferred and TPP-Decoupled-Preferred (1.3.9)',
    values: {
      honoured: 'is honoured where the PSU has the approach',
      ignored: 'is ignored: the usual approach is taken',
    },
  },
  explicitPreferred: {
    about: 'The preference of a TPP in TPP-Explicit-Authorisation-Preferred',
    values: {
      honoured: 'is honoured',
      ignored: 'is ignored: the authorisation starts as the PSU has it; only baskets stay explicit',
    },
  },
  psuId: {
    about: 'The header PSU-ID of a new payment, consent or basket',
    values: {
      optional: 'may be left out: the PSU is identified later, at the bank or by the TPP',
      'from-account': 'may be left out: the owner of the account is the PSU, with the approach of this owner',
      required: 'must be there, unless a token names the PSU: else FORMAT_ERROR',
    },
  },
  attempts: {
    about: 'The number of wrong passwords and one-time passwords that end an authorisation',
    values: { 'by-person': 'is that of the PSU, 5 for most' },
    open: counted('N', [1, 99], (count) => `is ${String(count)} for every PSU`),
  },
  lock: {
    about: 'After too many wrong passwords and one-time passwords the access of a PSU',
    values: {
      'by-person': 'is locked where the PSU has it so',
      never: 'is never locked',
      always: 'is locked: SERVICE_BLOCKED',
    },
  },
  redirectLink: {
    about: 'A link to the page of an authorisation (scaRedirect) can be opened for',
    values: { '10-minutes': '10 minutes' },
    open: span(24, (inWords) => inWords),
  },
  cancellation: {
    about: 'The cancellation of a payment',
    values: {
      'by-person': 'needs SCA once the payment is authorised, unless the PSU has it otherwise',
      'by-status': 'needs SCA once the payment is authorised, with every PSU',
      'always-sca': 'always needs SCA',
      'never-sca': 'never needs SCA',
    },
  },
  multilevel: {
    about: 'A payment',
    values: { 'by-account': 'is authorised by all PSUs of its account' },
    open: euros(
      'from-',
      (amount) =>
        `is authorised by one PSU, and from ${amount} on by two at least (see docs/bank/variations.md)`,
    ),
  },
  feeAmount: {
    about: 'The fee of a payment, where there is one, is',
    values: { '1.50': '1.50 EUR' },
    open: euros('', (amount) => amount),
  },
  validUntil: {
    about: 'The last day of a consent is',
    values: {
      'as-asked': 'the one that was asked for',
      '90-days': 'at most 90 days from now',
      '180-days': 'at most 180 days from now',
    },
    open: counted('N-days', [1, 3650], (count) => `at most ${String(count)} days from now`),
  },
  frequencyPerDay: {
    about: 'The frequencyPerDay of a recurring consent is',
    values: { 'up-to-4': 'at most 4', 'as-asked': 'the one that was asked for' },
    open: counted('up-to-N', [1, 999_999], (count) => `at most ${String(count)}`),
  },
  oneOff: {
    about: 'A consent for one use with a frequencyPerDay above 1',
    values: { reject: 'is refused: FORMAT_ERROR', 'force-1': 'is taken with the frequencyPerDay 1' },
  },
  bookingStatuses: {
    about: 'Transactions can be listed by the bookingStatus',
    values: { every: 'of every kind that the framework has' },
    open: listOfWords(
      ['booked', 'pending', 'both', 'information'],
      (chosen) => `${chosen}; another one is PARAMETER_NOT_SUPPORTED`,
      'booked',
    ),
  },
  reportFormats: {
    about: 'A list of transactions comes in',
    values: { every: 'JSON, camt.052, camt.053 and text (MT940, MT942)' },
    open: listOfWords(reportFormats, (chosen) => `${chosen}, the first one without Accept`),
  },
  pages: {
    about: 'A list of transactions in JSON comes',
    values: {
      'of-1000': pagesOf(1000),
      'of-20': pagesOf(20),
      whole: 'whole, however many entries there are',
    },
    open: counted('of-N', [1, 10_000], pagesOf),
  },
} satisfies Readonly<Record<string, Switch>>;
