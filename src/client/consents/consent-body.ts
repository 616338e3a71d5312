import type { BankDescriptor, ConsentType } from '../../settings/records/bank-descriptor.ts';
import { ObkError } from '../../base/errors.ts';
import {
  balanceAccessForm,
  spelledBalanceAccess,
  splitBalanceAccess,
} from '../../standard/xs2a/balance-access.ts';
import type { AllAccounts } from '../../standard/xs2a/balance-access.ts';
import { checkIsoDate } from '../../standard/xs2a/check.ts';
import { allAccountsValues, valuesIn } from '../../standard/xs2a/code-lists.ts';
import { hasMember } from '../../standard/xs2a/member-changes.ts';
import { frameworkFacts, frameworkNames } from '../../standard/xs2a/variants.ts';
import type { BalanceAccessForm, Framework } from '../../standard/xs2a/variants.ts';
import type { AccountReference } from '../../standard/xs2a/wire.ts';
import type { AccountAccess, ConsentRequest } from '../../standard/xs2a/wire-accounts.ts';
import { accountReference } from '../orders/account-reference.ts';

/** The access to request, from the flags. */
export interface AccessOptions {
  /** For all three: list, balances and transactions. */
  iban?: readonly string[];
  accounts?: readonly string[];
  balances?: readonly string[];
  transactions?: readonly string[];
  availableAccounts?: boolean;
  availableAccountsWithBalance?: boolean;
  allPsd2?: boolean;
  bankOffered?: boolean;
  ownerName?: boolean;
  /** Kinds of accounts (cashAccountType), where no account is named. */
  restrictedTo?: readonly string[];
  recurring?: boolean;
  validUntil?: string;
  frequency?: number;
  combined?: boolean;
}

/** The flag of each form, in the order in which they are told. */
const formFlags = {
  iban: '--iban',
  accounts: '--accounts',
  balances: '--balances',
  transactions: '--transactions',
  availableAccounts: '--available-accounts',
  availableAccountsWithBalance: '--available-accounts-with-balance',
  allPsd2: '--all-psd2',
  bankOffered: '--bank-offered',
} as const satisfies Partial<Record<keyof AccessOptions, string>>;

const forms = Object.keys(formFlags) as (keyof typeof formFlags)[];
const detailed = ['accounts', 'balances', 'transactions'] as const;
type Right = (typeof detailed)[number];

/** The forms of access that the flags name. */
export function formsOf(wish: AccessOptions): (keyof typeof formFlags)[] {
  return forms.filter((form) => wish[form] !== undefined && wish[form] !== false);
}

/** For how many days SCA is good (Delegated Regulation (EU) 2022/2360, since July 2023); before, it was 90. */
const standardDays = 180;
const standardFrequency = 4;

/** Facts needed for the body besides the requested access. */
export interface ConsentTerms {
  /** The access of a consent that is renewed. */
  older?: AccountAccess | undefined;
  /** How a bank wants all accounts with balances where its framework has several forms; as the file if nothing says otherwise. */
  withBalances?: BalanceAccessForm | undefined;
  /** How many days a consent lasts at this bank, its first one included, where no last day is asked for. */
  days?: number | undefined;
  /** The consents that the bank takes. */
  takes?: BankDescriptor['consent'] | undefined;
}

interface Spelling {
  framework: Framework;
  withBalances: BalanceAccessForm;
}

/**
 * The body of POST consents in the framework's spelling, with the requested access or that of an older consent. Throws
 * USAGE and INPUT_INVALID, each naming the flag.
 */
export function buildConsent(
  wish: AccessOptions,
  framework: Framework,
  now: Date,
  { older, withBalances = 'file', days = standardDays, takes = {} }: ConsentTerms = {},
): ConsentRequest {
  const spelling = { framework, withBalances };
  needTaken(wish, takes);
  const recurring = wish.recurring === true || takes.recurringOnly === true;
  if (!recurring && wish.frequency !== undefined && wish.frequency !== 1)
    throw usage('--frequency goes with --recurring: a one-off consent is for one access.', '--recurring');
  return {
    access:
      older === undefined ? restricted(accessOf(wish, spelling), wish, framework) : respelt(older, spelling),
    recurringIndicator: recurring,
    validUntil: lastDay(wish.validUntil, days, now),
    frequencyPerDay:
      wish.frequency ??
      (recurring ? Math.min(standardFrequency, takes.maxFrequency ?? standardFrequency) : 1),
    combinedServiceIndicator: wish.combined === true,
  };
}

const typeOf = {
  ...{ iban: 'detailed', accounts: 'detailed', balances: 'detailed', transactions: 'detailed' },
  ...{ availableAccounts: 'availableAccounts', availableAccountsWithBalance: 'availableAccountsWithBalance' },
  ...{ allPsd2: 'global', bankOffered: 'bankOffered' },
} as const satisfies Record<keyof typeof formFlags, ConsentType>;

/** Throws USAGE for a consent that the bank does not take. */
function needTaken(
  wish: AccessOptions,
  { none, types, maxFrequency }: NonNullable<ConsentTerms['takes']>,
): void {
  if (none === true)
    throw usage('The bank has no consents: its token says what may be read.', 'obk auth login');
  const wrong = formsOf(wish).find((form) => types?.includes(typeOf[form]) === false);
  if (types !== undefined && wrong !== undefined) {
    const known = forms.filter((form) => form !== 'accounts' && types.includes(typeOf[form]));
    throw usage(
      `The bank takes no consent of the kind ${formFlags[wrong]} (consent.types).`,
      ...[...new Set(known.map((form) => formFlags[form]))].slice(0, 3),
    );
  }
  if (maxFrequency !== undefined && (wish.frequency ?? 1) > maxFrequency)
    throw usage(
      `The bank takes at most ${String(maxFrequency)} accesses a day.`,
      `--frequency ${String(maxFrequency)}`,
    );
}

