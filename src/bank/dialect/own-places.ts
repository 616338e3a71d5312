/** The places of a bank that has operations elsewhere than the standard. */
import type { BankSettings } from '../../settings/records/profile.ts';
import { operations } from '../../standard/xs2a/operations.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { matchRequest } from '../../standard/xs2a/request.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';

/** What tells the places of a bank. */
interface Described {
  settings: BankSettings;
  variant: Variant;
}

/** The values of a template's parameters in a path; undefined where the path is another one. */
export function valuesIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [template.split('/'), path.replace(/\/$/, '').split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const own = given[at] ?? '';
    const [, name] = /^\{(.+)\}$/.exec(part) ?? [];
    if (name === undefined ? part !== own : own === '') return undefined;
    if (name !== undefined) values[name] = own;
  }
  return values;
}

/** The operations that the bank has at places of its own. */
export function movedIn({ settings }: Described): { operation: Operation; method: string; path: string }[] {
  const own = settings.spec?.operations ?? {};
  return operations.flatMap((operation) => {
    const { path, method } = own[operation.id] ?? {};
    if (path === undefined && method === undefined) return [];
    return [{ operation, method: method ?? operation.method, path: path ?? '' }];
  });
}

/** Whether a path is one of the interface of the bank. */
export function isInterface(described: Described, path: string): boolean {
  const { prefix } = described.variant;
  if (prefix !== '' && path.startsWith(`${prefix}/`)) return true;
  if (movedIn(described).some((moved) => moved.path !== '' && valuesIn(moved.path, path) !== undefined))
    return true;
  if (prefix !== '') return false;
  const match = matchRequest({ ...described.variant, surface: 'framework' }, 'GET', path);
  return !('known' in match);
}
