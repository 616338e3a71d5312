import type { Operation, OperationId } from '../standard/xs2a/operations.ts';

/** The sections of the guidelines 1.3.6 on operations of their own; the others follow from the kind of the operation. */
const sections: Readonly<Partial<Record<OperationId, string>>> = {
  initiatePayment: '5.3',
  getPaymentInitiationStatus: '5.4',
  getPaymentInformation: '5.5',
  cancelPayment: '5.6',
  getPaymentInitiationCancellationAuthorisationInformation: '5.7',
  getTransactionList: '6.5.4',
  getTransactionDetails: '6.5.5',
};

/** Returns where the guidelines describe the request of an operation: `guidelines 7.1`. */
export function sectionOf({ id, path, method, parent }: Operation): string {
  const own = sections[id];
  if (own !== undefined) return `guidelines ${own}`;
  if (/authorisations$/.test(path)) return `guidelines ${method === 'POST' ? '7.1' : '7.4'}`;
  if (/authorisations\/\{/.test(path)) return `guidelines ${method === 'PUT' ? '7.2 and 7.3' : '7.5'}`;
  return `guidelines ${byParent[parent]}`;
}

const byParent: Readonly<Record<Operation['parent'], string>> = {
  payment: '5',
  cancellation: '5.6',
  consent: '6.3',
  basket: '8',
  account: '6.5',
  'card-account': '6.6',
  funds: '10.2',
};
