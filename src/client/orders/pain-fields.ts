import { defined } from '../../base/defined.ts';
import type { TransferInPain } from '../../standard/formats/payments/credit-transfer.ts';
import type { Pain001Head } from '../../standard/formats/payments/pain001-input.ts';
import { checkLei } from '../../standard/xs2a/creditor-reference.ts';
import { fieldFlags, notSendable } from './payment-fields.ts';
import type { FieldName, PaymentFields } from './payment-fields.ts';
import { readReporting } from './field-parts.ts';

/** The fields that pain.001 alone has. */
export const painFields = [
  'uetr',
  'debtorLei',
  'creditorLei',
  'instructionPriority',
  'regulatoryReporting',
] as const satisfies readonly FieldName[];

/** The elements that fields of pain.001 become: of its one transfer, and in front of all. */
export interface PainElements {
  readonly inPain: TransferInPain | undefined;
  readonly head: Pick<Pain001Head, 'debtorLei' | 'instructionPriority'>;
}

/** The elements of the fields; throws for those that the version or the product has not. `version` is 3, 9 and so on. */
export function painElements(fields: PaymentFields, product: string, version: number): PainElements {
  const { uetr, debtorLei, creditorLei, instructionPriority, regulatoryReporting } = fields;
  const isSepa = product.endsWith('sepa-credit-transfers');
  const given = painFields.filter((name) => fields[name] !== undefined);
  const tooNew =
    version >= 9 ? [] : given.filter((name) => ['uetr', 'debtorLei', 'creditorLei'].includes(name));
  const outside = isSepa ? given.filter((name) => name === 'uetr' || name === 'regulatoryReporting') : [];
  const faults = [
    ...tooNew.map((name) => `${fieldFlags[name]}: pain.001.001.03 has no place for it`),
    ...outside.map((name) => `${fieldFlags[name]}: SEPA credit transfers have no place for it`),
  ];
  if (faults.length > 0)
    throw notSendable(faults, ...(tooNew.length > 0 ? ['--schema pain.001.001.09'] : []));
  const lei = (text: string | undefined) => {
    const checked = text === undefined ? undefined : checkLei(text);
    return checked?.ok === true ? checked.value : undefined;
  };
  const reporting = regulatoryReporting === undefined ? undefined : readReporting(regulatoryReporting);
  const [debtor, creditor] = [lei(debtorLei), lei(creditorLei)];
  const inPain: TransferInPain = {
    ...(uetr !== undefined && { uetr: uetr.toLowerCase() }),
    ...defined({ creditorLei: creditor }),
    ...(reporting?.ok === true && { regulatoryReporting: reporting.value }),
  };
  const priority = instructionPriority?.toUpperCase();
  return {
    inPain: Object.keys(inPain).length === 0 ? undefined : inPain,
    head: {
      ...defined({ debtorLei: debtor }),
      ...((priority === 'HIGH' || priority === 'NORM') && { instructionPriority: priority }),
    },
  };
}
