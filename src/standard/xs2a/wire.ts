/** A code of an open list, with the known values for the editor's help. */
export type Open<Known extends string> = Known | (string & {});

/** The body of an amount: ISO 4217 code and a decimal string such as `12.50`, never a number. */
export interface Amount {
  currency: string;
  amount: string;
}

/** One account by exactly one of its identifiers, perhaps with the currency of a sub-account. */
export interface AccountReference {
  iban?: string;
  bban?: string;
  pan?: string;
  maskedPan?: string;
  msisdn?: string;
  currency?: string;
  /** 1.3.8 */
  cashAccountType?: string;
  /** 1.3.9 */
  other?: OtherReference;
}

/** A number of an account in a scheme of its own. */
export interface OtherReference {
  identification: string;
  schemeNameCode?: string;
  schemeNameProprietary?: string;
  issuer?: string;
}

/** An owner of an account. */
export interface AccountOwner {
  name: string;
  role?: string;
}

/** A postal address; both frameworks' member names. */
export interface Address {
  country: string;
  buildingNumber?: string;
  /** 1.3.2 */
  street?: string;
  /** 1.3.2 */
  city?: string;
  /** 1.3.2 */
  postalCode?: string;
  /** 1.3.6 */
  streetName?: string;
  /** 1.3.6 */
  townName?: string;
  /** 1.3.6 */
  postCode?: string;
}

/** A hyperlink as the schemas have it. */
export interface Href {
  href: string;
}

/** The hyperlinks of an answer by name; `links.ts` reads them from any shape a bank sends. */
export type Links = Record<string, Href>;

/** One message of a bank beside a result or in an error body. */
export interface TppMessage {
  category: Open<'ERROR' | 'WARNING'>;
  code: string;
  path?: string;
  text?: string;
}

/** The error body as `application/json`. */
export interface TppErrorBody {
  tppMessages: TppMessage[];
  _links?: Links;
}

/** The error body as `application/problem+json` (RFC 7807). */
export interface ProblemBody {
  type: string;
  code: string;
  title?: string;
  detail?: string;
  additionalErrors?: { code: string; title?: string; detail?: string }[];
  _links?: Links;
}

/** One way of strong customer authentication that the PSU may choose. */
export interface AuthenticationObject {
  authenticationType: Open<'SMS_OTP' | 'CHIP_OTP' | 'PHOTO_OTP' | 'PUSH_OTP' | 'SMTP_OTP'>;
  authenticationMethodId: string;
  authenticationVersion?: string;
  name?: string;
  explanation?: string;
}

/** The data that the PSU needs to make the one-time password. */
export interface ChallengeData {
  /** Base64 of a PNG image. */
  image?: string;
  /** A string in 1.3.2, an array of strings in 1.3.6. */
  data?: string | string[];
  imageLink?: string;
  /** A number; some banks send it as a string. */
  otpMaxLength?: number;
  otpFormat?: Open<'characters' | 'integer'>;
  additionalInformation?: string;
}

/** The data of strong customer authentication that travel with many answers. */
export interface ScaData {
  scaMethods?: AuthenticationObject[];
  chosenScaMethod?: AuthenticationObject;
  challengeData?: ChallengeData;
  psuMessage?: string;
  tppMessages?: TppMessage[];
  _links?: Links;
}

/** Fees that a bank may state; the plural name belongs to the answers of PUT. */
export interface Fees {
  transactionFees?: Amount;
  transactionFeeIndicator?: boolean;
  currencyConversionFee?: Amount;
  currencyConversionFees?: Amount;
  estimatedTotalAmount?: Amount;
  estimatedInterbankSettlementAmount?: Amount;
}

/** Structured remittance information as an object; 1.3.6 files also have it as a plain string. */
export interface StructuredRemittance {
  reference: string;
  referenceType?: string;
  referenceIssuer?: string;
}

/** The body of a single payment in JSON; `products.ts` says which members a product allows. */
export interface PaymentInitiation {
  endToEndIdentification?: string;
  instructionIdentification?: string;
  debtorAccount: AccountReference;
  debtorName?: string;
  debtorId?: string;
  ultimateDebtor?: string;
  instructedAmount: Amount;
  currencyOfTransfer?: string;
  creditorAccount: AccountReference;
  creditorAgent?: string;
  creditorAgentName?: string;
  creditorName: string;
  creditorId?: string;
  creditorAddress?: Address;
  creditorNameAndAddress?: string;
  ultimateCreditor?: string;
  purposeCode?: string;
  chargeBearer?: Open<'DEBT' | 'CRED' | 'SHAR' | 'SLEV'>;
  serviceLevel?: string;
  remittanceInformationUnstructured?: string;
  remittanceInformationUnstructuredArray?: string[];
  remittanceInformationStructured?: StructuredRemittance | string;
  remittanceInformationStructuredArray?: (StructuredRemittance | string)[];
  requestedExecutionDate?: string;
  requestedExecutionTime?: string;
}