/** The access for some kinds of accounts only. Throws USAGE where the framework has no such member, or accounts are named. */
function restricted(
  access: AccountAccess,
  { restrictedTo = [] }: AccessOptions,
  framework: Framework,
): AccountAccess {
  if (restrictedTo.length === 0) return access;
  const takes = (one: Framework) => hasMember(one, 'access of a consent', 'restrictedTo');
  if (!takes(framework))
    throw usage(`--restricted-to needs framework ${frameworkNames.filter(takes).join(' or ')}.`);
  if (detailed.some((right) => (access[right]?.length ?? 0) > 0))
    throw usage('--restricted-to goes with a form that names no account.', '--bank-offered', '--all-psd2');
  return { ...access, restrictedTo: [...restrictedTo] };
}

function accessOf(wish: AccessOptions, spelling: Spelling): AccountAccess {
  const { framework } = spelling;
  const chosen = formsOf(wish);
  const whole = chosen.filter((form) => form !== 'iban' && !isRight(form));
  const [only] = whole;
  if (whole.length > 1 || (only !== undefined && chosen.length > 1)) {
    const names = chosen.map((form) => formFlags[form]).join(', ');
    throw usage(`${names} cannot be given together: a consent has one form.`);
  }
  const owner = wish.ownerName === true;
  const all = owner ? 'allAccountsWithOwnerName' : 'allAccounts';
  const offers = (one: Framework) => valuesIn(one, allAccountsValues).includes(all);
  if (owner && !offers(framework))
    throw usage(`--owner-name needs framework ${frameworkNames.filter(offers).join(' or ')}.`);
  switch (only) {
    case 'availableAccounts':
      return { availableAccounts: all };
    case 'availableAccountsWithBalance':
      return allWithBalances(all, spelling);
    case 'allPsd2':
      return { allPsd2: all };
    case 'bankOffered':
      return {
        accounts: [],
        balances: [],
        transactions: [],
        ...(owner && { additionalInformation: { ownerName: [] } }),
      };
    default:
      return detailedAccess(wish, owner);
  }
}

/** All accounts with balances, as the bank has it where its framework has that form, else as the framework. */
function allWithBalances(all: AllAccounts, { framework, withBalances }: Spelling): AccountAccess {
  const isKnown = frameworkFacts[framework].balanceAccessForms.includes(withBalances);
  return spelledBalanceAccess(isKnown ? withBalances : balanceAccessForm(framework), all);
}

/** In which form an access asks for all accounts with balances; undefined where it does not. */
export function withBalancesForm(access: AccountAccess): BalanceAccessForm | undefined {
  if (access.availableAccounts === 'allAccountsWithBalances') return 'file';
  if (access.availableAccountsWithBalances !== undefined) return 'plural';
  return access.availableAccountsWithBalance === undefined ? undefined : 'singular';
}

/** The same access for another bank: they disagree on all accounts with balances. */
function respelt(access: AccountAccess, spelling: Spelling): AccountAccess {
  const { withBalances, rest } = splitBalanceAccess(access);
  return withBalances === undefined ? rest : { ...rest, ...allWithBalances(withBalances, spelling) };
}

function detailedAccess(wish: AccessOptions, owner: boolean): AccountAccess {
  const shared = referencesOf('--iban', wish.iban);
  const access: AccountAccess = {};
  for (const right of detailed) {
    const references = unique([...shared, ...referencesOf(formFlags[right], wish[right])]);
    if (references.length > 0) access[right] = references;
  }
  const named = unique(detailed.flatMap((right) => access[right] ?? []));
  if (named.length === 0)
    throw usage('A consent needs an account or a form.', ...Object.values(formFlags).map(withValue));
  return owner ? { ...access, additionalInformation: { ownerName: named } } : access;
}

const isRight = (form: string): form is Right => (detailed as readonly string[]).includes(form);

const withValue = (flag: string) =>
  /^--(iban|accounts|balances|transactions)$/.test(flag) ? `${flag} IBAN` : flag;

/** Each flag may be repeated, and may hold a list. */
function referencesOf(flag: string, texts: readonly string[] = []): AccountReference[] {
  return texts.flatMap((text) => text.split(',')).map((text) => accountReference(flag, text));
}

function unique(references: readonly AccountReference[]): AccountReference[] {
  return [...new Map(references.map((one) => [JSON.stringify(one), one])).values()];
}

function lastDay(text: string | undefined, days: number, now: Date): string {
  const today = isoDate(now);
  // The day of creation is the first of them.
  const usual = isoDate(addDays(now, days - 1));
  if (text === undefined) return usual;
  const checked = checkIsoDate(text);
  const why = !checked.ok ? checked.why : text < today ? 'it has passed' : undefined;
  if (why === undefined) return text;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `--valid-until ${JSON.stringify(text)} cannot be sent.`,
    detail: `${why[0]?.toUpperCase() ?? ''}${why.slice(1)}.`,
    hint: [`--valid-until ${usual}`, '--valid-until 9999-12-31   # as long as the bank allows'],
  });
}

/** The civil date of an instant, in UTC. */
export function isoDate(instant: Date): string {
  return instant.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** The instant so many days later (or earlier). */
export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * 86_400_000);
}

function usage(title: string, ...hint: string[]): ObkError {
  return new ObkError({ code: 'USAGE', title, hint });
}
