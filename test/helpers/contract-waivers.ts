import type { OperationId } from '../../src/standard/xs2a/operations.ts';
import type { Framework } from '../../src/standard/xs2a/variants.ts';

/** A difference from the official files that is right all the same; whatever is not listed is a finding. */
export interface Waiver {
  pointer: string | RegExp;
  rule: string;
  reason: string;
  framework?: Framework;
  operations?: readonly OperationId[];
}

const starts: readonly OperationId[] = [
  'initiatePayment',
  'createConsent',
  'createSigningBasket',
  'cancelPayment',
];

export const waivers: readonly Waiver[] = [
  {
    pointer: 'query cursor',
    rule: 'undeclared',
    operations: ['getTransactionList', 'getCardAccountTransactionList'],
    reason: 'links to pages are used verbatim, and a bank puts into them what it needs',
  },
  {
    pointer: '/transactions/information',
    rule: 'undeclared',
    framework: '1.3.6',
    operations: ['getTransactionList'],
    reason: 'standing orders by the example of the guidelines, 6.5.4; the file has them from 1.3.8 on',
  },
  {
    pointer: '',
    rule: 'wrapped',
    framework: '1.3.2',
    reason: 'the schema has the bare object, but guidelines, examples and servers wrap it',
  },
  {
    pointer: 'body',
    rule: 'undeclared',
    framework: '1.3.2',
    operations: ['startPaymentInitiationCancellationAuthorisation'],
    reason: 'no body in the file, although the answer 202 offers links that need one; 1.3.6 declares it',
  },
  {
    pointer: 'header consent-id',
    rule: 'undeclared',
    operations: ['checkAvailabilityOfFunds'],
    reason: 'conditional by the guidelines, 10.2, since the errata of February 2019; no file has it',
  },
  {
    pointer: 'header PSU-IP-Address',
    rule: 'format',
    reason: 'the guidelines have a plain string; the PSU may come by IPv6',
  },
  {
    pointer: 'header Location',
    rule: 'format',
    reason: 'official samples have relative ones',
  },
  {
    pointer: /\/(lastChangeDateTime|acceptorTransactionDateTime)$/,
    rule: 'format',
    reason: 'the guidelines allow a local time without offset',
  },
  {
    pointer:
      /^(\/payments\/\d+)?\/(chargeBearer|creditorId|ultimateDebtor|ultimateCreditor|purposeCode|remittanceInformationStructured|instructionIdentification|debtorName|remittanceInformationStructuredArray)$/,
    rule: 'undeclared',
    operations: ['initiatePayment', 'getPaymentInformation'],
    reason: 'data elements of the guidelines, section 11.1, which a bank may open and no file has',
  },
  {
    pointer: /^\/requestedExecution(Date|Time)$/,
    rule: 'undeclared',
    operations: ['initiatePayment', 'getPaymentInformation'],
    reason: 'a data element of the guidelines, section 11.1; the files have it for bulk payments only',
  },
  {
    pointer: '/creditorAgentName',
    rule: 'undeclared',
    operations: ['initiatePayment', 'getPaymentInformation'],
    reason: 'what was sent comes back; the files have it in a request of one payment, and in no answer',
  },
  {
    pointer: /^header tpp-(redirect-preferred|redirect-uri|nok-redirect-uri)$/,
    rule: 'undeclared',
    framework: '1.3.2',
    operations: ['cancelPayment'],
    reason: 'guidelines 5.6 by the errata of 2019: the bank has no other way to learn where a redirect ends',
  },
  {
    pointer: /^\/(scaStatus|authorisationId)$/,
    rule: 'undeclared',
    operations: starts,
    reason: 'the guidelines show the authorisation that the bank started itself',
  },
  {
    pointer: /^\/psuMessage$/,
    rule: 'undeclared',
    reason: 'the guidelines let a bank speak to the PSU in any answer of an authorisation',
  },
  {
    pointer: /^\/_links$/,
    rule: 'undeclared',
    operations: [
      'updatePaymentPsuData',
      'updatePaymentCancellationPsuData',
      'updateConsentsPsuData',
      'updateSigningBasketPsuData',
    ],
    reason: 'the guidelines show scaStatus after the transaction authorisation; the schema has no _links',
  },
  {
    pointer: /^\/tppMessages$/,
    rule: 'undeclared',
    operations: starts,
    reason:
      'warnings beside a result are of the guidelines (5.2, 6.2); the files have them for payments and baskets',
  },
];
