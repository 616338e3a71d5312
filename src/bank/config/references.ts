import type { AccountReference } from '../../standard/xs2a/wire.ts';
import { readyPeople } from '../books/ready-people.ts';
import type { BankFile } from './config.ts';
import type { AccountToOpen, PersonToAdd } from './plan.ts';
import { referenceFrom } from './resources-section.ts';
import type { PathPlace } from '../../settings/documents/document.ts';
import type { Report } from '../../settings/documents/shape.ts';

/** The accounts that a bank has when it begins, by all their numbers. */
export interface Names {
  has(reference: AccountReference): boolean;
  /** A fault of a reference to an account that is not there, and what would bring the account in. */
  why(reference: AccountReference, fault: string): string;
}

/**
 * Reports those who authorise, consents and payments of customers whom the bank does not have, and consents to accounts that it does not have. `isReady`
 * where the ready people come, too: all but those whose PSU-ID a customer of the file has.
 */
export function checkReferences(
  file: BankFile,
  people: readonly PersonToAdd[],
  isReady: boolean,
  report: Report,
): Names {
  const own = new Set(people.map(({ definition }) => definition.psuId));
  const ready = readyPeople().filter(({ psuId }) => !own.has(psuId));
  const readyIds = new Set(ready.map(({ psuId }) => psuId));
  const opened = numbersOf(people.flatMap(({ accounts }) => accounts));
  const further = numbersOf(ready.flatMap(({ accounts }) => accounts));
  const names: Names = {
    has: (reference) => opened(reference) || (isReady && further(reference)),
    why: (reference, fault) => `${fault}${further(reference) ? unasked : ''}`,
  };
  const isKnown = (psuId: string) => own.has(psuId) || (isReady && readyIds.has(psuId));
  const stranger = (psuId: string, place: PathPlace) => {
    const why = `no customer has the PSU-ID ${JSON.stringify(psuId)}`;
    if (!isKnown(psuId)) report.add(place, `${why}${readyIds.has(psuId) ? unasked : ''}`);
  };
  for (const { authorisers = [], where } of file.people)
    for (const one of authorisers) stranger(one, where.of('authorisers'));
  for (const { psuId, authorisedBy = [], access, where, former } of file.consents) {
    if (former) continue;
    if (psuId !== undefined) stranger(psuId, where.of('psuId'));
    for (const one of authorisedBy) if (one !== psuId) stranger(one, where.of('authorisedBy'));
    for (const list of [access.accounts, access.balances, access.transactions, access.ownerName])
      for (const reference of list ?? []) {
        const named = referenceFrom(reference);
        if (!names.has(named))
          report.add(reference.where, names.why(named, 'no account of this file has that number'));
      }
  }
  for (const { psuId, where, former } of file.payments)
    if (psuId !== undefined && !former) stranger(psuId, where.of('psuId'));
  return names;
}

const unasked = '; a ready customer has it, who comes with --people options (doors: { people: options })';

type Numbered = Pick<AccountToOpen, 'iban' | 'bban' | 'msisdn' | 'pan' | 'maskedPan' | 'currency'>;

function numbersOf(accounts: readonly Numbered[]): (reference: AccountReference) => boolean {
  const names = new Set<string>();
  for (const { iban, bban, msisdn, pan, maskedPan, currency } of accounts) {
    const masked = maskedPan ?? (pan && `${pan.slice(0, 6)}${'*'.repeat(pan.length - 10)}${pan.slice(-4)}`);
    for (const name of [iban, iban?.slice(4), bban, msisdn, pan, masked])
      if (name !== undefined) names.add(name).add(`${name} ${currency}`);
  }
  return ({ currency, iban, bban, pan, maskedPan, msisdn }) => {
    const name = iban ?? bban ?? pan ?? maskedPan ?? msisdn ?? '';
    return names.has(currency === undefined ? name : `${name} ${currency}`);
  };
}
