import type { ScaStatus } from '../../standard/xs2a/codes.ts';
import type { LinkName } from '../../standard/xs2a/link-names.ts';
import type { Method, OperationId, Service } from '../../standard/xs2a/operations.ts';
import type { QueriesOfBank } from '../../standard/xs2a/query-of-bank.ts';
import type { BalanceAccessForm, Framework } from '../../standard/xs2a/variants.ts';
import type { scaApproaches } from '../../standard/xs2a/sca-approaches.ts';
import type { PaymentInitiation } from '../../standard/xs2a/wire.ts';

/** The effect of a rule on a header: required, left out, filled in, left out where blank, or sent even without a value. */
export type HeaderAction = 'require' | 'forbid' | 'default' | 'dropIfBlank' | 'keepEmpty';

/** One bank's departure from the standard for a header; it holds for all operations where `operations` is absent. */
export interface BankHeaderRule {
  name: string;
  action: HeaderAction;
  operations?: readonly OperationId[];
  /** Restricts the rule to calls with an access token, or without one. */
  when?: 'withToken' | 'withoutToken';
  /** The value of a `default` as it is sent; `valueFrom` refers to one that is secret. */
  value?: string;
  valueFrom?: string;
  /** For people: why the bank wants it so. */
  why?: string;
}

/** Anything by operation. */
export type ByOperation<T> = Readonly<Partial<Record<OperationId, T>>>;

/** Text by text. */
export type Texts = Readonly<Record<string, string>>;

/** How a token for an operation is got: not at all, before all else, within an authorisation, or for the TPP alone. */
export type AuthMode = 'none' | 'preStep' | 'integrated' | 'clientCredentials';

/** An operation that the bank does not have, or has at another place; `path` is below the base URL, without the prefix. */
export interface OperationOfBank {
  supported?: boolean;
  path?: string;
  method?: Method;
}

/** A member of a payment that the bank demands (a JSON pointer such as /creditorAddress/country), and what fills it in. */
export interface RequiredField {
  field: string;
  default?: string;
  products?: readonly string[];
}

/** Parameters of OAuth2 that the bank calls otherwise, wants besides, or refuses. */
export interface OauthParameters {
  rename?: Texts;
  add?: Texts;
  drop?: readonly string[];
}

/** A finding about answers that is known and taken: the rule, where it is found, and why. */
export interface Waiver {
  rule: string;
  operation?: OperationId;
  /** A JSON pointer, in which * stands for any one step; or the name of a header. */
  pointer?: string;
  /** The HTTP status of the answer that it is about. */
  status?: number;
  reason: string;
  /** The day since when, and the last day on which it is taken. */
  since?: string;
  until?: string;
  /** Where it is followed up, and by whom. */
  issue?: string;
  owner?: string;
}

/** The form in which a payment is sent. */
export type PaymentFormat = 'json' | 'xml' | 'text';

/** One of `scaApproaches`. */
export type ScaApproach = (typeof scaApproaches)[number];

/** What an HTTP status means in an answer of one operation. */
export type StatusMeaning = 'done' | 'refused' | 'unknown';

/**
 * Where a bank departs from the standard, as data beside the other settings of a profile; without any of it the bank is a
 * standard one. `bankRows` of `src/settings/profile/bank.ts` says what each setting means and what it may be.
 */
