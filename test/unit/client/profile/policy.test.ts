import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialsWithin } from '../../../../src/adapters/secrets/credentials-within.ts';
import { readPolicy } from '../../../../src/adapters/settings/policy-file.ts';
import { call } from '../../../../src/client/call/call.ts';
import { needAllowed, needAllowedReference } from '../../../../src/client/profile/policy.ts';
import type { Policy } from '../../../../src/settings/records/policy.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryCredentials } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { created, get, getPath, postPath, read } from '../calls.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/etc/obk/policy.json';
const product = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' } as const;

/** What becomes of a payment with this body under a policy. */
async function sending(bounds: Omit<Policy, 'path'>, body: string, contentType = 'application/json') {
  const there = await world({ run: { policy: { path, ...bounds } } });
  there.http.expect('POST', postPath, created);
  const input = { operation: 'initiatePayment', params: product } as const;
  const outcome = await call(there.target, {
    ...input,
    body: { bytes: Buffer.from(body), contentType },
  }).then(
    () => 'sent',
    (error: unknown) => `${String((error as { exit: number }).exit)} ${(error as { code: string }).code}`,
  );
  expect(there.http.requests).toHaveLength(outcome === 'sent' ? 1 : 0);
  expect(there.journal.records.length > 0).toBe(outcome === 'sent');
  return outcome;
}
const amount = (value: string, currency = 'EUR') => ({ instructedAmount: { currency, amount: value } });
const json = (...values: string[]) =>
  JSON.stringify(
    values.length === 1 ? amount(values[0] ?? '') : { payments: values.map((one) => amount(one)) },
  );
const pain = (...values: string[]) =>
  `<?xml version="1.0"?><D>${values.map((one) => `<Amt><InstdAmt Ccy="EUR">${one}</InstdAmt></Amt>`).join('')}</D>`;
const most = { maxAmount: { EUR: '100.00' } };

describe('the highest amount of a policy', () => {
  it.each<[string, string, string, string?]>([
    ['as much', json('100.00'), 'sent'],
    ['more', json('100.01'), '3 POLICY'],
    ['a bulk of as much', json('60.00', '40'), 'sent'],
    ['a bulk of more', json('60.00', '40.01'), '3 POLICY'],
    ['another currency', JSON.stringify(amount('1.00', 'USD')), '3 POLICY'],
    ['no amount', '{}', '3 POLICY'],
    ['what is no amount', json('1e1'), '3 POLICY'],
    ['what is no JSON', '{', '3 POLICY'],
    ['XML of as much', pain('60.00', '40.00'), 'sent', 'application/xml'],
    ['XML of more', pain('60.00', '40.01'), '3 POLICY', 'application/xml'],
    ['XML with a prefix', pain('100.01').replaceAll('InstdAmt', 'p:InstdAmt'), '3 POLICY', 'application/xml'],
    ['XML with references', pain('&#49;00.00'), '3 POLICY', 'application/xml'],
    ['XML with a comment', pain('1<!-- -->00.01'), '3 POLICY', 'application/xml'],
    ['XML with an instruction', pain('1<?x?>00.01'), '3 POLICY', 'application/xml'],
    ['XML with marked text', pain('1<![CDATA[00.01]]>'), '3 POLICY', 'application/xml'],
    [
      'XML with any prefix',
      pain('1.00') + pain('100.00').replaceAll('InstdAmt', 'ü:InstdAmt'),
      '3 POLICY',
      'application/xml',
    ],
    [
      'XML with an entity',
      '<!DOCTYPE D [<!ENTITY a "60.00</InstdAmt>">]>' + pain('1.00'),
      '3 POLICY',
      'application/xml',
    ],
    [
      'XML of an equivalent',
      pain('1.00') + '<EqvtAmt><Amt Ccy="USD">9</Amt></EqvtAmt>',
      '3 POLICY',
      'application/xml',
    ],
    [
      'a form of more',
      `--b\r\n\r\n${pain('100.01')}\r\n--b--`,
      '3 POLICY',
      'multipart/form-data; boundary=b',
    ],
  ])('bounds %s', async (_, body, outcome, contentType) => {
    expect(await sending(most, body, contentType)).toBe(outcome);
  });

  it('is reported as unchangeable', async () => {
    const there = await world({ run: { policy: { path, ...most } } });
    const failed = await failedWith(
      call(there.target, {
        operation: 'initiatePayment',
        params: product,
        body: { json: amount('101.00') },
        intent: 'i',
      }),
    );
    expect(failed).toMatchObject({
      exit: 3,
      title: expect.stringContaining('101.00 EUR is more') as string,
      detail: expect.stringContaining(`${path} says so`) as string,
    });
  });
});

