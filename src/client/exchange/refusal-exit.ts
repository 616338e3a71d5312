import { exitCodes } from '../../base/errors.ts';
import type { BankMessage, ExitCode } from '../../base/errors.ts';
import { decisiveCode } from '../../standard/xs2a/bank-messages.ts';
import { messageCode } from '../../standard/xs2a/codes.ts';

/**
 * Returns the exit code of a complete error answer: the first known code in the body decides, else the HTTP status. Source:
 * the exit codes of `errors.ts`.
 */
export function refusalExit(status: number, messages: readonly BankMessage[]): ExitCode {
  const fact = messageCode(decisiveCode(messages) ?? '');
  if (fact !== undefined && fact.exit !== exitCodes.ok) return fact.exit;
  if (status === 401) return exitCodes.authNeeded;
  if (status === 429) return exitCodes.throttled;
  // What a server does not implement, it has not done either; what succeeded by its status was refused in its body.
  const isRefusal = (status >= 200 && status < 300) || (status >= 400 && status < 500) || status === 501;
  return isRefusal ? exitCodes.rejected : exitCodes.bankError;
}
