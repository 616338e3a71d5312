import type { BankMessage } from '../../base/errors.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { stateOf } from './payment-state.ts';
import type { PaymentState } from './payment-state.ts';
import { redactMessage } from '../redaction/redact.ts';

/** A bank's words about a resource besides its status: for the PSU, reasons, messages. */
export interface Said extends Omit<PaymentState, 'transactionStatus'> {
  tppMessages?: readonly BankMessage[];
}

/** The bank's words in an answer, besides the status. */
export async function saidIn(answer: Answer): Promise<Said> {
  const { transactionStatus: _, ...rest } = await stateOf(answer);
  const tppMessages = answer.messages.map(redactMessage);
  return { ...rest, ...(tppMessages.length > 0 && { tppMessages }) };
}
