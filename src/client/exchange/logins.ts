import type { AccessToken } from '../../settings/records/credentials.ts';

/** The tokens of logins, one per PSU. */
export function loginsIn(tokens: readonly AccessToken[]): AccessToken[] {
  return tokens.filter(({ resource }) => resource === undefined);
}
