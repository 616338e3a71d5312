import { line } from '../../../base/command-line.ts';
import { isUsedUp } from '../../../client/consents/budget.ts';
import type { Target } from '../../../client/exchange/target.ts';
import type { DataOutcome } from '../../outcome.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';

/** The outcome with the word that a one-off consent has been used: a bank may go on calling it valid. */
export async function withUse(
  target: Pick<Target, 'ports' | 'name'>,
  consent: SavedResource,
  outcome: DataOutcome,
): Promise<DataOutcome> {
  if (!(await isUsedUp(target, consent))) return outcome;
  const told = '  Used up: it was for one use, which was made from here; the bank may refuse another read.';
  return {
    ...outcome,
    text: (style) => after(outcome.text(style), style.warn(told)),
    next: [line`obk consent renew ${consent.id}`],
  };
}

const after = (text: string, more: string) => `${text.replace(/\n$/, '')}\n${more}`;
