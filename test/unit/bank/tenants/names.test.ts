import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTenantName, nameOfKey, tenantKey } from '../../../../src/base/profile-name.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { Dice } from '../../../helpers/dice.ts';
import { controlOf } from '../../../helpers/control.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-names-'));
const database = join(folder, 'bank.db');
let bank: TestBank;
beforeAll(async () => {
  bank = await startBank({ name: 'names', database, doors: { open: true, tenants: 'header:X-Tenant' } });
});
afterAll(async () => {
  await bank.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  status: number;
  json: { tppMessages?: { category: string; code: string; path?: string }[] };
  requestId: unknown;
}

/** A call with these lines for the header, as a socket sends them. */
function call(values: readonly string[]): Promise<Told> {
  const requestId = '6c4ce3a5-3c8c-4c8e-8f3b-2a2f0d1f9b11';
  const lines = [
    'Host',
    '127.0.0.1',
    'X-Request-ID',
    requestId,
    ...values.flatMap((value) => ['X-Tenant', value]),
  ];
  return new Promise((resolve, reject) => {
    const url = `${bank.baseUrl}/v1/consents/unknown`;
    const outgoing = request(url, { headers: lines, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
      incoming.on('end', () => {
        const json = JSON.parse(text) as Told['json'];
        resolve({ status: incoming.statusCode ?? 0, json, requestId: incoming.headers['x-request-id'] });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const hostile = [
  '..',
  '.',
  '-x',
  '_x',
  '../../etc/passwd',
  'a/b',
  'a\\b',
  'a%2fb',
  'a\tb',
  'x'.repeat(65),
  'x'.repeat(7000),
  'a,b',
  'a;b',
  'a"b',
  "a'b",
  '<b>',
  'ä',
  '\u00ff\u00fe',
  'a b ,',
  '*',
  '?',
  '$(id)',
  '`id`',
  '{}',
  'a=b',
  'a&b',
  'a|b',
  '~',
  '%00',
  '#',
];

describe('the name of a tenant', () => {
  it('is required, once, and of a form: everything else is one lawful refusal', async () => {
    for (const values of [[], [''], ['a', 'b'], ['a', 'a'], ...hostile.map((value) => [value])]) {
      const { status, json, requestId } = await call(values);
      const [message] = json.tppMessages ?? [];
      expect([status, message], JSON.stringify(values)).toEqual([
        400,
        expect.objectContaining({ category: 'ERROR', code: 'FORMAT_ERROR', path: 'X-Tenant' }),
      ]);
      expect(requestId).toBe('6c4ce3a5-3c8c-4c8e-8f3b-2a2f0d1f9b11');
    }
    expect((await controlOf(bank)('GET', '/tenants')).json).toEqual({ by: 'header:X-Tenant', tenants: [] });
    expect(existsSync(`${database}.tenants`)).toBe(false);
  });

  it('makes one file each, also where case does not count, and none outside of the folder', async () => {
    const names = [
      'a',
      'A',
      'a.b',
      'a b',
      'con',
      'PSDMT-MFSA-A 12345',
      'x@y.example:80+1',
      'a_41',
      'z'.repeat(64),
    ];
    for (const name of names) expect((await call([name])).status, name).not.toBe(400);
    const { json } = await controlOf(bank)('GET', '/tenants');
    expect(json.tenants.map(({ name }: { name: string }) => name)).toEqual(names.toSorted());
    const files = readdirSync(`${database}.tenants`).filter((file) => file.endsWith('.db'));
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length);
    for (const file of files) expect(file).toMatch(/^tenant-[a-z0-9_-]{1,192}\.db$/);
    expect(readdirSync(folder).filter((file) => !file.startsWith('bank.db'))).toEqual([]);
  });

  it('is recovered from its key, and from no other key', () => {
    const dice = new Dice(4711);
    for (let round = 0; round < 3000; round += 1) {
      const text = Array.from({ length: dice.below(70) }, () => String.fromCharCode(dice.below(160))).join(
        '',
      );
      if (isTenantName(text)) expect(nameOfKey(tenantKey(text))).toBe(text);
      const key = text.toLowerCase();
      const name = nameOfKey(key);
      if (name !== undefined) expect(tenantKey(name)).toBe(key);
    }
    for (const key of ['', '..', '_2e_2e', '_61', 'A', '_', '_2', 'a_2f', '_00'])
      expect(nameOfKey(key), key).toBeUndefined();
  });
});
