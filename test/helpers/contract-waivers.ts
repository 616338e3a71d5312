import type { OperationId } from '../../src/xs2a/operations.ts';
import type { Framework } from '../../src/xs2a/variants.ts';

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
    pointer: /\/remittanceInformationStructured$/,
    rule: 'type',
    framework: '1.3.6',
    reason: 'a string in the file, an object in the guidelines and the file of March 2020',
  },
  {
    pointer:
      /^\/(requestedExecutionDate|requestedExecutionTime|chargeBearer|debtorName|creditorId|creditorAgentName|instructionIdentification)$/,
    rule: 'undeclared',
    framework: '1.3.2',
    operations: ['initiatePayment', 'getPaymentInformation'],
    reason: 'fields of the guidelines, section 11.1, that the schemas of 1.3.2 leave out',
  },
  {
    pointer: /^\/(creditorAgentName|creditorId)$/,
    rule: 'undeclared',
    framework: '1.3.6',
    operations: ['initiatePayment', 'getPaymentInformation'],
    reason: 'what was sent comes back, and the schemas of a payment and of its answer differ in these two',
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
    framework: '1.3.2',
    operations: starts,
    reason: 'warnings beside a result are of the guidelines, section 14.11',
  },
];
