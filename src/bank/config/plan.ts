import type { BankFault } from '../../settings/records/bank-state.ts';
import type { BankClient } from '../oauth/oauth-clients.ts';
import type { AccountFacts } from '../books/accounts.ts';
import type { Order } from '../books/order.ts';
import type { Definition } from '../books/people.ts';
import type { ConsentPlan, PaymentPlan } from './resources-section.ts';

/** A booked entry of an account; the other side is outside the bank. */
export interface EntryToBook {
  /** ISO date. */
  day: string;
  minor: bigint;
  /** The other party, and its account. */
  name?: string | undefined;
  account?: string | undefined;
  remittance?: string | undefined;
  endToEndId?: string | undefined;
  /** Further members of the transaction as the wire has them. */
  details?: object;
  /** ISO 8601, UTC; noon of the day without it. */
  bookedAt?: string | undefined;
  instructed?: string | undefined;
  paymentId?: string | undefined;
  part?: number | undefined;
  entryId?: bigint | undefined;
}

/** An account by the numbers that its statements may have. */
export interface NumberedAccount {
  numbers: readonly string[];
  currency: string;
}

/** An account to be opened. */
export interface AccountToOpen extends NumberedAccount {
  iban?: string | undefined;
  bban?: string | undefined;
  msisdn?: string | undefined;
  pan?: string | undefined;
  maskedPan?: string | undefined;
  name: string;
  /** Minor units. */
  balance: bigint;
  creditLimit?: bigint | undefined;
  settledBy?: string | undefined;
  /** Absent where the bank inside makes a past up. */
  facts?: AccountFacts | undefined;
  hasHistory: boolean;
  entries: readonly EntryToBook[];
  generated?: { seed: string; perDay: number; from: string; to: string } | undefined;
}

/** A customer with what belongs to them. */
export interface PersonToAdd {
  definition: Definition;
  password?: string | undefined;
  additionalPassword?: string | undefined;
  otp?: string | undefined;
  locked: boolean;
  accounts: readonly AccountToOpen[];
}

/** A bank's file, read and checked: everything that a new ledger holds. */
export interface BankPlan {
  seed: string;
  /** The key of the resourceIds; from the seed without it. */
  idKey?: string;
  people: readonly PersonToAdd[];
  /** True where the ready people come after them. */
  isReady: boolean;
  scenario: Readonly<Record<string, string>>;
  faults: readonly BankFault[];
  clients: readonly BankClient[];
  clock?: { at: string; stands: boolean } | undefined;
  consents: readonly ConsentPlan[];
  payments: readonly { plan: PaymentPlan; order: Order; bytes: Uint8Array }[];
}
