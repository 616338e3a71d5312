import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ownTpp } from '../../../../src/bank/trust/own-tpp.ts';
import { controlOf } from '../../../helpers/control.ts';
import { ask, certificates, codeOf, folder, linksOf, started, useCleanup } from '../process/callers.ts';
import { payment, tppOf } from '../tpp.ts';

useCleanup();

const consent = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '9999-12-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const headers = { 'TPP-Redirect-URI': 'https://tpp.example/cb', 'PSU-ID': 'redirect' };
const asHeader = (path: string) => new X509Certificate(readFileSync(path)).raw.toString('base64');

describe('a bank with a tenant for each certificate', () => {
  it('asks for a QWAC at an open door, too, where it only decides whose ledger it is', async () => {
    const [other, third] = await certificates(folder(), [{ keyType: 'ec' }, { keyType: 'ec' }]);
    const trust = [other!.ca, third!.ca];
    const bank = await started({ doors: { open: true, tenants: 'certificate', httpsPort: 0, trust } });
    const url = `${bank.httpsBaseUrl ?? ''}/v1/consents`;
    const tls = { ca: bank.caPath, method: 'POST', body: consent, headers };
    expect(codeOf(await ask(url, tls))).toEqual([401, 'CERTIFICATE_MISSING']);
    const created = await ask(url, { ...tls, cert: other!.qwac, key: other!.qwacKey });
    expect(created.status, created.text).toBe(201);
    const link = new URL(linksOf(created)['self'] ?? '', url).href;
    const statuses = [];
    for (const { qwac, qwacKey } of [other!, third!])
      statuses.push((await ask(link, { ca: bank.caPath, cert: qwac, key: qwacKey })).status);
    expect(statuses).toEqual([200, 403]);
    const seal = { ...headers, 'TPP-Signature-Certificate': asHeader(bank.certificatePath) };
    const two = await ask(url, { ...tls, cert: other!.qwac, key: other!.qwacKey, headers: seal });
    expect(codeOf(two)).toEqual([401, 'CERTIFICATE_INVALID']);
  });

  it('uses the QWAC first, else TPP-Signature-Certificate, and refuses callers with neither or two', async () => {
    const [other, stranger] = await certificates(folder(), [{ keyType: 'ec' }, { keyType: 'ec' }]);
    const doors = { tenants: 'certificate', httpsPort: 0, trust: [other!.ca], signature: 'optional' };
    const bank = await started({ doors });
    const url = `${bank.httpsBaseUrl ?? ''}/v1/consents`;
    const tls = { ca: bank.caPath, method: 'POST', body: consent };
    const names = async () =>
      (await controlOf(bank)('GET', '/tenants')).json.tenants.map(({ name }: { name: string }) => name);
    const own = { cert: bank.tlsCertificatePath, key: bank.tlsKeyPath };
    const its = { cert: other!.qwac, key: other!.qwacKey };

    expect(codeOf(await ask(url, { ...tls, headers }))).toEqual([401, 'CERTIFICATE_MISSING']);
    const unknown = { cert: stranger!.qwac, key: stranger!.qwacKey };
    expect(codeOf(await ask(url, { ...tls, headers, ...unknown }))).toEqual([401, 'CERTIFICATE_INVALID']);
    const forged = { ...headers, 'TPP-Signature-Certificate': asHeader(stranger!.seal) };
    expect(codeOf(await ask(url, { ...tls, headers: forged }))).toEqual([401, 'CERTIFICATE_INVALID']);
    const two = { ...headers, 'TPP-Signature-Certificate': asHeader(bank.certificatePath) };
    expect(codeOf(await ask(url, { ...tls, headers: two, ...its }))).toEqual([401, 'CERTIFICATE_INVALID']);
    expect(await names()).toEqual([]);

    const created = await ask(url, { ...tls, headers, ...its });
    expect(created.status, created.text).toBe(201);
    expect(await names()).toEqual(['PSDFR-ACPR-12340']);
    const link = linksOf(created)['self'] ?? '';
    const read = (who: typeof own, at: string) => ask(new URL(at, url).href, { ca: bank.caPath, ...who });
    expect((await read(its, link)).status).toBe(200);
    const never = link.replace(/[^/]+$/, '0b1b0c4e-2a55-4b0c-8a7e-3f5f1f1f1f1f');
    const [stolen, unused] = [await read(own, link), await read(own, never)];
    expect([stolen.status, stolen.text]).toEqual([unused.status, unused.text]);
    expect(stolen.status).toBe(403);

    // Without TLS it is the certificate of the signature.
    const signed = tppOf(bank);
    const iban = 'DE89370400440532013000';
    const paid = await signed('POST', '/v1/payments/sepa-credit-transfers', { body: payment(iban), headers });
    expect(paid.status).not.toBe(401);
    expect(await names()).toEqual([ownTpp, 'PSDFR-ACPR-12340']);
    const page = new URL(linksOf(created)['scaRedirect'] ?? '').pathname;
    expect(page).toMatch(/^\/tenant\/_50_53_44_46_52-/);
    // A browser shows no certificate; whoever shows that of another TPP is told of nothing.
    expect((await ask(new URL(page, url).href, { ca: bank.caPath })).status).toBe(200);
    expect((await read(own, page)).status).toBe(404);
  });
});
