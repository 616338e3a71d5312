import { isIbanText } from '../../base/values.ts';
import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { accountIdentity } from '../../standard/formats/rows/account-identity.ts';
import type { SavedAccount, SavedResource } from '../../settings/records/resources.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { checkIban } from '../../standard/xs2a/check.ts';
import { withoutBlanks } from '../../standard/xs2a/check-text.ts';
import { stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject } from '../../standard/xs2a/json.ts';
import type { Target } from '../exchange/target.ts';
import { keepIfPossible } from '../exchange/unwritable.ts';
import { accountReference, referenceText } from '../orders/account-reference.ts';
import { objectsIn, readAccountData, unwrapped } from './counted-read.ts';
import type { AccountRead } from './counted-read.ts';

/** Accounts, or card accounts: the same four reads at other paths. */
export type AccountKind = 'account' | 'card';

const operations = {
  account: { list: 'getAccountList', one: 'readAccountDetails', balances: 'getBalances' },
  card: { list: 'getCardAccount', one: 'ReadCardAccount', balances: 'getCardAccountBalances' },
} as const;

const members = {
  account: { list: 'accounts', one: 'account' },
  card: { list: 'cardAccounts', one: 'cardAccount' },
} as const;

/** Accounts as the bank lists them, each object verbatim. */
export interface ListedAccounts {
  answer: Answer;
  accounts: readonly JsonObject[];
}

/** Lists the accounts of a consent, and keeps their ids with it. */
export async function listAccounts(
  reading: AccountRead,
  kind: AccountKind,
  withBalance = false,
): Promise<ListedAccounts> {
  const answer = await readAccountData(reading, {
    operation: operations[kind].list,
    ...(withBalance && { query: { withBalance: 'true' } }),
  });
  if (reading.consent !== undefined)
    reading.consent = await keepAccounts(reading.target, reading.consent, kind, answer);
  return { answer, accounts: objectsIn(answer.json, members[kind].list) };
}

/** Saves the ids of listed accounts with the consent under which they were listed; returns it as saved. */
export async function keepAccounts(
  { ports }: Pick<Target, 'ports'>,
  resource: SavedResource,
  kind: AccountKind,
  answer: Answer,
): Promise<SavedResource> {
  const { consent } = resource;
  const found = objectsIn(answer.json, members[kind].list).flatMap(savedAccount);
  if (consent === undefined || found.length === 0) return resource;
  const others = kind === 'card' ? (consent.accounts ?? []).filter((one) => !isAmong(one, found)) : [];
  const listed: SavedResource = { ...resource, consent: { ...consent, accounts: [...others, ...found] } };
  await keepIfPossible(ports, () => ports.resources.save(listed));
  return listed;
}

const isAmong = (one: SavedAccount, all: readonly SavedAccount[]) =>
  all.some((other) => other.resourceId === one.resourceId);

function savedAccount(account: JsonObject): SavedAccount[] {
  const text = (name: string) => stringMember(account, name);
  const resourceId = text('resourceId');
  // The bank may list an account that nothing more can be read of.
  if (resourceId === undefined) return [];
  // Banks that print an IBAN in groups mean the same one.
  const iban = text('iban')?.replace(/\s/g, '').toUpperCase();
  const number = iban ?? text('bban') ?? text('maskedPan') ?? text('pan') ?? text('msisdn');
  const currency = text('currency');
  return [{ resourceId, ...defined({ number, currency }) }];
}

/** Reads one account; the object itself, however the bank wraps it. */
export async function readAccount(
  reading: AccountRead,
  kind: AccountKind,
  id: string,
  withBalance = false,
): Promise<{ answer: Answer; account: JsonObject }> {
  const answer = await readAccountData(reading, {
    operation: operations[kind].one,
    params: { 'account-id': id },
    ...(withBalance && { query: { withBalance: 'true' } }),
  });
  return { answer, account: unwrapped(answer.json, members[kind].one) };
}

/** Reads the balances of one account. */
export async function readBalances(
  reading: AccountRead,
  kind: AccountKind,
  id: string,
): Promise<{ answer: Answer; balances: readonly JsonObject[] }> {
  const answer = await readAccountData(reading, {
    operation: operations[kind].balances,
    params: { 'account-id': id },
  });
  return { answer, balances: objectsIn(answer.json, 'balances') };
}

/**
 * The id under which an account is read: an id as it is, an IBAN or BBAN by the accounts that this consent was seen to have,
 * which are listed where they were not yet. Without a name there must be one account only. Throws ACCOUNT_UNKNOWN, ID_AMBIGUOUS.
 */
export async function accountId(
  reading: AccountRead,
  kind: AccountKind,
  named: string | undefined,
  typed = (id: string) => line`--account ${id}`,
): Promise<string> {
  const saved = reading.consent?.consent?.accounts ?? [];
  const isKnown = saved.some(({ resourceId }) => resourceId === named);
  const wanted = named === undefined || isKnown ? undefined : numberIn(named);
  if (named !== undefined && wanted === undefined) return named;
  const known = matching(saved, wanted);
  if (known.length === 1 && known[0] !== undefined) return known[0].resourceId;
  if (saved.length === 0 || known.length === 0) {
    const { accounts } = await listAccounts(reading, kind).catch((error: unknown) => {
      // A consent of one use has had its list.
      if (saved.length > 0 && error instanceof ObkError && error.code === 'CONSENT_NEEDED')
        only(reading, saved, wanted, typed);
      throw error;
    });
    const readable = accounts.flatMap(savedAccount);
    // What looks like a BBAN may be an id.
    if (readable.some(({ resourceId }) => resourceId === named)) return named ?? '';
    if (matching(readable, wanted).length === 0) refuseListed(reading, accounts, wanted);
    return only(reading, readable, wanted, typed);
  }
  return only(reading, saved, wanted, typed);
}

