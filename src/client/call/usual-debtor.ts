import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Target } from '../exchange/target.ts';
import { nearest } from '../../base/nearest.ts';

/** The account of the profile; at the sandbox, that of the PSU. */
export async function usualDebtor(target: Target): Promise<string | undefined> {
  if (target.profile.debtor !== undefined || target.ownBank === undefined) return target.profile.debtor;
  const own = await ownPsu(target);
  if (own === undefined && target.psu.id !== undefined) throw await noCustomer(target, target.psu.id);
  return own?.accounts[0]?.iban;
}

/** Nobody at the bank inside is called so, and without an account of the customer there is nothing to pay from. */
async function noCustomer({ ports }: Pick<Target, 'ports'>, typed: string): Promise<ObkError> {
  const { people } = await ports.bank.control('listPeople');
  const ids = people.map(({ psuId }) => psuId);
  const among = nearest(typed, ids).map((id) => ({ id }));
  return new ObkError({
    code: 'USAGE',
    title: `The built-in bank has no customer ${JSON.stringify(typed)} (--psu-id).`,
    detail: `Its customers: ${ids.join(', ')}`.replace(/(.{60,76}),(?= )/g, '$1,\n'),
    hint: ['obk sandbox people   # each with account and password'],
    choices: { typed, among },
  });
}

/** The names that a pain.001 of the profile has; at the sandbox the payer is called as the PSU is. */
export async function usualNames({ profile, ...target }: Target): Promise<UsualNames> {
  const { debtorName, initiatingParty } = profile;
  const name = debtorName ?? (target.ownBank === undefined ? undefined : (await ownPsu(target))?.psuId);
  return {
    ...defined({ debtorName: name, initiatingParty }),
  };
}

type UsualNames = Pick<Target['profile'], 'debtorName' | 'initiatingParty'>;

async function ownPsu({ ports, psu }: Pick<Target, 'ports' | 'psu'>) {
  const { people } = await ports.bank.control('listPeople');
  return psu.id === undefined ? people[0] : people.find(({ psuId }) => psuId === psu.id);
}
