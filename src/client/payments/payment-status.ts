import { ObkError } from '../../base/errors.ts';
import type { BankMessage } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isFinalTransaction, transactionStatus } from '../../standard/xs2a/codes.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import { endOf, isGone } from '../resources/parent-status.ts';
import { stateOf } from '../resources/payment-state.ts';
import type { PaymentState } from '../resources/payment-state.ts';
import { refreshResource } from '../resources/saved-resource.ts';
import type { Target } from '../exchange/target.ts';
import { watch } from '../resources/watch.ts';
import type { Pace, WatchEnd } from '../resources/watch.ts';

/** A status as it was read. */
export interface StatusReading {
  /** Absent where the bank keeps nothing of a payment that it has cancelled. */
  answer?: Answer;
  state: PaymentState;
  messages: readonly BankMessage[];
  resource: SavedResource;
}

/** Reads the status of a payment, in JSON or (of a pain.001 product, if wanted) as pain.002, and saves it. */
export async function readPaymentState(
  target: Target,
  payment: SavedResource,
  how: { pain002?: boolean } = {},
): Promise<StatusReading> {
  try {
    const { answer, resource } = await refreshResource(target, payment, how);
    return { answer, state: await stateOf(answer), messages: answer.messages, resource };
  } catch (error) {
    if (payment.status !== 'CANC' || !isGone(error)) throw error;
    return { state: { transactionStatus: 'CANC' }, messages: error.messages, resource: payment };
  }
}

/**
 * Reads which payments of a partially accepted bulk the bank did not make (pain.002), or its words for the PSU.
 * Undefined for any other payment, and if it cannot be read.
 */
export async function readPartly(target: Target, payment: SavedResource): Promise<PaymentState | undefined> {
  if (transactionStatus(payment.status ?? '')?.kind !== 'partly') return undefined;
  try {
    return (await readPaymentState(target, payment, { pain002: isXmlProduct(payment.product ?? '') })).state;
  } catch (error) {
    // The payment is over, and so much is known of it.
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}

/** How a status is waited for. */
export interface WatchOptions extends Pace {
  pain002?: boolean;
  /** Absent: until nothing changes any more. */
  until?: string;
}

/** Reads the status again and again; tells whether what was waited for came, or can no longer come. */
export function watchPayment(
  target: Target,
  resource: SavedResource,
  { until, intervalMs, timeoutMs, ...how }: WatchOptions,
): AsyncGenerator<StatusReading, { end: WatchEnd; last: StatusReading }> {
  let last = resource;
  const read = async () => {
    const reading = await readPaymentState(target, last, how);
    last = reading.resource;
    return reading;
  };
  const judge = ({ state: { transactionStatus: status } }: StatusReading) => {
    const over =
      resource.noun === 'basket'
        ? endOf('basket', status) !== undefined
        : status !== undefined && isFinalTransaction(status);
    if (until === undefined ? over : status === until) return 'reached';
    return over ? 'missed' : undefined;
  };
  return watch(target, { id: resource.id, read, judge }, { intervalMs, timeoutMs });
}
