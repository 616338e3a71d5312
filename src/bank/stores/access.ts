import { defined } from '../../base/defined.ts';
import { isCurrencyCode } from '../../base/values.ts';
import { splitBalanceAccess } from '../../standard/xs2a/balance-access.ts';
import { allAccountsValues, availableAccountsValues, valuesIn } from '../../standard/xs2a/codes.ts';
import { isJsonObject, toPlain } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { accountIdentifiers } from '../../standard/xs2a/products.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import type { AccountAccess } from '../../standard/xs2a/wire-accounts.ts';
import type { Database } from '../books/database.ts';
import { cashAccountTypeOf, referenced } from '../books/accounts.ts';
import type { Account } from '../books/accounts.ts';
import { findPerson } from '../books/people.ts';
import type { LedgerPerson } from '../books/people.ts';
import { formatError } from '../rules/refusal.ts';

/** The rights that a consent may ask for account by account. */
const rightNames = ['accounts', 'balances', 'transactions'] as const;

/** Reads `access` of a consent (guidelines 6.3.1); throws FORMAT_ERROR. A form for all accounts wins over lists. */
export function readAccess(database: Database, framework: Framework, body: JsonValue): AccountAccess {
  const access = isJsonObject(body) ? body['access'] : undefined;
  if (!isJsonObject(access)) throw formatError('access is missing.', 'access');
  for (const name of allForms) {
    const value = access[name];
    if (value === undefined) continue;
    const known = name === 'availableAccounts' ? availableAccountsValues : allAccountsValues;
    if (typeof value !== 'string' || !valuesIn(framework, known).includes(value))
      throw formatError(`access.${name} has a value that the bank does not know.`, `access.${name}`);
    const { withBalances, rest } = splitBalanceAccess({ [name]: value });
    const whole = withBalances === undefined ? rest : { availableAccountsWithBalance: withBalances };
    return { ...whole, ...restriction(framework, access) };
  }
  const lists = readLists(database, framework, access);
  const kinds = restriction(framework, access);
  if (kinds !== undefined && !isBankOffered(lists))
    throw formatError('access.restrictedTo is for accounts that the PSU chooses.', 'access.restrictedTo');
  return { ...lists, ...kinds };
}

/** The kinds of accounts that are asked for; an older framework has no such member, and what is unknown is ignored. */
function restriction(
  framework: Framework,
  access: JsonObject,
): Pick<AccountAccess, 'restrictedTo'> | undefined {
  const kinds = access['restrictedTo'];
  if (kinds === undefined || !hasMember(framework, 'access of a consent', 'restrictedTo')) return undefined;
  if (!Array.isArray(kinds) || !kinds.every((kind) => typeof kind === 'string') || kinds.length === 0)
    throw formatError('access.restrictedTo is not a list of kinds of accounts.', 'access.restrictedTo');
  return { restrictedTo: kinds };
}

/** True if a consent may show an account: it is of a kind that the TPP asked for, where the TPP named kinds. */
export function isAskedFor({ restrictedTo }: AccountAccess, account: Account): boolean {
  return restrictedTo?.includes(cashAccountTypeOf(account)) !== false;
}

const allForms = [
  'allPsd2',
  'availableAccountsWithBalance',
  'availableAccountsWithBalances',
  'availableAccounts',
] as const;

