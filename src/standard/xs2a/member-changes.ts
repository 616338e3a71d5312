/** The members that objects of the interface have not had in every file from the first, with who says them and since when. */
import { always, both, inFile, inGuidelines, isIn, ofAdorsys } from './origin.ts';
import type { Framework, Origin } from './origin.ts';

/** Members of an object, the schema of the files that says it, and where they come from; renamed ones are in `wireChanges`. */
export interface MemberChange {
  readonly object: string;
  readonly schema: string;
  readonly members: readonly string[];
  readonly origin: Origin;
}

/** Members of one object, by origin. */
const changes = (
  object: string,
  schema: string,
  ...rows: readonly (readonly [members: readonly string[], origin: Origin])[]
): readonly MemberChange[] => rows.map(([members, origin]) => ({ object, schema, members, origin }));

/** In the data elements of the guidelines (11.1, "n.a.": a bank may open them) and in no file. */
const payment = [
  [
    [
      ...['chargeBearer', 'creditorId', 'ultimateDebtor', 'ultimateCreditor', 'purposeCode'],
      ...['remittanceInformationStructured'],
    ],
    inGuidelines('1.3.2'),
  ],
  [['instructionIdentification'], inGuidelines('1.3.5')],
  [['debtorName', 'remittanceInformationStructuredArray'], inGuidelines('1.3.6')],
] as const;
const executionDate = [['requestedExecutionDate', 'requestedExecutionTime'], inGuidelines('1.3.2')] as const;
const since136 = both('1.3.6');
const since138 = inFile('1.3.8');
const since139 = inFile('1.3.9');
const since1312 = inFile('1.3.12');
const message = [['tppMessage'], since139] as const;
const owners = ['ownerNames', 'psuName'];
const fees = ['estimatedTotalAmount', 'estimatedInterbankSettlementAmount'];
const updateFees = ['transactionFees', 'currencyConversionFees', ...fees];

/** The members by object. Source: files 1.3.3 to 1.3.12, guidelines 4.14, 5.2, 6.2, 6.5.4, 11.1 with errata. */
export const memberChanges: readonly MemberChange[] = [
  ...changes('payment', 'paymentInitiation_json', ...payment, executionDate),
  ...changes('entry of a bulk payment', 'paymentInitiationBulkElement_json', ...payment),
  ...changes('periodic payment', 'periodicPaymentInitiation_json', ...payment, [
    ['monthsOfExecution'],
    { guidelines: '1.3.6', file: '1.3.11' },
  ]),
  ...changes('payment as read', 'paymentInitiationWithStatusResponse', message),
  ...changes('periodic payment as read', 'periodicPaymentInitiationWithStatusResponse', message),
  ...changes(
    'bulk payment as read',
    'bulkPaymentInitiationWithStatusResponse',
    [['paymentInformationId', 'acceptorTransactionDateTime'], since136],
    message,
  ),
  ...changes('answer to a payment', 'paymentInitationRequestResponse-201', [
    ['currencyConversionFee', ...fees],
    since136,
  ]),
  ...changes(
    'status of a payment',
    'paymentInitiationStatusResponse-200_json',
    [['fundsAvailable'], both('1.3.3')],
    [['psuMessage'], both('1.3.5')],
    [['_links', 'tppMessage'], since139],
    [owners, since1312],
  ),
  ...changes('answer to a cancellation', 'paymentInitiationCancelResponse-202', [
    ['tppMessages'],
    inGuidelines('1.3.2'),
  ]),
  ...changes('confirmation', 'authorisationConfirmation', [['confirmationCode'], since136]),
  ...changes('psuData', 'psuData', [['additionalPassword', 'additionalEncryptedPassword'], both('1.3.3')]),
  ...changes(
    'answer to an identification',
    'updatePsuIdenticationResponse',
    [updateFees, since136],
    [['scaMethods'], both('1.3.3')],
  ),
  ...changes('answer to a password', 'updatePsuAuthenticationResponse', [
    [...updateFees, 'authorisationId'],
    since136,
  ]),
  ...changes('answer to the choice of a method', 'selectPsuAuthenticationMethodResponse', [
    updateFees,
    since136,
  ]),
  ...changes(
    'scaStatus',
    'scaStatusResponse',
    [['trustedBeneficiaryFlag'], since136],
    [['psuMessage'], since138],
    [['_links', 'tppMessage'], since139],
    [['psuName'], since1312],
  ),
  ...changes(
    'access of a consent',
    'accountAccess',
    [['additionalInformation'], since136],
    [['restrictedTo'], since138],
  ),
  ...changes(
    'reference to an account',
    'accountReference',
    [['cashAccountType'], since138],
    [['other'], since139],
  ),
  ...changes('answer to a consent', 'consentsResponse-201', [['tppMessages'], inGuidelines('1.3.2')]),
  ...changes('status of a consent', 'consentStatusResponse-200', [['psuMessage'], both('1.3.5')]),
  ...changes('account', 'accountDetails', [['displayName', 'ownerName'], since136], [owners, since1312]),
  ...changes(
    'card account',
    'cardAccountDetails',
    [['displayName', 'ownerName'], since136],
    [['debitAccounting'], since138],
  ),
  ...changes('balances of a card account', 'readCardAccountBalanceResponse-200', [
    ['debitAccounting'],
    since138,
  ]),
  ...changes('transactions of a card account', 'cardAccountsTransactionsResponse200', [
    ['debitAccounting'],
    since138,
  ]),
  ...changes('balance', 'balance', [['creditLimitIncluded'], both('1.3.3')]),
  ...changes('list of transactions', 'accountReport', [
    ['information'],
    { guidelines: '1.3.6', file: '1.3.8' },
  ]),
  ...changes(
    'transaction',
    'transactionDetails',
    [['creditorAgent', 'debtorAgent', 'balanceAfterTransaction'], both('1.3.5')],
    [
      [
        ...['remittanceInformationUnstructuredArray', 'remittanceInformationStructuredArray'],
        ...['additionalInformationStructured'],
      ],
      since136,
    ],
    [['batchIndicator', 'batchNumberOfTransactions', 'entryDetails'], since138],
  ),
  ...changes(
    'transaction of a card',
    'cardTransaction',
    [['acceptorTransactionDateTime', 'cardAcceptorPhone'], since136],
    [['valueDate', 'grandTotalAmount'], since139],
  ),
];