describe('a policy of origins, environments and flags', () => {
  const origin = 'https://bank.example';
  it('limits where requests go', async () => {
    const allowed = await world({ run: { policy: { path, origins: [] } } });
    expect(await failedWith(call(allowed.target, get))).toMatchObject({ exit: 3, code: 'POLICY' });
    const here = new URL(allowed.target.links.base).origin;
    const known = await world({ run: { policy: { path, origins: [origin, here] } } });
    known.http.expect('GET', getPath, read);
    await call(known.target, get);
    const inside = await world({
      environment: 'sandbox',
      inside: {},
      run: { policy: { path, origins: [origin] } },
    });
    expect(inside.target.environment).toBe('sandbox');
  });

  it('limits environments and --insecure', () => {
    const policy = { path, environments: ['test'] as const, insecure: false };
    const wish =
      (environment: string, insecure = false) =>
      () => {
        needAllowed(policy, { environment, insecure });
      };
    expect(wish('test')).not.toThrow();
    expect(wish('production')).toThrow(expect.objectContaining({ exit: 3, code: 'POLICY' }));
    expect(wish('test', true)).toThrow(expect.objectContaining({ code: 'POLICY' }));
    expect(() => {
      needAllowed(undefined, { environment: 'production', insecure: true });
    }).not.toThrow();
  });

  it('limits references to programs', () => {
    const policy = { path, commandReferences: false };
    expect(() => {
      needAllowedReference(policy, 'cmd:pass show x');
    }).toThrow(expect.objectContaining({ code: 'POLICY' }));
    expect(() => {
      needAllowedReference(policy, 'env:X');
    }).not.toThrow();
  });

  it('limits tokens in a file', async () => {
    const credentials = credentialsWithin(memoryCredentials(), () => ({ path, plainTokens: false }));
    await expect(credentials.update('acme', () => ({ token: new Secret('t') }))).rejects.toMatchObject({
      code: 'POLICY',
    });
    await expect(credentials.moveTokens('acme', 'file')).rejects.toMatchObject({ code: 'POLICY' });
    await credentials.update('acme', () => ({ consentId: 'c' }));
    expect((await credentials.read('acme')).consentId).toBe('c');
  });
});

describe('the policy file of the administrator', () => {
  let folder: string;
  const me = process.getuid?.() ?? 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'obk-policy-'));
    mkdirSync(join(folder, 'obk'), { mode: 0o755 });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const file = (text: string, mode = 0o644) => {
    const at = join(folder, 'obk/policy.json');
    writeFileSync(at, text);
    chmodSync(at, mode);
    return at;
  };

  it('limits nothing where it is absent', () => {
    expect(readPolicy(join(folder, 'none.json'), me)).toBeUndefined();
  });

  it('is read completely', () => {
    const bounds = { origins: ['https://bank.example'], environments: ['test'], maxAmount: { EUR: '10.00' } };
    const at = file(
      JSON.stringify({ ...bounds, insecure: false, commandReferences: false, plainTokens: false }),
    );
    expect(readPolicy(at, me)).toMatchObject({ path: at, ...bounds, plainTokens: false });
  });

  it.each<[string, string, number?]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a word that nobody knows', '{"orgins":[]}'],
    ['an amount that is none', '{"maxAmount":{"EUR":10}}'],
    ['an environment that is none', '{"environments":["prod"]}'],
    ['an origin with a path', '{"origins":["https://bank.example/x"]}'],
    ['written by all', '{}', 0o666],
    ['written by a group', '{}', 0o664],
  ])('stops every command where it cannot be used: %s', (_, text, mode) => {
    const at = file(text, mode);
    expect(() => readPolicy(at, me)).toThrow(expect.objectContaining({ exit: 3, code: 'POLICY' }));
  });

  it('must belong to root only', () => {
    const at = file('{}');
    expect(() => readPolicy(at, me + 1)).toThrow(expect.objectContaining({ code: 'POLICY' }));
  });
});