export interface BankDescriptor {
  meta?: {
    name?: string;
    id?: string;
    bic?: readonly string[];
    bankCodes?: readonly string[];
    country?: string;
    environment?: 'sandbox' | 'test' | 'production';
    extends?: string;
    verified?: boolean;
    verifiedOn?: string;
    met?: { release: string; on: string };
    sources?: readonly string[];
  };
  spec?: { validateAgainst?: Framework; operations?: ByOperation<OperationOfBank> };
  urls?: {
    perService?: Readonly<Partial<Record<'pis' | 'ais' | 'piis' | 'sbs', string>>>;
    vars?: Readonly<Record<string, readonly string[]>>;
  };
  registration?: {
    kind?: 'none' | 'firstCall' | 'portal';
    operation?: OperationId;
    successStatus?: readonly number[];
    portal?: string;
  };
  headers?: {
    rules?: readonly BankHeaderRule[];
    accept?: ByOperation<string>;
    contentType?: ByOperation<string>;
    psuIdType?: { values?: readonly string[]; default?: string };
    psuId?: { first?: number; last?: number };
  };
  links?: {
    host?: 'strict' | 'ignore';
    aliases?: Readonly<Record<string, LinkName>>;
    shape?: 'object' | 'string' | 'list';
    prefix?: { remove?: string; add?: string };
  };
  sca?: {
    approaches?: readonly ScaApproach[];
    preferred?: ScaApproach;
    startMode?: 'implicit' | 'explicit' | 'withPsuAuthentication' | 'encrypted' | 'skip';
    passwordEncryption?: {
      kind?: 'RSA-OAEP-256' | 'RSA-OAEP';
      certificateLink?: string;
      certificatePath?: string;
    };
    authorisationIdFrom?: 'body' | 'link' | 'resourceId';
    statusFrom?: 'endpoint' | 'resource';
    statusAliases?: Readonly<Record<string, ScaStatus>>;
    authTypeAliases?: Texts;
    challengeData?: 'list' | 'text';
    poll?: { minIntervalMs?: number; maxPerSecond?: number; timeoutS?: number };
    redirectLifetimeS?: number;
    multilevel?: boolean;
    confirmationCode?: boolean;
  };
  consent?: {
    withBalances?: BalanceAccessForm;
    validDays?: number;
    types?: readonly ConsentType[];
    recurringOnly?: boolean;
    maxFrequency?: number;
    deleteStatus?: readonly number[];
    deleteNeedsSca?: boolean;
    none?: boolean;
    statusAliases?: Texts;
  };
  payments?: {
    matrix?: Readonly<Record<string, Readonly<Record<string, readonly PaymentFormat[]>>>>;
    members?: readonly (keyof PaymentInitiation)[];
    requiredFields?: readonly RequiredField[];
    rename?: Texts;
    enums?: Readonly<Record<string, Texts>>;
    limits?: { remittance?: number; charset?: 'sepa' | 'any' };
    remittanceStructured?: 'object' | 'string';
    redirectOnCancel?: boolean;
    plainText?: boolean;
    pain?: {
      version?: string;
      namespace?: string;
      schemaLocation?: string;
      execDateSentinel?: string;
      bulkInSct?: boolean;
    };
    multipartParts?: { xml?: string; json?: string };
    statusFormat?: 'json' | 'pain.002';
    statusAliases?: Texts;
    debtorAccount?: 'required' | 'optional';
    duplicateWindowMin?: number;
    cancel?: { allowed?: boolean; needsSca?: boolean };
  };
  reports?: { paging?: 'links' | 'index' };
  ais?: {
    transactionFormats?: readonly ReportFormat[];
    bookingStatus?: readonly BookingStatus[];
    params?: QueriesOfBank;
    withBalance?: boolean;
    history?: { maxDays?: number; windowDays?: number; freshMinutes?: number };
    paging?: { params?: 'link' | 'same'; expiresS?: number };
    wrappers?: ByOperation<string>;
    cardAccounts?: boolean;
  };
  decode?: {
    numberAmounts?: boolean;
    naiveZone?: string;
    nulls?: boolean;
    remittanceObject?: boolean;
    otpAsString?: boolean;
    ids?: 'stable' | 'unstable';
  };
  errors?: {
    shapes?: readonly ('tppMessages' | 'oauth' | 'problem' | 'html')[];
    statusMeaning?: ByOperation<Readonly<Record<string, StatusMeaning>>>;
    traceHeaders?: readonly string[];
  };
  limits?: {
    rate?: string;
    perOperation?: ByOperation<string>;
    /** Whether journeys may put load on the bank off this machine. */
    load?: 'refused' | 'allowed';
    perDayPerAccess?: number;
    header?: { name?: string; format?: 'number' | 'json' };
  };
  waivers?: readonly Waiver[];
  sandbox?: { testPsus?: readonly string[]; simulateSca?: string; notes?: readonly string[] };
}

/** The access that a consent may ask for. */
export type ConsentType =
  'detailed' | 'global' | 'availableAccounts' | 'availableAccountsWithBalance' | 'bankOffered';
/** The form of a transaction report. */
export type ReportFormat = 'json' | 'camt.052' | 'camt.053' | 'camt.054' | 'mt940';
/** The words of the query parameter bookingStatus. */
export type BookingStatus = 'booked' | 'pending' | 'both' | 'information' | 'all';

/** The oauth settings of a bank beyond those of the standard. */
export interface AuthOfBank {
  consent?: 'header' | 'token' | 'both';
  mode?: AuthMode;
  operations?: ByOperation<AuthMode>;
  authorizeUrl?: string;
  tokenUrl?: string;
  clientId?: 'orgId' | 'config' | 'tokenReply';
  scope?: Readonly<Partial<Record<Lowercase<Service> | 'app', string>>>;
  authorize?: OauthParameters;
  token?: OauthParameters & { placement?: 'body' | 'query'; signed?: boolean };
  responseType?: 'code' | 'CODE' | 'Code';
  pkce?: { verifierOctets?: number };
  state?: { maxLength?: number; forbid?: readonly string[] };
  tokenHeader?: string;
  lifetimes?: { accessS?: number; refreshS?: number };
  refresh?: { rotates?: boolean; chainDays?: number };
  store?: 'allow' | 'never';
  psuIdFrom?: string;
}
