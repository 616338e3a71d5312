import type { Context } from '../../../context.ts';
import type { Outcome } from '../../../outcome.ts';
import { findAuthorisation } from '../../../../client/authorisations/find-authorisation.ts';
import { isFailure } from '../../../../base/errors.ts';
import { builtInName } from '../../../../base/profile-name.ts';
import { parseUrl } from '../../../../base/url.ts';
import { inBank } from '../../run/in-bank.ts';
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
  const { authorisationId, scaStatus } = decided;
  const redirectedTo = await withState(context, decided, options.id);
  const done = decision === 'approve' ? 'Approved' : 'Refused';
  return {
    kind: 'data',
    data: { id, decision, ...decided, ...(redirectedTo !== undefined && { redirectedTo }) },
    text: () =>
      authorisationId === undefined
        ? `${done}: the login. The browser would be led to ${redirectedTo ?? 'no address'}`
        : `${done}: authorisation ${authorisationId} is ${scaStatus ?? 'unknown'}.`,
    name: authorisationId ?? redirectedTo ?? id,
  };
}

/**
 * The address that the browser would be led to, as it would be had the customer opened the link of this home: with its state,
 * by which the return is known as one of that authorisation. A link that was given has brought its own.
 */
async function withState(
  { ports }: Context,
  { authorisationId, redirectedTo }: { authorisationId?: string; redirectedTo?: string },
  given: string,
): Promise<string | undefined> {
  const url = parseUrl(redirectedTo ?? '');
  if (url === undefined || authorisationId === undefined || parseUrl(given) !== undefined)
    return redirectedTo;
  if (url.searchParams.has('state')) return redirectedTo;
  try {
    const name = await inBank(ports, builtInName);
    const { conversation } = await findAuthorisation({ name, ports }, authorisationId);
    if (conversation?.returnState === undefined) return redirectedTo;
    url.searchParams.append('state', conversation.returnState);
    return url.href;
  } catch (error) {
    // Another home has started it.
    if (isFailure(error)) return redirectedTo;
    throw error;
  }
}
