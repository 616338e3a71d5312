import { describe, expect, it } from 'vitest';
import { judgeReturn } from '../../../../src/client/browser/return-url.ts';
import type { Conversation, OauthRequest } from '../../../../src/standard/sca/state.ts';
import { started } from '../payer.ts';
import type { SavedRedirect } from '../../../../src/settings/records/resources.ts';

const redirect: SavedRedirect = {
  uri: 'https://tpp.example/cb?lang=de&state=own',
  nokUri: 'https://tpp.example/nok',
};
const request: OauthRequest = {
  url: 'https://login.bank.example/authorize?x=1',
  issuer: 'https://login.bank.example',
  tokenEndpoint: 'https://login.bank.example/token',
  namesIssuer: false,
  clientId: 'PSDDE-BAFIN-125314',
  redirectUri: redirect.uri,
};
const confirm = started({ links: { confirmation: '/v136/payments/p/pay-1/authorisations/auth-1' } });
const confirmed: Conversation = { ...confirm, returnState: 'st-1' };
const byOauth: Conversation = { ...started(), returnState: 'st-1', oauth: request };
const naming: Conversation = { ...byOauth, oauth: { ...request, namesIssuer: true } };
const cb = 'https://tpp.example/cb?lang=de&state=own';

/** What came back, with its code shown. */
function judged(url: string, conversation: Conversation, addresses: SavedRedirect | undefined = redirect) {
  const back = judgeReturn(url, addresses, conversation);
  return 'code' in back ? { ...back, code: back.code.reveal() } : back;
}

describe('a return URL', () => {
  it.each([
    ['a plain redirect', cb, started(), { outcome: 'ok' }],
    ['one whose bank drops our query', 'https://tpp.example/cb', started(), { outcome: 'ok' }],
    ['the address of a refusal', 'https://tpp.example/nok', started(), { outcome: 'nok' }],
    ['a code that nobody wants', `${cb}&code=c-1`, started(), { outcome: 'ok' }],
    [
      'a confirmation code',
      `${cb}&state=st-1&confirmationCode=c%2B1`,
      confirmed,
      { outcome: 'ok', code: 'c+1' },
    ],
    ['no confirmation code', `${cb}&state=st-1`, confirmed, { outcome: 'ok' }],
    ['an OAuth code', `${cb}&code=c-1&state=st-1`, byOauth, { outcome: 'ok', code: 'c-1' }],
    [
      'one with the right issuer',
      `${cb}&code=c-1&state=st-1&iss=https%3A%2F%2Flogin.bank.example`,
      naming,
      { outcome: 'ok', code: 'c-1' },
    ],
    [
      'an OAuth error',
      `${cb}&error=access_denied&state=st-1`,
      byOauth,
      { outcome: 'nok', error: 'access_denied' },
    ],
    ['a refusal with the state', 'https://tpp.example/nok?state=st-1', confirmed, { outcome: 'nok' }],
  ] as const)('is read: %s', (_, url, conversation, back) => {
    expect(judged(url, conversation)).toEqual(back);
  });

  it('has its error cleaned before anybody sees it', () => {
    const back = judged(`${cb}&error=${encodeURIComponent('a\u001b[2Jb')}&state=st-1`, byOauth);
    // eslint-disable-next-line no-control-regex
    expect((back as { error: string }).error).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('a return URL that cannot be ours', () => {
  it.each([
    ['no URL', 'hello', byOauth, 'begins with https://tpp.example/cb'],
    ['another host', 'https://tpp.example.evil/cb?code=c-1&state=st-1', byOauth, 'begins with'],
    ['another path', 'https://tpp.example/cb/x?code=c-1&state=st-1', byOauth, 'begins with'],
    ['another scheme', 'http://tpp.example/cb?code=c-1&state=st-1', byOauth, 'begins with'],
    ['no state', `${cb}&code=c-1`, byOauth, 'lacks the state'],
    ['the state of another tab', `${cb}&code=c-1&state=st-2`, byOauth, 'another tab'],
    ['two states', `${cb}&code=c-1&state=st-1&state=st-1`, byOauth, 'another tab'],
    [
      'an error without a state',
      `${cb}&error=access_denied`,
      byOauth,
      'access_denied, which is not believed',
    ],
    ['an error with another state', `${cb}&error=access_denied&state=x`, byOauth, 'not believed'],
    ['two codes', `${cb}&code=c-1&code=c-2&state=st-1`, byOauth, 'more than one code'],
    ['no issuer where one is promised', `${cb}&code=c-1&state=st-1`, naming, 'does not name'],
    [
      'another issuer',
      `${cb}&code=c-1&state=st-1&iss=https%3A%2F%2Fevil.example`,
      naming,
      'another OAuth server',
    ],
    [
      'another issuer where none is promised',
      `${cb}&code=c-1&state=st-1&iss=x`,
      byOauth,
      'another OAuth server',
    ],
    ['a confirmation code without a state', `${cb}&confirmationCode=c-1`, confirmed, 'lacks the state'],
    [
      'a confirmation code with another state',
      `${cb}&state=x&confirmationCode=c-1`,
      confirmed,
      'another tab',
    ],
    ['a refusal without its state', 'https://tpp.example/nok', confirmed, 'lacks the state'],
  ] as const)('is not used: %s', (_, url, conversation, why) => {
    const back = judged(url, conversation);
    expect(back).toMatchObject({ outcome: 'foreign', why: expect.stringContaining(why) });
    expect(JSON.stringify(back)).not.toMatch(/c-1|st-1/);
  });
});
