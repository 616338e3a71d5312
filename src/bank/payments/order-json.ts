import { defined } from '../../base/defined.ts';
import type { BankSettings } from '../../settings/records/profile.ts';
import { paymentBody } from '../../referee/body/payment.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import { bulkMembers, standingMembers } from '../../standard/xs2a/products.ts';
import type { JsonProduct, PaymentService } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type {
  BulkPaymentInitiation,
  PaymentInitiation,
  PeriodicPaymentInitiation,
  StandingOrder,
} from '../../standard/xs2a/wire.ts';
import type { Order } from '../books/order.ts';
import { accountOf, executionOf, readTransfer, refuseFaults, refuseOthers } from './order-fields.ts';
import type { Demands } from './order-fields.ts';
import { formatError } from '../rules/refusal.ts';

/** Terms under which a body is read. */
export interface Terms extends Pick<Demands, 'scenario'> {
  framework: Framework;
  service: PaymentService;
  product: JsonProduct;
  /** ISO date of the bank. */
  today: string;
  /** How this bank wants pain.001, and the parts of a form with one, where it departs from the standard. */
  forms?: Pick<NonNullable<BankSettings['payments']>, 'pain' | 'multipartParts'> | undefined;
}

/** Reads a payment of any service in JSON; throws FORMAT_ERROR or EXECUTION_DATE_INVALID with the path of the first fault. */
export function readJsonOrder(body: unknown, terms: Terms): Order {
  refuseFaults(body, paymentBody(terms), terms);
  if (terms.service === 'bulk-payments') return readBulk(body as BulkPaymentInitiation, terms);
  const isStanding = terms.service === 'periodic-payments';
  const fields = body as PaymentInitiation;
  const also = isStanding ? Object.keys(standingMembers) : [];
  const debtor = accountOf(fields.debtorAccount);
  const transfers = [readTransfer(fields, '', { ...terms, also })] as const;
  if (isStanding) return { debtor, transfers, standing: standingOf(body as PeriodicPaymentInitiation) };
  const executeAt = executionOf(fields);
  return { debtor, transfers, ...defined({ executeAt }) };
}

function readBulk(fields: BulkPaymentInitiation, terms: Terms): Order {
  // paymentInformationId is accepted only if the bank has opened it (guidelines 11.3).
  const isKnown = (name: string) => name !== 'paymentInformationId' && Object.hasOwn(bulkMembers, name);
  refuseOthers(fields, '', terms, isKnown);
  const [first, ...rest] = fields.payments.map((entry, index) =>
    readTransfer(entry, `payments[${String(index)}].`, { ...terms, also: [] }),
  );
  if (first === undefined) throw formatError('payments is empty.', 'payments');
  const { batchBookingPreferred, paymentInformationId } = fields;
  const executeAt = executionOf(fields);
  return {
    debtor: accountOf(fields.debtorAccount),
    transfers: [first, ...rest],
    ...(batchBookingPreferred === true && { batch: true }),
    ...defined({ executeAt, paymentInformationId }),
  };
}

/** The members of a standing order (guidelines 5.3.3) that the referee takes. */
export const standingOf = (fields: StandingOrder): StandingOrder =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(standingMembers, name)),
  ) as unknown as StandingOrder;

/** The JSON of a body, or of a part of it. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: body.length, maxValues: Infinity });
  } catch {
    throw formatError('The body is not JSON.');
  }
}