/** Tells whether an object of a framework has the member; one that the table does not name has always been there. */
export function hasMember(framework: Framework, object: string, member: string): boolean {
  const row = memberChanges.find((change) => change.object === object && change.members.includes(member));
  return isIn(framework, row?.origin ?? always);
}

const named = (origin: Origin, ...names: readonly string[]) => names.map((name) => [name, origin] as const);
const renamed: Origin = { guidelines: '1.3.3', file: '1.3.4' };
const renamedBefore: Origin = { guidelines: ['1.3.2', '1.3.2'], file: ['1.3.2', '1.3.3'] };

/** Where a name comes from that not every file has in some object from the first; for its objects see `memberChanges`. */
const nameOrigins: ReadonlyMap<string, Origin> = new Map([
  ...named(inGuidelines('1.3.2'), 'chargeBearer', 'debtorId', 'creditorNameAndAddress'),
  ...named(inGuidelines('1.3.2'), 'serviceLevel', 'currencyOfTransfer'),
  ...named(inGuidelines('1.3.5'), 'instructionIdentification'),
  ...named(inGuidelines(['1.3.2', '1.3.5']), 'cancellationIds'),
  ...named(inFile(['1.3.2', '1.3.5']), 'cancellationId'),
  ...named({ guidelines: ['1.3.2', '1.3.2'], dialect: 'adorsys' }, 'availableAccountsWithBalances'),
  ...named(renamed, 'availableAccountsWithBalance', 'streetName', 'townName', 'postCode'),
  ...named(renamedBefore, 'street', 'city', 'postalCode'),
  ...named(both(['1.3.2', '1.3.4']), 'message'),
  ...named(both('1.3.3'), 'additionalPassword', 'additionalEncryptedPassword', 'creditLimitIncluded'),
  ...named(both('1.3.5'), 'debtorAgent', 'balanceAfterTransaction'),
  ...named({ guidelines: '1.3.6', file: '1.3.8' }, 'information'),
  ...named(since136, 'trustedBeneficiaries', 'ownerName', 'displayName', 'trustedBeneficiaryFlag'),
  ...named(since136, 'additionalInformationStructured', 'standingOrderDetails', 'monthsOfExecution'),
  ...named(since136, 'remittanceInformationUnstructuredArray', 'remittanceInformationStructuredArray'),
  ...named(since136, 'confirmationCode', 'paymentInformationId', 'currencyConversionFee'),
  ...named(since136, 'currencyConversionFees', ...fees),
  ...named(since136, 'acceptorTransactionDateTime', 'cardAcceptorPhone'),
  ...named(since138, 'restrictedTo', 'debitAccounting', 'batchIndicator', 'batchNumberOfTransactions'),
  ...named(since138, 'entryDetails'),
  ...named(since139, 'tppMessage', 'other', 'identification', 'schemeNameCode', 'schemeNameProprietary'),
  ...named(since139, 'issuer', 'grandTotalAmount'),
  ...named(since1312, 'ownerNames', 'psuName', 'role'),
  ...named(ofAdorsys, 'pageIndex', 'itemsPerPage'),
]);

/** Returns who says the name of a member or a query parameter, in whatever object it came first. */
export function nameOrigin(name: string): Origin {
  return nameOrigins.get(name) ?? always;
}

/** The names of `nameOrigin` that are not in every file and the guidelines from the first. */
export const lateNames: readonly string[] = [...nameOrigins.keys()];
