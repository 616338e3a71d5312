import { defined } from '../../base/defined.ts';
import { formatMinor } from '../../standard/formats/money/amount.ts';
import { accountsOf, cardsOf } from '../books/accounts.ts';
import type { Ledger } from '../books/ledger.ts';
import { allPeople } from '../books/people.ts';
import { encryptedForTests } from '../sca/password-encryption.ts';

/** A PSU of the built-in bank, with secrets in the open: they are test data. */
export interface BankPerson {
  psuId: string;
  description: string;
  approach: string;
  start: 'implicit' | 'explicit';
  /** The company that the PSU acts for: PSU-Corporate-ID. */
  corporateId?: string;
  methods: readonly { id: string; type: string; name: string }[];
  /** An account without an IBAN has an empty one, and another number. */
  accounts: readonly { iban: string; bban?: string; msisdn?: string; currency: string; balance: string }[];
  /** Card accounts; their numbers are test data. */
  cards: readonly { pan: string; maskedPan: string; currency: string; balance: string }[];
  password: string;
  /** How the OTP of a challenge is found: a fixed test value. */
  otp: string;
  /** The second password, where the bank asks for one. */
  additionalPassword?: string;
  /** The access is locked after too many wrong secrets. */
  locked?: true;
  /** The passwords encrypted ready for use, where the bank takes them so. */
  encryptedPassword?: string;
  additionalEncryptedPassword?: string;
}

/** All PSUs of a ledger, with their secrets and accounts. */
export function shownPeople(ledger: Ledger): BankPerson[] {
  return allPeople(ledger.main).map((person) => ({
    psuId: person.psuId,
    description: person.description,
    approach: person.approaches[0],
    start: person.start,
    ...defined({ corporateId: person.corporateId }),
    methods: person.methods.map(({ id, type, name }) => ({ id, type, name })),
    accounts: accountsOf(ledger.main, person.psuId).map(({ iban, bban, msisdn, currency, balance }) => ({
      iban: iban ?? '',
      ...(bban !== null && { bban }),
      ...(msisdn !== null && { msisdn }),
      currency,
      balance: formatMinor(balance, currency),
    })),
    cards: cardsOf(ledger.main, person.psuId).map(({ pan, maskedPan, currency, balance }) => ({
      pan: pan ?? maskedPan ?? '',
      maskedPan: maskedPan ?? '',
      currency,
      balance: formatMinor(balance, currency),
    })),
    ...(person.locked && { locked: true as const }),
    password: person.password,
    otp: person.otp,
    ...defined({ additionalPassword: person.additionalPassword }),
    ...(person.encrypted === true && {
      encryptedPassword: encryptedForTests(ledger, person.password),
      ...(person.additionalPassword !== undefined && {
        additionalEncryptedPassword: encryptedForTests(ledger, person.additionalPassword),
      }),
    }),
  }));
}
