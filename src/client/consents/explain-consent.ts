import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { BankRefusal } from '../../base/errors.ts';
import type { SavedConsent, SavedResource } from '../../settings/records/resources.ts';
import { splitBalanceAccess } from '../../standard/xs2a/balance-access.ts';
import { consentStatus, isUsableConsent } from '../../standard/xs2a/codes.ts';
import { referenceText } from '../orders/account-reference.ts';
import { bankTime } from '../exchange/bank-time.ts';
import { isUsedUp, usesLeft } from './budget.ts';
import { saveStatus } from '../resources/saved-resource.ts';
import type { Target } from '../exchange/target.ts';

/** Adds to a refusal the facts known here about the consent; returns any other error unchanged. */
export async function explainConsent(
  target: Target,
  consent: SavedResource,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof BankRefusal)) return error;
  const told = await factsOf(target, consent, error);
  if (told === undefined) return error;
  return error.with({
    more: told.fact,
    hint: told.hint,
    resource: { ...error.resource, ...statusAfter(consent, error.bankCode) },
  });
}

/** The status as it stands after a refusal: what was saved, unless the bank says otherwise. */
function statusAfter({ status }: SavedResource, code: string | undefined): { consentStatus?: string } {
  if (code === 'CONSENT_EXPIRED') return { consentStatus: 'expired' };
  const doubted = code === 'CONSENT_INVALID' && isUsableConsent(status ?? '');
  return status === undefined || doubted ? {} : { consentStatus: status };
}

interface Facts {
  fact?: string;
  hint: readonly string[];
}

async function factsOf(
  target: Target,
  saved: SavedResource,
  { bankCode: code, operation }: BankRefusal,
): Promise<Facts | undefined> {
  const { id, consent, status } = saved;
  const { accounts = [], balances = [], transactions = [] } = consent?.access ?? {};
  const iban = [...accounts, ...balances, ...transactions].find((one) => one.iban !== undefined)?.iban;
  const create = line`obk consent create --iban ${iban ?? target.profile.debtor ?? 'IBAN'}`;
  switch (code) {
    case 'CONSENT_EXPIRED': {
      await saveStatus(target, saved, 'expired');
      const fact = consent === undefined ? undefined : `Consent ${id} was valid until ${consent.validUntil}.`;
      if (await isUsedUp(target, saved)) return usedUp(id);
      const once = consent?.recurring === false ? ' It was for one use.' : '';
      return { ...(fact !== undefined && { fact: fact + once }), hint: [line`obk consent renew ${id}`] };
    }
    case 'CONSENT_UNKNOWN':
      // Some banks forget a one-off consent with its use.
      if (await isUsedUp(target, saved)) return usedUp(id);
      return {
        fact: `Consent ${id} is not one of this certificate at ${target.links.base}.`,
        hint: ['obk consent list', create],
      };
    case 'CONSENT_INVALID': {
      const open = status !== undefined && consentStatus(status)?.usable === false;
      if (open && consentStatus(status)?.final === false)
        return { fact: `Consent ${id} is ${status}.`, hint: [line`obk consent authorise ${id}`] };
      if (await isUsedUp(target, saved)) return usedUp(id);
      const fact = consent === undefined ? undefined : `Consent ${id} is for ${accessText(consent.access)}.`;
      return {
        ...defined({ fact }),
        hint: [line`obk consent status ${id}`, line`obk consent renew ${id}`, create],
      };
    }
    case 'RESOURCE_UNKNOWN':
      return /card/i.test(operation)
        ? { hint: [line`obk cards --consent ${id}   # the cards of this consent`] }
        : { hint: [line`obk accounts --consent ${id}   # the accounts of this consent`] };
    case 'ACCESS_EXCEEDED': {
      if (await isUsedUp(target, saved)) return usedUp(id);
      if (consent?.recurring === false)
        return { fact: `Consent ${id} was for one use.`, hint: [line`obk consent renew ${id}`] };
      if (consent === undefined) return { hint: ['--psu-present   # where the PSU asks for it right now'] };
      const left = await usesLeft(target, saved, await bankTime(target));
      const times = `${String(consent.frequency)} a day for each account and endpoint without the PSU`;
      return {
        fact: `Consent ${id} allows ${times}; by the count of this machine ${String(left)} are left.`,
        hint: ['--psu-present   # where the PSU asks for it right now'],
      };
    }
    default:
      return undefined;
  }
}

function usedUp(id: string): Facts {
  return {
    fact: `Consent ${id} was for one use, and it has been used.`,
    hint: [line`obk consent renew ${id}   # another one for the same`],
  };
}

/** The access of a consent, in words. */
export function accessText(access: SavedConsent['access']): string {
  const { availableAccounts, allPsd2 } = access;
  const owner =
    access.additionalInformation?.ownerName !== undefined ||
    Object.values(access).includes('allAccountsWithOwnerName');
  const named = owner ? ', with the names of their owners' : '';
  if (allPsd2 !== undefined) return `all accounts with everything${named}`;
  if (splitBalanceAccess(access).withBalances !== undefined)
    return `the list of all accounts with balances${named}`;
  if (availableAccounts !== undefined) return `the list of all accounts${named}`;
  const parts = (['accounts', 'balances', 'transactions'] as const).flatMap((right) => {
    const references = access[right];
    if (references === undefined) return [];
    return [references.length === 0 ? right : `${right} of ${references.map(referenceText).join(', ')}`];
  });
  const same = new Set(parts.map((part) => part.replace(/^\w+ of /, ''))).size === 1 && parts.length === 3;
  const text =
    same && parts[2] !== undefined ? `everything ${parts[2].replace(/^\w+ /, '')}` : parts.join('; ');
  return text === '' ? 'what the PSU chooses at the bank' : text + named;
}
