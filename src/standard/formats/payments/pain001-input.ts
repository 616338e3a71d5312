/** The input of a pain.001, and the check that it can be written. */
import { aboveSepa, currencyFault } from '../money/amount.ts';
import { ObkError } from '../../../base/errors.ts';
import {
  isBbanText,
  isBicText,
  isCountryCode,
  isCurrencyCode,
  isDayText,
  isIbanOfSchema,
} from '../../../base/values.ts';
import type { StructuredRemittance } from '../../xs2a/wire.ts';
import type { CreditTransfer, TransferAccount, TransferAddress } from './credit-transfer.ts';

/** The credit transfer schemes that have a pain.001 product. */
export const transferSchemes = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
] as const;
/** One of the four schemes: a product without the prefix `pain.001-`. */
export type TransferScheme = (typeof transferSchemes)[number];

/** The part before the payments: one group, one debtor, one date. */
export interface Pain001Head {
  readonly scheme: TransferScheme;
  /** At most 35 characters; also the paymentInformationId where that is absent. */
  readonly messageId: string;
  /** An ISO date-time. */
  readonly createdAt: string;
  readonly initiatingParty: string;
  readonly debtorAccount: TransferAccount;
  /** At most 70 characters; no message without it is written, since banks and the EPC want it. */
  readonly debtorName: string;
  /** The BIC of the debtor's bank; without it the agent is NOTPROVIDED, as the EPC has it. */
  readonly debtorAgent?: string;
  readonly paymentInformationId?: string;
  /** An ISO date; the day of `createdAt` where it is absent, since the element is mandatory. */
  readonly requestedExecutionDate?: string;
  readonly batchBookingPreferred?: boolean;
  /** ISO 17442 (pain.001.001.09). */
  readonly debtorLei?: string;
  readonly instructionPriority?: 'HIGH' | 'NORM';
}

/** Tells whether a scheme is one of the EPC: euro, IBANs and shared charges only. */
export function isSepa(scheme: TransferScheme): boolean {
  return scheme === 'sepa-credit-transfers' || scheme === 'instant-sepa-credit-transfers';
}

/** Throws ObkError INPUT_INVALID: a pain.001 cannot be written. */
export function refuse(detail: string): never {
  throw new ObkError({ code: 'INPUT_INVALID', title: 'The pain.001 cannot be written.', detail });
}

const isoDateTime =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?$/;
const isDateTime = (text: string): boolean => isoDateTime.test(text);
/** Codes for the party that bears the charges (ISO 20022 ChargeBearerType1Code). */
export const chargeBearers: ReadonlySet<string> = new Set(['DEBT', 'CRED', 'SHAR', 'SLEV']);

/** Checks what stands before the payments against the limits of pain.001.001.03. Throws ObkError INPUT_INVALID. */
export function checkHead(head: Pain001Head): void {
  checkText('messageId', head.messageId, 35);
  checkForm('createdAt', head.createdAt, isDateTime);
  checkText('initiatingParty', head.initiatingParty, 140);
  checkAccount('debtorAccount', head.debtorAccount, head.scheme);
  checkText('debtorName', head.debtorName, 70);
  checkForm('debtorAgent', head.debtorAgent, isBicText);
  checkText('paymentInformationId', head.paymentInformationId, 35);
  checkForm('requestedExecutionDate', head.requestedExecutionDate, isDayText);
}

const members = new Set<string>([
  'endToEndIdentification',
  'instructionIdentification',
  'instructedAmount',
  'creditorAccount',
  'creditorName',
  'creditorAgent',
  'creditorAddress',
  'chargeBearer',
  'remittanceInformationUnstructured',
  'remittanceInformationStructured',
  'inPain',
] satisfies (keyof CreditTransfer)[]);

