import { defined } from '../../base/defined.ts';
import type { StatusCount, StatusReason } from '../../standard/formats/payments/pain002.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { member } from '../../standard/xs2a/json.ts';
import type { Explained, Rejected } from '../orders/report-status.ts';

/** The content of a payment's status, from JSON or pain.002. */
export interface PaymentState {
  transactionStatus?: string;
  fundsAvailable?: boolean;
  psuMessage?: string;
  /** From a pain.002 only. */
  reasons?: readonly StatusReason[];
  rejected?: readonly Rejected[];
  explained?: readonly Explained[];
  counts?: readonly StatusCount[];
  /** Where a pain.002 says of the whole, or of a batch, what its parts do not. */
  contradictions?: readonly string[];
}

/** The content of an answer to a status request; throws ANSWER_UNREADABLE for XML that is no pain.002. */
export async function stateOf(answer: Answer): Promise<PaymentState> {
  if (answer.media === 'xml') return stateOfReport(answer.body);
  const { transactionStatus, psuMessage, json } = answer;
  const funds = member(json, 'fundsAvailable');
  return {
    ...defined({ transactionStatus }),
    ...(typeof funds === 'boolean' && { fundsAvailable: funds }),
    ...defined({ psuMessage }),
  };
}

async function stateOfReport(body: Uint8Array): Promise<PaymentState> {
  const { readPain002 } = await import('../../standard/formats/payments/pain002.ts');
  const { statusOfReport } = await import('../orders/report-status.ts');
  const report = readPain002(body);
  const { transactionStatus, ...rest } = statusOfReport(report);
  return { ...defined({ transactionStatus }), reasons: report.reasons, ...rest };
}
