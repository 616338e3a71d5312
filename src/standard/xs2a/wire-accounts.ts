/** The bodies of account information and funds confirmation as they are on the wire. */
import type {
  AccountOwner,
  AccountReference,
  Amount,
  Links,
  Open,
  ScaData,
  StandingOrder,
  StructuredRemittance,
} from './wire.ts';

/** The rights that a consent asks for; exactly one of the forms of the guidelines, section 6.3. */
export interface AccountAccess {
  accounts?: AccountReference[];
  balances?: AccountReference[];
  transactions?: AccountReference[];
  additionalInformation?: { ownerName?: AccountReference[]; trustedBeneficiaries?: AccountReference[] };
  /** `allAccountsWithBalances` is of the file 1.3.3. */
  availableAccounts?: Open<'allAccounts' | 'allAccountsWithOwnerName' | 'allAccountsWithBalances'>;
  availableAccountsWithBalance?: Open<'allAccounts' | 'allAccountsWithOwnerName'>;
  /** The name of the guidelines 1.3.2. */
  availableAccountsWithBalances?: Open<'allAccounts'>;
  allPsd2?: Open<'allAccounts' | 'allAccountsWithOwnerName'>;
  /** 1.3.8: the kinds of accounts (cashAccountType) to choose from, where the lists are empty. */
  restrictedTo?: string[];
}

/** The body of POST consents. */
export interface ConsentRequest {
  access: AccountAccess;
  recurringIndicator: boolean;
  validUntil: string;
  frequencyPerDay: number;
  combinedServiceIndicator: boolean;
}

/** The answer 201 to POST consents. */
export interface ConsentsResponse extends ScaData {
  consentStatus: string;
  consentId: string;
  scaStatus?: string;
  authorisationId?: string;
  /** The name of the PSU message in 1.3.2. */
  message?: string;
  _links: Links;
}

/** The answer to GET consent. */
export interface ConsentInformation {
  access: AccountAccess;
  recurringIndicator: boolean;
  validUntil: string;
  frequencyPerDay: number;
  lastActionDate: string;
  consentStatus: string;
  _links?: Links;
}

/** The answer to GET consent status. */
export interface ConsentStatusResponse {
  consentStatus: string;
  psuMessage?: string;
}

/** The balance of an account. */
export interface Balance {
  balanceAmount: Amount;
  balanceType: string;
  creditLimitIncluded?: boolean;
  lastChangeDateTime?: string;
  referenceDate?: string;
  lastCommittedTransaction?: string;
}

/** An account in a list or by itself. */
export interface AccountDetails {
  resourceId?: string;
  iban?: string;
  bban?: string;
  msisdn?: string;
  currency: string;
  name?: string;
  displayName?: string;
  ownerName?: string;
  /** 1.3.12 */
  ownerNames?: AccountOwner[];
  psuName?: string;
  product?: string;
  cashAccountType?: string;
  status?: Open<'enabled' | 'deleted' | 'blocked'>;
  bic?: string;
  linkedAccounts?: string;
  usage?: Open<'PRIV' | 'ORGA'>;
  details?: string;
  balances?: Balance[];
  _links?: Links;
}

/** A card account in a list or by itself. */
export interface CardAccountDetails extends Omit<
  AccountDetails,
  'iban' | 'bban' | 'msisdn' | 'ownerNames' | 'psuName'
> {
  maskedPan: string;
  /** 1.3.8: true where debits are quoted as positive amounts. */
  debitAccounting?: boolean;
  creditLimit?: Amount;
}

/** An exchange rate of a reported transaction; the rate is a decimal string. */
export interface ReportExchangeRate {
  sourceCurrency: string;
  exchangeRate: string;
  unitCurrency: string;
  targetCurrency: string;
  quotationDate: string;
  contractIdentification?: string;
}

/** One booked, pending or announced transaction. */
export interface TransactionDetails {
  transactionId?: string;
  entryReference?: string;
  endToEndId?: string;
  mandateId?: string;
  checkId?: string;
  creditorId?: string;
  bookingDate?: string;
  valueDate?: string;
  transactionAmount: Amount;
  currencyExchange?: ReportExchangeRate[];
  creditorName?: string;
  creditorAccount?: AccountReference;
  creditorAgent?: string;
  ultimateCreditor?: string;
  debtorName?: string;
  debtorAccount?: AccountReference;
  debtorAgent?: string;
  ultimateDebtor?: string;
  remittanceInformationUnstructured?: string;
  remittanceInformationUnstructuredArray?: string[];
  remittanceInformationStructured?: StructuredRemittance | string;
  remittanceInformationStructuredArray?: (StructuredRemittance | string)[];
  additionalInformation?: string;
  additionalInformationStructured?: { standingOrderDetails: StandingOrder };
  purposeCode?: string;
  bankTransactionCode?: string;
  proprietaryBankTransactionCode?: string;
  balanceAfterTransaction?: Balance;
  /** 1.3.8: an entry that stands for several transactions. */
  batchIndicator?: boolean;
  batchNumberOfTransactions?: number;
  entryDetails?: EntryDetails[];
  _links?: Links;
}

/** One of the transactions that an entry stands for. */
export type EntryDetails = Pick<
  TransactionDetails,
  | 'endToEndId'
  | 'transactionAmount'
  | 'creditorName'
  | 'creditorAccount'
  | 'remittanceInformationUnstructured'
>;

/** The transactions of a report by booking state. */
export interface AccountReport {
  booked?: TransactionDetails[];
  pending?: TransactionDetails[];
  /** 1.3.6: standing orders. */
  information?: TransactionDetails[];
  _links: Links;
}

/** The answer to GET transactions in JSON. */
export interface TransactionsResponse {
  account?: AccountReference;
  transactions?: AccountReport;
  balances?: Balance[];
  _links?: Links;
}

/** The answer to GET balances, of an account or of a card account. */
export interface BalancesResponse {
  account?: AccountReference;
  cardAccount?: AccountReference;
  balances: Balance[];
}

/** The body of POST funds-confirmations. */
export interface FundsConfirmation {
  cardNumber?: string;
  account: AccountReference;
  payee?: string;
  instructedAmount: Amount;
}

/** The answer to POST funds-confirmations: a boolean and never an amount. */
export interface FundsConfirmationResponse {
  fundsAvailable: boolean;
}