/** Checks a payment against a scheme and the limits of the interface, but for its amount. Throws ObkError INPUT_INVALID. */
export function checkTransfer(payment: CreditTransfer, scheme: TransferScheme): void {
  // A member that would be lost in silence changes what is paid.
  for (const name of Object.keys(payment))
    if (!members.has(name)) refuse(`${name} is not written into pain.001.`);
  checkText('endToEndIdentification', payment.endToEndIdentification, 35);
  checkText('instructionIdentification', payment.instructionIdentification, 35);
  checkText('creditorName', payment.creditorName, 70);
  checkText('remittanceInformationUnstructured', payment.remittanceInformationUnstructured, 140);
  checkAccount('creditorAccount', payment.creditorAccount, scheme);
  checkForm('creditorAgent', payment.creditorAgent, isBicText);
  if (payment.creditorAddress !== undefined) checkAddress(payment.creditorAddress);
  const { chargeBearer, remittanceInformationStructured: structured } = payment;
  if (structured !== undefined) checkStructured(structured);
  if (chargeBearer !== undefined && !chargeBearers.has(chargeBearer))
    refuse(`chargeBearer ${chargeBearer} is unknown.`);
  if (isSepa(scheme)) checkSepa(payment, scheme);
}

function checkSepa(payment: CreditTransfer, scheme: TransferScheme): void {
  const { chargeBearer, remittanceInformationStructured: structured } = payment;
  const foreign = currencyFault(scheme, payment.instructedAmount.currency);
  if (foreign !== undefined) refuse(`${foreign}.`);
  const above = aboveSepa(payment.instructedAmount.amount);
  if (above !== undefined) refuse(`instructedAmount ${payment.instructedAmount.amount}: ${above}.`);
  if (chargeBearer !== undefined && chargeBearer !== 'SLEV')
    refuse(`${scheme} have the chargeBearer SLEV only.`);
  if (structured === undefined) return;
  if (payment.remittanceInformationUnstructured !== undefined)
    refuse(`${scheme} have a remittance text or a structured reference, not both.`);
  if ((structured.referenceType ?? 'SCOR') !== 'SCOR')
    refuse(`${scheme} have references of the type SCOR, not ${structured.referenceType ?? ''}.`);
}

function checkStructured({ reference, referenceType, referenceIssuer }: StructuredRemittance): void {
  for (const text of [reference, referenceType, referenceIssuer])
    checkText('remittanceInformationStructured', text, 35);
}

function checkAccount(name: string, account: TransferAccount, scheme: TransferScheme): void {
  checkForm(`${name}.iban`, account.iban, isIbanOfSchema);
  checkForm(`${name}.bban`, account.bban, isBbanText);
  checkForm(`${name}.currency`, account.currency, isCurrencyCode);
  if ((account.iban === undefined) === (account.bban === undefined))
    refuse(`${name} needs an IBAN or a BBAN.`);
  if (isSepa(scheme) && account.iban === undefined) refuse(`${name} needs an IBAN.`);
}

function checkAddress(address: TransferAddress): void {
  const { street, streetName, buildingNumber, postalCode, postCode, city, townName } = address;
  checkForm('creditorAddress.country', address.country, isCountryCode);
  for (const text of [street, streetName]) checkText('creditorAddress: the street', text, 70);
  for (const text of [city, townName]) checkText('creditorAddress: the town', text, 35);
  for (const text of [buildingNumber, postalCode, postCode])
    checkText('creditorAddress: number or post code', text, 16);
  const { lines = [] } = address;
  for (const line of lines) checkText('creditorAddress: a line', line, 70);
  if (lines.length > 2) refuse('creditorAddress has at most two lines.');
}

function checkText(name: string, text: string | undefined, max: number): void {
  if (text === undefined) return;
  if (text.trim() === '') refuse(`${name} is empty.`);
  if (text.length > max && [...text].length > max) refuse(`${name} has more than ${String(max)} characters.`);
}

function checkForm(name: string, text: string | undefined, isForm: (text: string) => boolean): void {
  if (text !== undefined && !isForm(text)) refuse(`${name} ${JSON.stringify(text)} is malformed.`);
}
