import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ doors: { open: true } });
});
afterAll(() => bank.close());

it.each([
  ['POST', '/payments/sepa-credit-transfers'],
  ['POST', '/consents'],
  ['GET', '/consents/c1/status'],
  ['GET', '/v2/accounts?withBalance=true'],
  ['GET', '/V1/accounts'],
  ['PUT', '/1.3.6/signing-baskets/b1'],
  ['POST', '/psd2/funds-confirmations'],
])('a call without the version of the interface is answered and judged: %s %s', async (method, path) => {
  const requestId = randomUUID();
  const answer = await fetch(bank.baseUrl + path, { method, headers: { 'X-Request-ID': requestId } });
  expect(answer.status).toBe(404);
  expect(answer.headers.get('x-request-id')).toBe(requestId);
  expect(await answer.json()).toMatchObject({
    tppMessages: [{ category: 'ERROR', code: 'RESOURCE_UNKNOWN' }],
  });
  const { calls } = (await controlOf(bank)('GET', '/calls?limit=1&findings=true')).json as {
    calls: { path: string; findings: { rule: string; pointer: string }[] }[];
  };
  expect(calls[0]?.path).toBe(path.replace(/\?.*/, ''));
  expect(calls[0]?.findings.map(({ rule }) => rule)).toContain('path-prefix');
});

it('a request of a browser is not judged as a call', async () => {
  const page = await fetch(`${bank.baseUrl}/consents`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  const other = await fetch(`${bank.baseUrl}/nothing`, { headers: { 'X-Request-ID': randomUUID() } });
  expect([other.status, await other.text()]).toEqual([404, 'There is nothing here.\n']);
});
