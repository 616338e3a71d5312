import { defined } from '../../../base/defined.ts';
import type { Context } from '../../context.ts';
import type { Bank } from '../../../bank/door.ts';
import type { BankInside } from '../../../tester/journeys/run-step.ts';
import { ofRequest } from '../../../tester/check/exchanges.ts';
import { isBuiltIn } from '../../../base/profile-name.ts';
import { chosenProfile } from '../run/with-target.ts';

/**
 * Finds the bank inside that a profile is at, once for each: the one of a built-in profile, and the one that runs where a
 * profile of one's own leads (a bank that was started as another one).
 */
export function banksInside(context: Context): (profile: string) => Promise<BankInside | undefined> {
  const known = new Map<string, Promise<BankInside | undefined>>();
  return (profile) => {
    const found = known.get(profile) ?? bankOf(context, profile);
    known.set(profile, found);
    return found;
  };
}

async function bankOf(context: Context, name: string): Promise<BankInside | undefined> {
  const { ports, globals } = context;
  // A built-in profile moves its port to its bank.
  const bank = isBuiltIn(name) ? await ports.bank.at() : ports.bank;
  const { builtIn, profile } = await chosenProfile({
    ...context,
    globals: { ...globals, profile: name },
    ports: { ...ports, bank },
  });
  // The built-in profile pays from the account of the PSU by itself.
  if (builtIn) return { ...doors(bank), payer: () => Promise.resolve(undefined) };
  const named = profile.baseUrl === undefined ? undefined : await ports.bank.nameOf(profile.baseUrl);
  if (named === undefined) return undefined;
  const there = await ports.bank.at(named);
  const payer = async (psuId: string | undefined) =>
    profile.debtor === undefined
      ? (await peopleOf(there)).find((one) => one.psuId === psuId)?.accounts[0]?.iban
      : undefined;
  return { ...doors(there), payer };
}

const doors = (bank: Bank): Omit<BankInside, 'payer'> => ({
  people: () => peopleOf(bank),
  decide: (decision, id, psuId) => bank.control('decide', { body: { decision, id, ...defined({ psuId }) } }),
  lastCall: async () => (await callsAfter(bank, 0)).at(-1)?.number ?? 0,
  findings: async (after) =>
    (await callsAfter(bank, after)).flatMap(({ findings }) => findings.map(ofRequest)),
});

const peopleOf = async (bank: Bank) => (await bank.control('listPeople')).people;

const callsAfter = async (bank: Bank, after: number) =>
  (await bank.control('listCalls', { given: { after, limit: 1000 } })).calls;
