import { line } from '../../../command-line.ts';
import type { Context } from '../../../context.ts';
import { livingResources } from '../../../flows/resources/of-ledger.ts';
import { inBank } from '../../run/in-bank.ts';
import { builtInName } from '../../../profile-name.ts';
import type { Outcome } from '../../../outcome.ts';
import { usageError } from '../../flags/flag-values.ts';

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
  let { id } = options;
  if (id === '@last') {
    const profile = await inBank(context.ports, builtInName);
    const [newest] = await livingResources(context.ports, profile, 'payment', 1);
    if (newest === undefined) {
      throw usageError(
        'No payment was started at the bank inside yet.',
        line`obk payment init --profile ${profile}`,
      );
    }
    id = newest.id;
  }
  const decided = await bank.decide(decision, id, options.as);
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
