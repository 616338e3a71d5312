import { BankRefusal } from '../../errors.ts';

/** Facts known here about a refusal, besides the bank's words. */
export interface Known {
  /** Put below what the bank said. */
  detail?: string | undefined;
  /** In place of the usual next steps. */
  hint: readonly string[];
  resource?: BankRefusal['resource'];
}

/** The same refusal with what is known here. */
export function refusalWith(error: BankRefusal, { detail, hint, resource }: Known): BankRefusal {
  const { code, exit, title, httpStatus, requestId, operation, method, path, messages, cause } = error;
  return new BankRefusal({
    ...{ code, exit, title, httpStatus, requestId, operation, method, path, messages, cause },
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    ...((resource ?? error.resource) !== undefined && { resource: { ...error.resource, ...resource } }),
    detail: [error.detail, detail].filter((text) => text !== undefined).join('\n'),
    hint,
  });
}
