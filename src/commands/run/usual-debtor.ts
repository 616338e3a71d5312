import type { Target } from '../../flows/exchange/target.ts';

/** The account of the profile; at the sandbox, that of the PSU. */
export async function usualDebtor(target: Target): Promise<string | undefined> {
  if (target.profile.debtor !== undefined || target.ownBank === undefined) return target.profile.debtor;
  return (await ownPsu(target))?.accounts[0]?.iban;
}

/** The names that a pain.001 of the profile has; at the sandbox the payer is called as the PSU is. */
export async function usualNames({ profile, ...target }: Target): Promise<UsualNames> {
  const { debtorName, initiatingParty } = profile;
  const name = debtorName ?? (target.ownBank === undefined ? undefined : (await ownPsu(target))?.psuId);
  return {
    ...(name !== undefined && { debtorName: name }),
    ...(initiatingParty !== undefined && { initiatingParty }),
  };
}

type UsualNames = Pick<Target['profile'], 'debtorName' | 'initiatingParty'>;

async function ownPsu({ ports, psu }: Pick<Target, 'ports' | 'psu'>) {
  const people = await ports.bank.people();
  return psu.id === undefined ? people[0] : people.find(({ psuId }) => psuId === psu.id);
}
