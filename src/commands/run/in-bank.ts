import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import { bankOfProfile, builtInName, isBuiltIn, profileOfBank } from '../../profile-name.ts';
import type { Noun } from '../../sca/operations.ts';

const nouns: readonly Noun[] = ['payment', 'consent', 'basket'];

/**
 * The name of a profile as its state is kept: a built-in one by the bank that this run means, so that the payments, tokens
 * and budgets of two banks never meet. Throws USAGE where several banks could be meant, and for a name that no bank has
 * and nothing is kept of.
 */
export async function inBank(ports: Pick<Ports, 'bank' | 'resources'>, name: string): Promise<string> {
  if (!isBuiltIn(name)) return name;
  const { bank, known } = await ports.bank.place(bankOfProfile(name));
  const profile = profileOfBank(bank);
  if (known) return profile;
  for (const noun of nouns) if ((await ports.resources.list(profile, noun, 1)).length > 0) return profile;
  throw new ObkError({
    code: 'USAGE',
    title: `There is no bank ${bank} here, and nothing is kept of one.`,
    hint: [
      line`obk sandbox start --name ${bank}`,
      'obk sandbox status',
      line`obk profile show ${builtInName}`,
    ],
  });
}
