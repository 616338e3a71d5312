/** The rules of the schemes and of the interface for a pain.001, beyond ISO 20022. */
import { aboveSepa, currencyFault } from '../money/amount.ts';
import { isSepa } from './pain001-input.ts';
import type { TransferScheme } from './pain001-input.ts';
import type { Pain001Batch, Pain001Group, ReadTransfer } from './pain001-read.ts';
import type { Pain001Checks } from './pain001-values.ts';
import { childOf } from '../xml/xml-tree.ts';
import type { XmlElement } from '../xml/xml-tree.ts';

/** A broken rule: the element it concerns (path within the batch or payment), and whether it is an error. */
export interface SchemeFault {
  readonly at: string;
  readonly rule: 'required' | 'scheme' | 'date' | 'reference' | 'qr-iban';
  readonly text: string;
  readonly severity: 'error' | 'warning';
}

const error = (at: string, text: string, rule: SchemeFault['rule'] = 'scheme'): SchemeFault => {
  return { at, rule, text, severity: 'error' };
};
const warning = (at: string, text: string, rule: SchemeFault['rule'] = 'scheme'): SchemeFault => {
  return { at, rule, text, severity: 'warning' };
};

const serviceLevels: Readonly<Record<TransferScheme, string | undefined>> = {
  'sepa-credit-transfers': 'SEPA',
  'instant-sepa-credit-transfers': 'SEPA',
  'target-2-payments': 'URGP',
  'cross-border-credit-transfers': undefined,
};

// The date that banks in Germany expect in a payment without a date.
const noDate = '1999-01-01';

/** Source: EPC230-15, slashes in references, identifications and identifiers. */
function* slashes(at: string, text: string | undefined): Generator<SchemeFault> {
  if (text === undefined || !/^\/|\/$|\/\//.test(text)) return;
  const why = 'the EPC has no slash at the beginning or end of a reference, and no two together';
  yield warning(at, `${JSON.stringify(text)}: ${why}`);
}

/** Returns what is wrong with the header of a message. */
export function* groupFaults(
  { messageId }: Pain001Group,
  scheme: TransferScheme | undefined,
): Generator<SchemeFault> {
  if (scheme !== undefined && isSepa(scheme)) yield* slashes('MsgId', messageId);
}

/** Returns what is wrong with the front of a batch. */
export function* batchFaults(
  batch: Pain001Batch,
  {
    scheme,
    today,
    sentinel = noDate,
    checks,
  }: Readonly<{ scheme?: TransferScheme; today?: string; sentinel?: string; checks?: Pain001Checks }>,
): Generator<SchemeFault> {
  const { requestedExecutionDate: date, serviceLevel, localInstrument, debtorAccount } = batch;
  // A day that is none has its own finding.
  const isDay = date !== undefined && checks?.date(date.slice(0, noDate.length)).ok !== false;
  if (isDay && today !== undefined && date < today && date !== sentinel && date !== noDate) {
    yield warning('ReqdExctnDt', `the execution date ${date} is in the past`, 'date');
  }
  if (scheme === undefined) return;
  const level = serviceLevels[scheme];
  if (serviceLevel !== level) {
    const text = `${scheme} have ${level === undefined ? 'no service level' : `the service level ${level}`}, this has ${serviceLevel ?? 'none'}`;
    yield serviceLevel === undefined ? warning('PmtTpInf', text) : error('PmtTpInf/SvcLvl/Cd', text);
  }
  const instant = scheme === 'instant-sepa-credit-transfers';
  if (instant !== (localInstrument === 'INST')) {
    yield warning(
      'PmtTpInf/LclInstrm/Cd',
      `the local instrument INST belongs to instant payments, and only to them`,
    );
  }
  if (!isSepa(scheme)) return;
  yield* slashes('PmtInfId', batch.paymentInformationId);
  if (batch.debtorName === undefined) yield warning('Dbtr', 'the debtor has no name, which the EPC wants');
  if (debtorAccount !== undefined && debtorAccount.iban === undefined)
    yield error('DbtrAcct', 'the debtor has no IBAN');
  yield* sepaCharges(batch.chargeBearer);
}

/** Returns what is wrong with a payment. */
export function* paymentFaults(
  payment: ReadTransfer,
  scheme: TransferScheme | undefined,
): Generator<SchemeFault> {
  const { creditorName, creditorAccount, instructedAmount } = payment;
  if (creditorName === undefined) yield error('Cdtr', 'the creditor has no name', 'required');
  if (creditorAccount === undefined) yield error('CdtrAcct', 'the creditor has no account', 'required');
  if (scheme === undefined || !isSepa(scheme)) return;
  yield* slashes('PmtId/InstrId', payment.instructionIdentification);
  yield* slashes('PmtId/EndToEndId', payment.endToEndIdentification);
  const foreign = instructedAmount && currencyFault(scheme, instructedAmount.currency);
  if (foreign !== undefined) {
    yield error('Amt/InstdAmt', foreign);
  }
  const above = aboveSepa(instructedAmount?.amount ?? '');
  if (above !== undefined) yield error('Amt/InstdAmt', above);
  if (creditorAccount !== undefined && creditorAccount.iban === undefined) {
    yield error('CdtrAcct', 'the creditor has no IBAN');
  }
  if ([...(creditorName ?? '')].length > 70)
    yield error('Cdtr/Nm', 'the EPC allows names of at most 70 characters');
  yield* sepaCharges(payment.chargeBearer);
}

const reference = 'RmtInf/Strd/CdtrRefInf';

/** Returns what is wrong with what a payment is for; `element` is its CdtTrfTxInf. */
export function* remittanceFaults(
  element: XmlElement,
  { creditorAccount, remittanceInformationStructured: structured }: ReadTransfer,
  scheme: TransferScheme | undefined,
  { reference: check, isQrIban }: Pain001Checks,
): Generator<SchemeFault> {
  const fault = structured && check?.(structured, creditorAccount?.iban);
  if (structured !== undefined && fault !== undefined)
    yield error(`${reference}/Ref`, `${JSON.stringify(structured.reference)}: ${fault}`, 'reference');
  if (isQrIban?.(creditorAccount?.iban ?? '') === true && structured?.referenceType !== 'QRR')
    yield warning(
      'CdtrAcct',
      'the account is a QR-IBAN, to which Swiss banks pay with a QR reference alone (type QRR)',
      'qr-iban',
    );
  if (scheme === undefined || !isSepa(scheme)) return;
  if ((childOf(element, 'RmtInf')?.children.length ?? 0) > 1)
    yield error('RmtInf', 'SEPA has one remittance text or one structured reference');
  yield* slashes(`${reference}/Ref`, structured?.reference);
  const type = structured?.referenceType;
  if (type !== undefined && type !== 'SCOR')
    yield error(`${reference}/Tp`, `SEPA has references of the type SCOR, not ${type}`);
}

function* sepaCharges(bearer: string | undefined): Generator<SchemeFault> {
  if (bearer !== undefined && bearer !== 'SLEV')
    yield error('ChrgBr', `SEPA has the charge bearer SLEV, not ${bearer}`);
}
