import { expect, it } from 'vitest';
import { accountBank } from '../account-bank.ts';

const line = 'api GET v1/accounts';
const refusal = {
  status: 401,
  headers: [['X-Gateway', 'edge-7']] as [string, string][],
  body: { tppMessages: [{ category: 'ERROR', code: 'CONSENT_EXPIRED', text: 'over' }], own: 1.0 },
};

it('with -i shows status, headers and body of a refusal, and its error after them', async () => {
  const bank = await accountBank();
  bank.http.expect('GET', '/v1/accounts', refusal);
  const { code, stdout, stderr } = await bank.run(`${line} -i`);
  expect(code).toBe(4);
  expect(stdout).toMatch(/^HTTP 401\n/);
  expect(stdout).toMatch(/^x-gateway: edge-7$/im);
  expect(stdout).toContain('"code": "CONSENT_EXPIRED"');
  expect(stderr).toContain('CONSENT_EXPIRED (401)');
});

it.each([
  ['without -i nothing stands on stdout', '', ''],
  ['with --json and -i the body is the document', ' -i --json', `${JSON.stringify(refusal.body)}\n`],
])('%s', async (_, flags, stdout) => {
  const bank = await accountBank();
  bank.http.expect('GET', '/v1/accounts', refusal);
  expect(await bank.run(line + flags)).toMatchObject({ code: 4, stdout });
});

it('a page of HTML from a gateway is shown as it is', async () => {
  const bank = await accountBank();
  bank.http.expect('GET', '/v1/accounts', {
    status: 403,
    headers: [['Content-Type', 'text/html']],
    body: '<html><h1>Blocked</h1></html>',
  });
  const { stdout, stderr } = await bank.run(`${line} -i`);
  expect(stdout).toContain('<html><h1>Blocked</h1></html>');
  expect(stderr).toMatch(/HTML/);
});
