import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ doors: { open: true } });
});
afterAll(() => bank.close());

/** A call whose body comes in chunks, without its length, or not at all. */
function ask(method: string, path: string, chunks: readonly string[] = []) {
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(chunks.length > 0 && { 'Transfer-Encoding': 'chunked' }),
  };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(bank.baseUrl + path, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
    });
    sent.on('error', reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

it.each(
  ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'GET'].flatMap((method) =>
    ['/', '/nothing', '/x/consents', '/sca/unknown', '/phone', '/consents'].map(
      (path) => [method, path] as const,
    ),
  ),
)('the bank does not fail where a request has no body: %s %s', async (method, path) => {
  expect((await ask(method, path)).status).toBeLessThan(500);
});

it('a token is requested by a form in chunks as well', async () => {
  const asked = await ask('POST', '/oauth/token', [
    'grant_type=authorization',
    '_code&code=unknown&client_id=x',
  ]);
  expect(asked.status).toBe(400);
  expect(JSON.parse(asked.text)).toMatchObject({ error: expect.stringMatching(/^invalid_/) as unknown });
  const nothing = await ask('POST', '/oauth/token');
  expect(JSON.parse(nothing.text)).toMatchObject({ error: 'unsupported_grant_type' });
});

it.each(['/oauth/token', '/phone', '/nothing'])('a form longer than any is refused: %s', async (path) => {
  const chunks = Array.from({ length: 10 }, () => 'x'.repeat(10_000));
  expect(await ask('POST', path, chunks)).toEqual({ status: 413, text: 'This is longer than any form.\n' });
});

it('a page accepts a form in chunks as well', async () => {
  const { status, text } = await ask('POST', '/phone', ['psuId=redirect&pass', 'word=password']);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain('There is nothing here.');
});
