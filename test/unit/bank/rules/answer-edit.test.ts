import { expect, it } from 'vitest';
import { readEdit, withEdit } from '../../../../src/bank/rules/faults.ts';

const answer = {
  status: 201,
  headers: { Location: '/v1/consents/1', 'X-Request-ID': 'x' },
  content: '{"consentId":"1","list":[1,2],"a/b":{"c":true}}',
};

it.each([
  ['status=200', { status: 200 }],
  ['body=<html>', { content: '<html>' }],
  ['body=', { content: '' }],
  ['Location:=/x', { headers: { Location: '/x', 'X-Request-ID': 'x' } }],
  ['location:', { headers: { 'X-Request-ID': 'x' } }],
  ['/consentId=7', { content: '{"consentId":7,"list":[1,2],"a/b":{"c":true}}' }],
  ['/consentId=a b', { content: '{"consentId":"a b","list":[1,2],"a/b":{"c":true}}' }],
  ['/consentId', { content: '{"list":[1,2],"a/b":{"c":true}}' }],
  ['/list/0', { content: '{"consentId":"1","list":[2],"a/b":{"c":true}}' }],
  ['/a~1b/c=null', { content: '{"consentId":"1","list":[1,2],"a/b":{"c":null}}' }],
  ['/none/deeper=1', {}],
  ['/__proto__/x=1', {}],
])('the edit %s changes one thing of the answer', (text, changed) => {
  expect(withEdit(answer, readEdit(text)!)).toEqual({ ...answer, ...changed });
});

it.each(['', 'status=99', 'Location', '/', 'a b:', 'x=1', '/=1'])('the text %j is not an edit', (text) => {
  expect(readEdit(text)).toBeUndefined();
});
