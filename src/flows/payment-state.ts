import type { StatusReason } from '../formats/pain002.ts';
import type { Answer } from '../xs2a/answer.ts';
import { member } from '../xs2a/json.ts';

/** A payment of a bulk that the bank did not make. */
export interface RejectedPayment {
  endToEndIdentification?: string;
  instructedAmount?: { readonly currency: string; readonly amount: string };
  reasons: readonly StatusReason[];
}

/** What a status says, whether it came as JSON or as pain.002. */
export interface PaymentState {
  transactionStatus?: string;
  fundsAvailable?: boolean;
  psuMessage?: string;
  /** Of a pain.002 only. */
  reasons?: readonly StatusReason[];
  rejected?: readonly RejectedPayment[];
}

/** What the answer to a status says; throws ANSWER_UNREADABLE for XML that is no pain.002. */
export async function stateOf(answer: Answer): Promise<PaymentState> {
  if (answer.media === 'xml') return stateOfReport(answer.body);
  const { transactionStatus, psuMessage, json } = answer;
  const funds = member(json, 'fundsAvailable');
  return {
    ...(transactionStatus !== undefined && { transactionStatus }),
    ...(typeof funds === 'boolean' && { fundsAvailable: funds }),
    ...(psuMessage !== undefined && { psuMessage }),
  };
}

async function stateOfReport(body: Uint8Array): Promise<PaymentState> {
  const { readPain002 } = await import('../formats/pain002.ts');
  const { groupStatus, reasons, batches, payments } = readPain002(body);
  // Some banks give the status of the one batch, or of the one payment, and none of the whole.
  const only = payments.length === 1 ? payments[0]?.status : undefined;
  const transactionStatus = groupStatus ?? batches[0]?.status ?? only;
  const rejected = payments
    .filter(({ status }) => status === 'RJCT')
    .map(({ originalEndToEndId, instructedAmount, reasons: why }) => ({
      ...(originalEndToEndId !== undefined && { endToEndIdentification: originalEndToEndId }),
      ...(instructedAmount !== undefined && { instructedAmount }),
      reasons: why,
    }));
  return { ...(transactionStatus !== undefined && { transactionStatus }), reasons, rejected };
}
