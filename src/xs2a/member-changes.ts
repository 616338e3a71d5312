/** The members that objects of the interface have gained in 1.3.6. */

/** An object, the schema of the official files that says it, and what 1.3.6 has added; renamed members are in `wireNames`. */
export interface AddedMembers {
  readonly object: string;
  readonly schema: string;
  readonly members: readonly string[];
}

const payment = [
  'instructionIdentification',
  'debtorName',
  'creditorId',
  'remittanceInformationStructuredArray',
];
const fees = ['estimatedTotalAmount', 'estimatedInterbankSettlementAmount'];
const updateFees = ['transactionFees', 'currencyConversionFees', ...fees];

/** What 1.3.6 has added, by object. Source: the official files 1.3.3 and 1.3.6, protocol 1.7. */
export const addedMembers: readonly AddedMembers[] = [
  { object: 'payment', schema: 'paymentInitiation_json', members: [...payment, 'chargeBearer'] },
  {
    object: 'entry of a bulk payment',
    schema: 'paymentInitiationBulkElement_json',
    members: [...payment, 'chargeBearer'],
  },
  { object: 'periodic payment', schema: 'periodicPaymentInitiation_json', members: payment },
  {
    object: 'answer to a payment',
    schema: 'paymentInitationRequestResponse-201',
    members: ['currencyConversionFee', ...fees],
  },
  {
    object: 'status of a payment',
    schema: 'paymentInitiationStatusResponse-200_json',
    members: ['fundsAvailable', 'psuMessage'],
  },
  {
    object: 'answer to a cancellation',
    schema: 'paymentInitiationCancelResponse-202',
    members: ['tppMessages'],
  },
  { object: 'confirmation', schema: 'authorisationConfirmation', members: ['confirmationCode'] },
  { object: 'psuData', schema: 'psuData', members: ['additionalPassword', 'additionalEncryptedPassword'] },
  {
    object: 'answer to an identification',
    schema: 'updatePsuIdenticationResponse',
    members: [...updateFees, 'scaMethods'],
  },
  {
    object: 'answer to a password',
    schema: 'updatePsuAuthenticationResponse',
    members: [...updateFees, 'authorisationId'],
  },
  {
    object: 'answer to the choice of a method',
    schema: 'selectPsuAuthenticationMethodResponse',
    members: updateFees,
  },
  { object: 'scaStatus', schema: 'scaStatusResponse', members: ['trustedBeneficiaryFlag'] },
  { object: 'access of a consent', schema: 'accountAccess', members: ['additionalInformation'] },
  { object: 'answer to a consent', schema: 'consentsResponse-201', members: ['tppMessages'] },
  { object: 'status of a consent', schema: 'consentStatusResponse-200', members: ['psuMessage'] },
  { object: 'account', schema: 'accountDetails', members: ['displayName', 'ownerName'] },
  { object: 'card account', schema: 'cardAccountDetails', members: ['displayName', 'ownerName'] },
  { object: 'balance', schema: 'balance', members: ['creditLimitIncluded'] },
  { object: 'list of transactions', schema: 'accountReport', members: ['information'] },
  {
    object: 'transaction',
    schema: 'transactionDetails',
    members: [
      'creditorAgent',
      'debtorAgent',
      'remittanceInformationUnstructuredArray',
      'remittanceInformationStructuredArray',
      'additionalInformationStructured',
      'balanceAfterTransaction',
    ],
  },
  {
    object: 'transaction of a card',
    schema: 'cardTransaction',
    members: ['acceptorTransactionDateTime', 'cardAcceptorPhone'],
  },
];

/** The names that no object had before 1.3.6; the others of `addedMembers` are older in other objects. */
export const newMemberNames: ReadonlySet<string> = new Set([
  ...['availableAccountsWithBalance', 'trustedBeneficiaries', 'ownerName', 'displayName'],
  ...['information', 'debtorAgent', 'additionalInformationStructured', 'standingOrderDetails'],
  ...['remittanceInformationUnstructuredArray', 'remittanceInformationStructuredArray'],
  ...['balanceAfterTransaction', 'creditLimitIncluded', 'monthsOfExecution'],
  ...['streetName', 'townName', 'postCode'],
  ...['additionalPassword', 'additionalEncryptedPassword', 'confirmationCode', 'trustedBeneficiaryFlag'],
  ...['instructionIdentification', 'chargeBearer', 'paymentInformationId'],
  ...['currencyConversionFee', 'currencyConversionFees'],
  ...['estimatedTotalAmount', 'estimatedInterbankSettlementAmount'],
  ...['acceptorTransactionDateTime', 'cardAcceptorPhone'],
]);