/** One entry of a bulk payment: a single payment without what the bulk says for all. */
export type BulkEntry = Omit<
  PaymentInitiation,
  'debtorAccount' | 'requestedExecutionDate' | 'requestedExecutionTime'
>;

/** The body of a bulk payment in JSON. */
export interface BulkPaymentInitiation {
  debtorAccount: AccountReference;
  payments: BulkEntry[];
  batchBookingPreferred?: boolean;
  requestedExecutionDate?: string;
  requestedExecutionTime?: string;
  paymentInformationId?: string;
}

/** When a standing order runs; dates are ISO dates, `dayOfExecution` is a string `1` to `31`. */
export interface StandingOrder {
  startDate: string;
  frequency: string;
  endDate?: string;
  executionRule?: Open<'following' | 'preceding'>;
  dayOfExecution?: string;
  monthsOfExecution?: string[];
}

/** The body of a standing order in JSON. */
export type PeriodicPaymentInitiation = PaymentInitiation & StandingOrder;

/** The answer 201 to POST payment. */
export interface PaymentInitiationResponse extends ScaData, Fees {
  transactionStatus: string;
  paymentId: string;
  /** Not in the schema, but present where the bank started the authorisation itself. */
  scaStatus?: string;
  authorisationId?: string;
  _links: Links;
}

/** The answer to GET payment: the fields of the initiation and the status. */
export type PaymentInformation = Partial<
  Omit<PaymentInitiation & StandingOrder & BulkPaymentInitiation, 'payments'>
> & {
  payments?: BulkEntry[];
  transactionStatus?: string;
};

/** The answer to GET payment status in JSON. */
export interface PaymentStatus {
  transactionStatus: string;
  /** Only with ACTC, ACWC and ACCP. */
  fundsAvailable?: boolean;
  /** 1.3.6 */
  psuMessage?: string;
  /** 1.3.9 */
  _links?: Links;
  tppMessage?: TppMessage[];
  /** 1.3.12 */
  ownerNames?: AccountOwner[];
  psuName?: string;
}

/** The answer 202 to DELETE payment: the cancellation needs an authorisation of its own. */
export interface CancelResponse extends ScaData {
  transactionStatus: string;
  scaStatus?: string;
  authorisationId?: string;
}

/** The answer 201 to a start of an authorisation. */
export interface StartScaProcessResponse extends ScaData {
  scaStatus: string;
  authorisationId: string;
  _links: Links;
}

/** The answer 200 to PUT on an authorisation, whatever was updated; only `scaStatus` is common to all. */
export interface UpdatePsuDataResponse extends ScaData, Fees {
  scaStatus: string;
  authorisationId?: string;
}

/** The answer to GET scaStatus. */
export interface ScaStatusResponse {
  scaStatus: string;
  trustedBeneficiaryFlag?: boolean;
  psuMessage?: string;
  /** 1.3.9 */
  _links?: Links;
  tppMessage?: TppMessage[];
  /** 1.3.12 */
  psuName?: string;
}

/** The list of authorisation ids; the cancellation list of 1.3.2 is named `cancellationIds`. */
export interface AuthorisationList {
  authorisationIds?: string[];
  cancellationIds?: string[];
}

/** The first or a further factor of the PSU. */
export interface PsuData {
  password?: string;
  encryptedPassword?: string;
  /** 1.3.6 */
  additionalPassword?: string;
  /** 1.3.6 */
  additionalEncryptedPassword?: string;
}

/** The body of POST authorisation and PUT authorisation; the member that is present says which of them it is. */
export type AuthBody =
  | Record<string, never>
  | { psuData: PsuData }
  | { authenticationMethodId: string }
  | { scaAuthenticationData: string }
  | { confirmationCode: string };

/** The body of POST signing-baskets; at least one of the two, each non-empty. */
export interface SigningBasket {
  paymentIds?: readonly string[];
  consentIds?: readonly string[];
}

/** The answer 201 to POST signing-baskets. */
export interface SigningBasketResponse extends ScaData {
  transactionStatus: string;
  basketId: string;
  scaStatus?: string;
  authorisationId?: string;
  _links: Links;
}

/** The answer to GET signing-basket. */
export interface SigningBasketInformation {
  payments?: string[];
  consents?: string[];
  transactionStatus: string;
  _links?: Links;
}
