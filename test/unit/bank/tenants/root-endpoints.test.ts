import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ doors: { open: true, tenants: 'header:X-Tenant' } });
  await bank.bank.tenant('create', 'team-a');
});
afterAll(() => bank.close());

it.each([
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
  ['GET', '/sandbox/password-key'],
])(
  'the path %s %s at the root is that of the tenant whom the header names, and of nobody without one',
  async (method, path) => {
    const asked = async (headers: Readonly<Record<string, string>>) => {
      const answer = await fetch(bank.baseUrl + path, { method, headers });
      return { status: answer.status, text: await answer.text() };
    };
    const own = await asked({ 'X-Tenant': 'team-a' });
    expect(own.text).not.toContain('There is nothing here');
    expect(own.status).not.toBe(404);
    for (const headers of [{}, { 'X-Tenant': 'nobody' }] as Record<string, string>[])
      expect(await asked(headers)).toEqual({
        status: 404,
        text: expect.stringContaining('There is nothing here') as string,
      });
  },
);