/** The number and currency of a name that is no id: only these are looked up, since no IBAN goes into a path. */
function numberIn(named: string): { number: string; currency?: string } | undefined {
  const [, first = '', currency] = /^([^:]*)(?::([A-Za-z]{3}))?$/.exec(named) ?? [];
  const looksLikeIban = checkIban(first).ok || isIbanText(withoutBlanks(first));
  if (!looksLikeIban && looksLikeBban(first)) {
    return {
      number: withoutBlanks(first),
      ...(currency !== undefined && { currency: currency.toUpperCase() }),
    };
  }
  if (!looksLikeIban && !/^(bban|pan|masked-pan|msisdn):/.test(named)) return undefined;
  const { currency: code, ...rest } = accountReference('--account', named);
  const number = referenceText(rest);
  return { number, ...((code ?? currency) !== undefined && { currency: code ?? currency ?? '' }) };
}

/** A number of digits, perhaps with capitals before and between them, as countries have them; ids of banks rarely look so. */
function looksLikeBban(text: string): boolean {
  const number = withoutBlanks(text);
  return /^[0-9A-Z]{10,30}$/.test(number) && number.replace(/[A-Z]/g, '').length >= 8;
}

/** Throws where the account is listed without an id: of such a one nothing but its name can be read (guidelines 6.4). */
function refuseListed(
  { consent }: AccountRead,
  accounts: readonly JsonObject[],
  wanted: ReturnType<typeof numberIn>,
): void {
  const listed = accounts
    .filter((account) => stringMember(account, 'resourceId') === undefined)
    .flatMap((account) => savedAccount({ ...account, resourceId: '-' }));
  if (wanted === undefined || matching(listed, wanted).length === 0) return;
  throw new ObkError({
    code: 'ACCOUNT_UNKNOWN',
    title: `The bank lists account ${wanted.number} without an id, so only its name is known.`,
    hint: [line`obk consent create --iban ${wanted.number}   # its balances and transactions`],
    ...(consent !== undefined && { resource: { consentId: consent.id } }),
  });
}

function matching(
  listed: readonly SavedAccount[],
  wanted: ReturnType<typeof numberIn>,
): readonly SavedAccount[] {
  if (wanted === undefined) return unique(listed);
  const { currency } = wanted;
  const same = withNumber(listed, wanted.number);
  if (currency !== undefined) return same.filter((account) => account.currency === currency);
  const all = unique(same);
  // The aggregate stands for its sub-accounts (guidelines 4.9).
  const aggregate = all.filter((account) => account.currency === 'XXX');
  return aggregate.length === 1 ? aggregate : all;
}

/** Those of this number, else those that have it in another form: a BBAN is the IBAN without its first four characters. */
function withNumber(listed: readonly SavedAccount[], number: string): readonly SavedAccount[] {
  const exact = listed.filter((account) => account.number === number);
  if (exact.length > 0) return exact;
  const wanted = accountIdentity(number);
  return listed.filter(
    (account) => account.number !== undefined && accountIdentity(account.number) === wanted,
  );
}

/** Sub-accounts may share the id of their account, as in example 3 of the guidelines. */
function unique(accounts: readonly SavedAccount[]): readonly SavedAccount[] {
  return [...new Map(accounts.map((account) => [account.resourceId, account])).values()];
}

function only(
  { consent }: AccountRead,
  accounts: readonly SavedAccount[],
  wanted: ReturnType<typeof numberIn>,
  typed: (id: string) => string,
): string {
  const [first, ...others] = matching(accounts, wanted);
  if (first !== undefined && others.length === 0) return first.resourceId;
  const listed = (first === undefined ? accounts : [first, ...others]).slice(0, 5);
  const name = consent === undefined ? 'The consent of the token' : `Consent ${consent.id}`;
  const resource = consent === undefined ? {} : { consentId: consent.id };
  if (first === undefined) {
    throw new ObkError({
      code: 'ACCOUNT_UNKNOWN',
      title:
        wanted === undefined
          ? `${name} shows no account that can be read.`
          : `${name} has no account ${wanted.number}${wanted.currency === undefined ? '' : ` in ${wanted.currency}`}.`,
      hint: [...listed.map((one) => hintFor(one, typed)), 'obk accounts'],
      resource,
    });
  }
  throw new ObkError({
    code: wanted === undefined ? 'USAGE' : 'ID_AMBIGUOUS',
    title: wanted === undefined ? 'Which account?' : `${wanted.number} is several accounts.`,
    detail: `${name} has ${String(others.length + 1)} of them.`,
    hint: listed.map((one) => hintFor(one, typed)),
    resource,
  });
}

function hintFor({ resourceId, number, currency }: SavedAccount, typed: (id: string) => string): string {
  if (number === undefined) return typed(resourceId);
  return `${typed(resourceId)}${line`   # ${[number, currency ?? ''].join(' ').trim()}`}`;
}
