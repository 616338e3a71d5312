import type { Target } from '../../flows/exchange/target.ts';

/** The account of the profile; at the sandbox, that of the PSU. */
export async function usualDebtor(target: Target): Promise<string | undefined> {
  if (target.profile.debtor !== undefined || target.ownBank === undefined) return target.profile.debtor;
  const people = await target.ports.bank.people();
  const psu = target.psu.id === undefined ? people[0] : people.find(({ psuId }) => psuId === target.psu.id);
  return psu?.accounts[0]?.iban;
}
