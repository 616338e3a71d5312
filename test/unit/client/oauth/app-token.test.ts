import { expect, it } from 'vitest';
import { call } from '../../../../src/client/call/call.ts';
import { world } from '../../../helpers/world.ts';

it('a token of the TPP is not fetched from a server whose address is not configured, and this is reported', async () => {
  const there = await world({ profile: { auth: { mode: 'clientCredentials' } } });
  const read = { operation: 'getAccountList', headers: [['Consent-ID', 'c']] } as const;
  await expect(call(there.target, read)).rejects.toMatchObject({
    code: 'PROFILE_INVALID',
    title: 'The address of the OAuth server of the profile acme is not known.',
    detail: expect.stringMatching(
      /token of the TPP itself with getAccountList .*; the request was not sent\.$/,
    ),
    hint: ['obk profile edit acme --oauth-metadata URL', 'obk profile edit acme --oauth-issuer URL'],
  });
  expect(there.http.requests).toEqual([]);
});
