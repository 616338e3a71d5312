import { ObkError } from './errors.ts';
import { parseUrl } from './url.ts';

/** The built-in profile of the bank inside; it needs no set-up and cannot be replaced. */
export const builtInName = 'sandbox';

/** The name of the bank inside that the built-in profile means where none is addressed. */
export const defaultBank = 'default';

/** A profile that somebody may make. Windows reads some names as devices. */
const own = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9_-]{0,63}$/;

/** Whether a text can be the name of a profile that somebody makes: it is part of a path. */
export function isOwnProfileName(text: string): boolean {
  return own.test(text);
}

/** Whether a text can be the name of a bank inside: it is part of a path, of a command line and of a URL. */
export function isBankName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(text);
}

/**
 * The URL of a bank inside in the one form in which it is compared and kept: origin and base path, without the paths of
 * its control API and its window; undefined for a text that is no http address, or carries a password.
 */
export function bankUrl(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  return url.origin + url.pathname.replace(/\/sandbox(?:\/api)?\/?$/, '').replace(/\/+$/, '');
}

/** What the name of a tenant is made of, in words. */
export const tenantNameTakes =
  '1 to 64 letters, digits, blanks and . _ : @ + -, with a letter or digit first and no blank last';

/** Whether a text can name a tenant of a bank inside. */
export function isTenantName(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9 ._:@+-]{0,62}[A-Za-z0-9._:@+-])?$/.test(text);
}

/** The name of a tenant as part of a path of a file or a URL: no two names share one, not even where case does not count. */
export function tenantKey(name: string): string {
  return name.replace(
    /[^a-z0-9-]/g,
    (character) => `_${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** The name that a key stands for; undefined for a text that is no key. */
export function nameOfKey(key: string): string | undefined {
  const name = key.replace(/_([0-9a-f]{2})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return isTenantName(name) && tenantKey(name) === key ? name : undefined;
}

/** The path in front of the pages of a tenant: their links carry it, since a browser shows neither header nor certificate. */
export const tenantPath = (key: string): string => `/tenant/${key}`;

/**
 * Whether a profile is the built-in one of some bank inside: `sandbox`, `sandbox@NAME` or `sandbox@URL`, or that of a tenant with
 * its path behind.
 */
export function isBuiltIn(name: string): boolean {
  if (name === builtInName) return true;
  const bank = bankOfProfile(name);
  return bank !== undefined && (isBankName(bank) || bankUrl(bank) !== undefined);
}

const builtInOf = /^sandbox@(.*?)(?:\/tenant\/([a-z0-9_-]+))?$/s;

/** The bank that a built-in profile names; undefined where it leaves that to the run. */
export function bankOfProfile(name: string): string | undefined {
  const [, bank, key] = builtInOf.exec(name) ?? [];
  return key !== undefined && nameOfKey(key) === undefined ? `${String(bank)}${tenantPath(key)}` : bank;
}

/** The tenant that a built-in profile names. */
export function tenantOfProfile(name: string): string | undefined {
  return nameOfKey(builtInOf.exec(name)?.[2] ?? '');
}

/** The built-in profile of a bank, by the bank's name or URL, or of a tenant of it. */
export function profileOfBank(bank: string, tenant?: string): string {
  if (tenant !== undefined) return `${builtInName}@${bank}${tenantPath(tenantKey(tenant))}`;
  return bank === defaultBank ? builtInName : `${builtInName}@${bank}`;
}

/** What state is kept under: a profile that somebody made, or a built-in one. */
export function isProfileName(text: string): boolean {
  return isOwnProfileName(text) || (isBuiltIn(text) && profileFolder(text).length <= 200);
}

/** The name of a folder for the state of a profile, whatever the file system. */
function profileFolder(name: string): string {
  return encodeURIComponent(name).replaceAll('%40', '@');
}

/**
 * The key under which the ledger is counted that the last run of a built-in profile has seen. That of the bank without a name has a
 * form of its own, under which homes have it already.
 */
export const ledgerKey = (profile: string): string =>
  profile === builtInName ? `ledger-${profile}` : JSON.stringify(['ledger', profile]);

/** The profile of such a key; undefined for a key of something else. */
export function profileOfLedgerKey(key: string): string | undefined {
  if (key === ledgerKey(builtInName)) return builtInName;
  if (!key.startsWith('["ledger",')) return undefined;
  const [, profile] = JSON.parse(key) as [string, unknown];
  return typeof profile === 'string' ? profile : undefined;
}

/** The file in the folder of a bank inside that lists its customers, a PSU-ID on each line. */
export const namesFile = 'people.txt';

/** Throws USAGE for a text that cannot be the name of a snapshot, which is part of a command line and of a URL. */
export function needSnapshotName(name: string): void {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) return;
  throw new ObkError({
    code: 'USAGE',
    title: `${JSON.stringify(name)} cannot be the name of a snapshot.`,
    detail: 'A name has letters, digits, - and _, at most 64, and begins with a letter or digit.',
    hint: ['obk sandbox snapshot save before-the-test'],
  });
}
