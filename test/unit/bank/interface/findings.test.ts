import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment, tppOf } from '../tpp.ts';
import type { TestRequest } from '../tpp.ts';

let bank: TestBank;
let call: ReturnType<typeof tppOf>;
beforeAll(async () => {
  bank = await startBank();
  call = tppOf(bank);
});
afterAll(() => bank.close());

const path = '/v136/payments/sepa-credit-transfers';
const order = () => payment(bank.person('decoupled').accounts[0]?.iban ?? '');
const headers = { 'PSU-ID': 'decoupled' };

/** Rule, pointer and code of each finding in the last request. */
async function lastFindings(): Promise<string[]> {
  const last = (await bank.bank.log(0)).at(-1);
  return (last?.findings ?? []).map(({ rule, pointer, code }) => [rule, pointer, code].join(' '));
}

describe('the findings of the bank', () => {
  it('are none for a right payment, its authorisation and its status', async () => {
    const { json } = await call('POST', path, { headers, body: order() });
    const at = `${path}/${String(json.paymentId)}`;
    const started = await call('POST', `${at}/authorisations`, { headers });
    expect(started.status).toBe(201);
    await call('GET', `${at}/status`);
    expect((await bank.bank.log(0)).flatMap(({ findings }) => findings)).toEqual([]);
  });

  it.each<[string, string, string, TestRequest, string[]]>([
    [
      'a header of another operation',
      'GET',
      `${path}/x/status`,
      { headers: { 'Consent-ID': 'x' } },
      ['header-undeclared Consent-ID FORMAT_ERROR', 'resource-unknown paymentId RESOURCE_UNKNOWN'],
    ],
    ['a path that is none', 'POST', '/v136/payment/x', {}, ['path-unknown payment RESOURCE_UNKNOWN']],
    [
      'a wrong digest',
      'GET',
      '/v136/accounts',
      {
        headers: { 'Consent-ID': 'x' },
        tamper: (sent) => {
          sent['Digest'] = `SHA-256=${'A'.repeat(43)}=`;
        },
      },
      ['digest-wrong Digest SIGNATURE_INVALID', 'signature-wrong Signature SIGNATURE_INVALID'],
    ],
    [
      'an amount as a number',
      'POST',
      path,
      { headers, body: { instructedAmount: { currency: 'EUR', amount: 1 } } },
      [
        'body-member-missing /debtorAccount FORMAT_ERROR',
        'body-member-missing /creditorAccount FORMAT_ERROR',
        'body-member-missing /creditorName FORMAT_ERROR',
        'body-type /instructedAmount/amount FORMAT_ERROR',
      ],
    ],
  ])('record what is wrong with %s', async (_what, method, target, options, expected) => {
    await call(method, target, options);
    expect(await lastFindings()).toEqual(expected);
  });

  it('include a refusal of its own', async () => {
    const answer = await call('POST', path, { headers: { 'PSU-ID': 'nobody' }, body: order() });
    expect(answer.json.tppMessages[0].code).toBe('PSU_CREDENTIALS_INVALID');
    expect(await lastFindings()).toEqual(['refused  PSU_CREDENTIALS_INVALID']);
  });

  it('depend on earlier calls: a request id again, a read too early, an authorisation that has ended', async () => {
    const again = { ...headers, 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' };
    const { json } = await call('POST', path, { headers: again, body: order() });
    const at = `${path}/${String(json.paymentId)}`;
    await call('GET', at, { headers: { 'X-Request-ID': again['X-Request-ID'] } });
    expect(await lastFindings()).toEqual(['request-id-again X-Request-ID FORMAT_ERROR']);
    await call('POST', path, { headers: again, body: order() });
    expect(await lastFindings()).toEqual(['request-id-again X-Request-ID FORMAT_ERROR']);
    await call('DELETE', at);
    await call('POST', `${at}/authorisations`, { headers });
    expect(await lastFindings()).toEqual(['already-authorised paymentId STATUS_INVALID']);
  });

  it('leave a call with a mistake answered, and refuse it where findings are refused', async () => {
    const odd = { headers: { ...headers, 'TPP-Redirect-Preferred': 'true' }, body: order() };
    expect((await call('POST', path, odd)).status).toBe(201);
    expect(await lastFindings()).toEqual(['redirect-uri-missing TPP-Redirect-URI FORMAT_ERROR']);
    bank.scenario({ findings: 'refused' });
    const before = bank.payments().length;
    const { status, json } = await call('POST', path, odd);
    expect([status, json.tppMessages[0]]).toEqual([
      400,
      {
        category: 'ERROR',
        code: 'FORMAT_ERROR',
        path: 'TPP-Redirect-URI',
        text: 'A redirect is preferred, and there is no TPP-Redirect-URI. (guidelines 5.3.1)',
      },
    ]);
    expect(bank.payments().length).toBe(before);
    // A warning is none of its reasons.
    const warned = {
      headers: { ...headers, 'PSU-ID-Type': 'x', 'TPP-Notification-Content-Preferred': 'status=SCA' },
      body: order(),
    };
    expect((await call('POST', path, warned)).status).toBe(201);
    bank.scenario({ findings: 'kept' });
  });

  it('refuse from the start with --refuse-findings', async () => {
    const strict = await startBank({ doors: { refuseFindings: true } });
    try {
      const { status } = await tppOf(strict)('POST', path, {
        headers: { ...headers, 'TPP-Redirect-Preferred': 'true' },
        body: order(),
      });
      expect(status).toBe(400);
    } finally {
      await strict.close();
    }
  });

  it('are refused until the bank ends, whatever becomes of its ledger', async () => {
    const odd = { headers: { ...headers, 'TPP-Redirect-Preferred': 'true' }, body: order() };
    const stateDir = mkdtempSync(join(tmpdir(), 'obk-bank-'));
    const before = await startBank({ stateDir });
    await before.bank.snapshot('save', 'lenient');
    await before.close();
    const strict = await startBank({ stateDir, doors: { refuseFindings: true } });
    try {
      await strict.bank.reset();
      expect((await tppOf(strict)('POST', path, odd)).status).toBe(400);
      await strict.bank.snapshot('restore', 'lenient');
      expect((await tppOf(strict)('POST', path, odd)).status).toBe(400);
      await expect(strict.bank.setScenario('findings', 'kept')).rejects.toThrow('as long as this bank runs');
    } finally {
      await strict.close();
    }
    const after = await startBank({ stateDir });
    try {
      expect((await tppOf(after)('POST', path, odd)).status).toBe(201);
    } finally {
      await after.close();
      rmSync(stateDir, { recursive: true, force: true });
    }
  });
});
