import type { Context } from '../../../context.ts';
import type { Outcome } from '../../../outcome.ts';
import { actOn } from '../by-id.ts';

export interface DecideOptions {
  id: string;
  as?: string;
}

/** The hand of the PSU: what would be a click on the bank's page or on the phone. */
export async function decide(
  context: Context,
  decision: 'approve' | 'refuse',
  options: DecideOptions,
): Promise<Outcome> {
  const { bank } = context.ports;
  const { decided, id } = await actOn(context, { id: options.id, nouns: ['payment'] }, async (whole) => ({
    decided: await bank.decide(decision, whole, options.as),
    id: whole,
  }));
  const { authorisationId, scaStatus, redirectedTo } = decided;
  const done = decision === 'approve' ? 'Approved' : 'Refused';
  return {
    kind: 'data',
    data: { id, decision, ...decided },
    text: () =>
      authorisationId === undefined
        ? `${done}: the login. The browser would be led to ${redirectedTo ?? 'no address'}`
        : `${done}: authorisation ${authorisationId} is ${scaStatus ?? 'unknown'}.`,
    name: authorisationId ?? redirectedTo ?? id,
  };
}
