import { isCurrencyCode } from '../../base/values.ts';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Policy } from '../../settings/records/policy.ts';
import { reasonFor } from '../files/file-errors.ts';

/** Where the administrator of a machine says what obk may do on it. */
export const policyPath = '/etc/obk/policy.json';

/** The known members; an unknown one is an error, because it would limit nothing. */
const members: Readonly<Record<keyof Omit<Policy, 'path'>, (value: unknown) => boolean>> = {
  origins: (value) => isTexts(value) && value.every((one) => /^https?:\/\/[^/\s]+$/.test(one)),
  environments: (value) =>
    isTexts(value) && value.every((one) => ['sandbox', 'test', 'production'].includes(one)),
  maxAmount: (value) =>
    isObject(value) &&
    Object.entries(value).every(
      ([currency, amount]) =>
        isCurrencyCode(currency) && typeof amount === 'string' && /^\d{1,14}(\.\d{1,3})?$/.test(amount),
    ),
  insecure: (value) => typeof value === 'boolean',
  commandReferences: (value) => typeof value === 'boolean',
  plainTokens: (value) => typeof value === 'boolean',
  unmasked: (value) => typeof value === 'boolean',
};

/**
 * The policy of this machine; undefined without one. Throws POLICY if it cannot be read, has an unknown member, or
 * could be changed by anybody but root.
 */
export function readPolicy(path: string, owner = 0): Policy | undefined {
  let text: string;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    for (const [name, { uid, mode }] of [
      [path, found] as const,
      [dirname(path), statSync(dirname(path))] as const,
    ])
      if (uid !== owner || (mode & 0o022) !== 0)
        throw refused(`${name} must belong to root, and nobody else may write to it`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ObkError) throw error;
    throw refused(reasonFor(path, error));
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refused(`${path}: it is not valid JSON`);
  }
  if (!isObject(json)) throw refused(`${path}: it is not a JSON object`);
  for (const [name, value] of Object.entries(json)) {
    if (!Object.hasOwn(members, name))
      throw refused(
        `${path}: there is no ${JSON.stringify(name)}; there are ${Object.keys(members).join(', ')}`,
      );
    if (!members[name as keyof typeof members](value)) throw refused(`${path}: ${name} is of the wrong kind`);
  }
  return { ...json, path };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

function refused(detail: string): ObkError {
  return new ObkError({
    code: 'POLICY',
    title: 'The policy of this machine cannot be used, so nothing is done.',
    detail: `${detail}.`,
    hint: ['Ask the administrator of this machine.'],
  });
}