function readLists(database: Database, framework: Framework, access: JsonObject): AccountAccess {
  const lists: AccountAccess = {};
  for (const name of rightNames) {
    const list = access[name];
    if (list !== undefined) lists[name] = readReferences(database, list, `access.${name}`);
  }
  const sizes = rightNames.flatMap((name) => lists[name]?.length ?? []);
  if (sizes.length === 0) throw formatError('access requests no access.', 'access');
  if (Math.min(...sizes) === 0 && Math.max(...sizes) > 0)
    throw formatError('The lists in access must be all empty or all non-empty.', 'access');
  // additionalInformation keeps only members that the bank offers; the older framework has none.
  const more = access['additionalInformation'];
  if (more === undefined || !knowsOwners(framework)) return lists;
  if (!isJsonObject(more))
    throw formatError('access.additionalInformation is not an object.', 'access.additionalInformation');
  const named = new Set(rightNames.flatMap((name) => lists[name] ?? []).map(keyOf));
  const [ownerName] = (['ownerName', 'trustedBeneficiaries'] as const).map((name) => {
    if (more[name] === undefined) return undefined;
    const path = `access.additionalInformation.${name}`;
    const references = readReferences(database, more[name], path);
    if (references.every((reference) => named.has(keyOf(reference)))) return references;
    throw formatError(`${name} names an account that is not in the other lists of access.`, path);
  });
  return ownerName === undefined ? lists : { ...lists, additionalInformation: { ownerName } };
}

/** True if a framework lets a TPP request the names of owners. */
export function knowsOwners(framework: Framework): boolean {
  return hasMember(framework, 'access of a consent', 'additionalInformation');
}

const keyOf = (reference: AccountReference) => JSON.stringify(Object.entries(reference).sort());

function readReferences(database: Database, list: JsonValue, path: string): AccountReference[] {
  if (!Array.isArray(list)) throw formatError(`${path} is not a list.`, path);
  return list.map((item, index) => readReference(database, item, `${path}[${String(index)}]`));
}

/** Reads one account reference to an account of this bank. */
export function readReference(
  database: Database,
  value: JsonValue | undefined,
  path: string,
): AccountReference {
  if (!isJsonObject(value)) throw formatError(`${path} is not an account.`, path);
  const sent = accountIdentifiers.filter((name) => value[name] !== undefined);
  const [by, ...others] = sent;
  if (by === undefined || others.length > 0 || typeof value[by] !== 'string')
    throw formatError(`${path} does not name exactly one account.`, path);
  const { currency } = value;
  if (currency !== undefined && (typeof currency !== 'string' || !isCurrencyCode(currency)))
    throw formatError(`${path}.currency is not a currency.`, `${path}.currency`);
  const reference = toPlain({
    [by]: value[by],
    ...defined({ currency }),
  }) as AccountReference;
  if (referenced(database, reference).length === 0)
    throw formatError('The account is not kept at this bank.', path);
  return reference;
}

/** True if the TPP leaves the choice of accounts to the PSU: all lists are empty. */
export function isBankOffered(access: AccountAccess): boolean {
  const lists = rightNames.flatMap((name) => (access[name] === undefined ? [] : [access[name]]));
  return lists.length > 0 && lists.every((list) => list.length === 0);
}

/** Returns all account references of an access. */
export function referencesOf(access: AccountAccess): AccountReference[] {
  return rightNames.flatMap((name) => access[name] ?? []);
}

/**
 * The accounts that the references of an access mean to a PSU: a masked card number may be that of several customers' cards, and
 * then it is theirs; without a PSU, and for one who has none of them, it is all.
 */
export function accountsIn(
  database: Database,
  references: readonly AccountReference[],
  psuId: string | undefined,
): Account[] {
  return references.flatMap((reference) => {
    const found = referenced(database, reference);
    const own = found.filter(({ psuId: owner }) => isFor(findPerson(database, owner ?? ''), psuId));
    return own.length > 0 ? own : found;
  });
}

const isFor = (owner: LedgerPerson | undefined, psuId: string | undefined): boolean =>
  owner !== undefined && psuId !== undefined && (owner.authorisers ?? [owner.psuId]).includes(psuId);

/** The accounts chosen by the PSU if the choice was left to them. */
export function offer(access: AccountAccess, chosen: readonly AccountReference[]): AccountAccess {
  const names = rightNames.filter((name) => access[name] !== undefined);
  const { additionalInformation } = access;
  return {
    ...Object.fromEntries(names.map((name) => [name, chosen])),
    ...(additionalInformation && { additionalInformation: { ownerName: [...chosen] } }),
  };
}
