import { defined } from '../../../base/defined.ts';
import { line } from '../../../base/command-line.ts';
import type { BankInUse } from '../../../base/command-line.ts';
import { ObkError } from '../../../base/errors.ts';
import type { CommandPorts } from '../../context.ts';
import {
  bankOfProfile,
  builtInName,
  defaultBank,
  isBuiltIn,
  profileOfBank,
  tenantOfProfile,
} from '../../../base/profile-name.ts';
import type { Noun } from '../../../standard/sca/operations.ts';

const nouns: readonly Noun[] = ['payment', 'consent', 'basket'];

/** How lines of a run at a bank inside name it: as they must where another run in this home could mean another bank. */
export async function bankInLines({ bank: port }: Pick<CommandPorts, 'bank'>): Promise<BankInUse> {
  const { bank, tenant, others } = await port.place();
  const at = bank !== defaultBank || others || tenant !== undefined ? { at: bank } : {};
  return { ...at, ...defined({ tenant }) };
}

/**
 * The name of a profile as its state is kept: a built-in one by the bank that this run means, so that the payments, tokens
 * and budgets of two banks never meet. Throws USAGE where several banks could be meant, and for a name that no bank has
 * and nothing is kept of.
 */
export async function inBank(ports: Pick<CommandPorts, 'bank' | 'resources'>, name: string): Promise<string> {
  if (!isBuiltIn(name)) return name;
  const { bank, tenant, known } = await ports.bank.place(bankOfProfile(name), tenantOfProfile(name));
  const profile = profileOfBank(bank, tenant);
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
