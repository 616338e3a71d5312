import { expect, it } from 'vitest';
import { toleranceList } from '../../../../src/standard/xs2a/tolerated.ts';
import { tidyToken } from '../../../../src/client/oauth/oauth-transport.ts';

const token = (more: object) => JSON.stringify({ access_token: 'a', token_type: 'Bearer', ...more });

it.each<[string, object]>([
  [token({ scope: null }), { access_token: 'a', token_type: 'Bearer' }],
  [token({ id_token: null, refresh_token: '' }), { access_token: 'a', token_type: 'Bearer' }],
  [token({ expires_in: null }), { access_token: 'a', token_type: 'Bearer' }],
  [token({ expires_in: '3600' }), { access_token: 'a', token_type: 'Bearer', expires_in: 3600 }],
  [
    token({ expires_in: 60, refresh_token: 'r' }),
    { access_token: 'a', token_type: 'Bearer', expires_in: 60, refresh_token: 'r' },
  ],
  ['{"access_token":"a"}', { access_token: 'a', token_type: 'Bearer' }],
  ['{"access_token":"a","token_type":null}', { access_token: 'a', token_type: 'Bearer' }],
  ['{"access_token":"a","token_type":"mac"}', { access_token: 'a', token_type: 'mac' }],
  ['{"access_token":null,"scope":null}', { access_token: null, scope: null }],
  ['{"error":"invalid_grant","error_description":null}', { error: 'invalid_grant', error_description: null }],
])('a token answer is tidied: %s is read as %j', (sent, read) => {
  expect(JSON.parse(tidyToken(sent))).toEqual(read);
});

it('a token answer that is not JSON is left to the library', () => {
  expect(tidyToken('<html>')).toBe('<html>');
});

it.each<[string, string[]]>([
  [token({ expires_in: 60, refresh_token: 'r' }), []],
  [token({ scope: null, refresh_token: '', id_token: ' ' }), ['/scope', '/refresh_token', '/id_token']],
  [token({ expires_in: '3600' }), ['/expires_in']],
  ['{"access_token":"a"}', ['/token_type']],
])('a tidied token answer is noted: %s at %j', (sent, places) => {
  const { list, tolerate } = toleranceList();
  tidyToken(sent, tolerate);
  expect(list.map(({ at }) => at)).toEqual(places);
});
