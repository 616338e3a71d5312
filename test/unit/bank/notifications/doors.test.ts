import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { listenForPushes } from '../../../helpers/push-listener.ts';
import { payment, signedHeaders, tppOf } from '../tpp.ts';
import type { Keys } from '../tpp.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'obk-doors-'));
const day = 86_400_000;
const valid = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
const keys = {} as Record<'seal' | 'qwac', Keys>;

beforeAll(async () => {
  const ca = await createTestCa(valid);
  mkdirSync(join(stateDir, 'sandbox'), { recursive: true });
  writeFileSync(join(stateDir, 'sandbox', 'trusted.pem'), ca.certificatePem);
  for (const [name, type] of [
    ['seal', 'qsealc'],
    ['qwac', 'qwac'],
  ] as const) {
    const issued = await createTestCertificate({
      ...valid,
      ca,
      type,
      roles: ['PSP_PI', 'PSP_AI'],
      organizationIdentifier: 'PSDDE-BAFIN-2',
      organizationName: 'Another TPP',
      ncaName: 'BaFin',
      ncaId: 'DE-BAFIN',
      ...(type === 'qwac' && { dnsNames: ['example-tpp.invalid', '*.push.invalid'] }),
    });
    keys[name] = {
      certificatePath: join(stateDir, `${name}.pem`),
      keyPath: join(stateDir, `${name}-key.pem`),
    };
    writeFileSync(keys[name].certificatePath, issued.certificatePem);
    writeFileSync(keys[name].keyPath, issued.keyPem.reveal());
  }
});
afterAll(() => {
  rmSync(stateDir, { recursive: true, force: true });
});

/** The headers that answer a wish, of a payment over TLS with the client certificate of the TPP, or without one. */
function wished(bank: TestBank, uri: string, tls: Keys | null = keys.qwac): Promise<unknown[]> {
  const body = Buffer.from(JSON.stringify(payment(bank.person('redirect').accounts[0]!.iban, '1.00')));
  const headers = signedHeaders(keys.seal, body, {
    'Content-Type': 'application/json',
    'PSU-ID': 'redirect',
    'PSU-IP-Address': '192.0.2.1',
    'TPP-Redirect-URI': 'http://127.0.0.1:9/back',
    'TPP-Notification-URI': uri,
  });
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${bank.httpsBaseUrl ?? ''}/v136/payments/sepa-credit-transfers`,
      {
        method: 'POST',
        headers,
        agent: false,
        ca: readFileSync(bank.caPath),
        ...(tls && { cert: readFileSync(tls.certificatePath), key: readFileSync(tls.keyPath) }),
      },
      (incoming) => {
        incoming.resume();
        resolve([incoming.statusCode, incoming.headers['aspsp-notification-support']]);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('the door --notify', () => {
  const at = async (notify: string | undefined, work: (bank: TestBank) => Promise<void>): Promise<void> => {
    const bank = await startBank({ stateDir, doors: { httpsPort: 0, ...(notify && { notify }) } });
    try {
      await work(bank);
    } finally {
      await bank.close();
    }
  };

  it('leads only to this machine by default', () =>
    at(undefined, async (bank) => {
      expect(await wished(bank, 'https://127.0.0.1:9/')).toEqual([201, 'true']);
      expect(await wished(bank, 'https://example-tpp.invalid/push')).toEqual([201, 'false']);
    }));

  it('leads with certificate also to the hosts that the QWAC names', () =>
    at('certificate', async (bank) => {
      for (const host of ['example-tpp.invalid', 'www.example-tpp.invalid', 'a.push.invalid'])
        expect(await wished(bank, `https://${host}/push`)).toEqual([201, 'true']);
      expect(await wished(bank, 'https://other.invalid/push')).toEqual([201, 'false']);
      expect(await wished(bank, 'https://example-tpp.invalid/push', null)).toEqual([201, 'false']);
      expect(await wished(bank, 'http://example-tpp.invalid/push')).toEqual([201, 'false']);
    }));

  it('leads with anywhere to any host', () =>
    at('anywhere', async (bank) => {
      expect(await wished(bank, 'http://other.invalid/push', null)).toEqual([201, 'true']);
    }));
});

describe('a bank that ends', () => {
  it('loses what it had not pushed, and keeps the wishes', async () => {
    const home = mkdtempSync(join(tmpdir(), 'obk-lost-'));
    const listener = await listenForPushes();
    try {
      const first = await startBank({ stateDir: home });
      const answer = await tppOf(first)('POST', '/v136/payments/sepa-credit-transfers', {
        body: {
          ...payment(first.person('redirect').accounts[0]!.iban),
          requestedExecutionDate: '2099-01-01',
        },
        headers: {
          'PSU-ID': 'redirect',
          'TPP-Redirect-URI': 'http://127.0.0.1:9/back',
          'TPP-Notification-URI': listener.uri,
        },
      });
      expect(answer.status, answer.text).toBe(201);
      const id = answer.json.paymentId as string;
      await first.close();
      // Nobody serves the ledger, which this approval changes.
      const { createBank } = await import('../../../helpers/steered-bank.ts');
      const idle = createBank({ stateDir: home, clock: { now: () => new Date() } });
      await idle.decide('approve', id);
      await idle.close();
      const second = await startBank({ stateDir: home });
      const call = tppOf(second);
      const cancelled = await call('DELETE', `/v136/payments/sepa-credit-transfers/${id}`);
      expect(cancelled.status, cancelled.text).toBe(202);
      second.decide('approve', id);
      await listener.arrived(2);
      expect(listener.pushes.map(({ json }) => Object.keys(json as object).sort())).toEqual([
        ['cancellationId', 'paymentId', 'scaStatus'],
        ['paymentId', 'transactionStatus'],
      ]);
      expect(listener.pushes[1]!.json).toEqual({ paymentId: id, transactionStatus: 'CANC' });
      await second.close();
    } finally {
      await listener.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    }
  });
});
