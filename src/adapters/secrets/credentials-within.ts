import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Policy } from '../../settings/records/policy.ts';

/** Credentials that put no token into a file, as the administrator of the machine wants it. */
export function credentialsWithin(
  credentials: CredentialStore,
  policy: () => Policy | undefined,
): CredentialStore {
  return {
    ...credentials,
    async moveTokens(profile, to) {
      if (to === 'file') throw plain(policy());
      return credentials.moveTokens(profile, to);
    },
    async update(profile, change) {
      const inFile = (await credentials.tokenStore(profile)) === 'file';
      return credentials.update(profile, (before) => {
        const after = change(before);
        const tokens = after.token !== undefined || (after.tokens ?? []).length > 0;
        if (inFile && tokens) throw plain(policy());
        return after;
      });
    },
  };
}

function plain(policy: Policy | undefined): ObkError {
  return new ObkError({
    code: 'POLICY',
    title: 'Tokens are not put into a file on this machine.',
    detail: `${policy?.path ?? 'The policy'} says so, and no flag, variable or profile changes it.`,
    hint: ['obk config set tokenStore keyring   # the keyring of the system'],
  });
}
