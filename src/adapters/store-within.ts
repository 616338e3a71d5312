import { ObkError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Policy } from '../records/policy.ts';

/** A store that puts no token into a file, as the administrator of the machine wants it. */
export function storeWithin(store: Store, policy: () => Policy | undefined): Store {
  return {
    ...store,
    async moveTokens(profile, to) {
      if (to === 'file') throw plain(policy());
      return store.moveTokens(profile, to);
    },
    async updateCredentials(profile, change) {
      const inFile = (await store.tokenStore(profile)) === 'file';
      return store.updateCredentials(profile, (before) => {
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
