import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBank } from '../../../helpers/steered-bank.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { createTestCertificate } from '../../../../src/signing/certificate.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { payment, tppOf } from '../tpp.ts';
import { ask, certificates, cleanup, codeOf, folder, path, started, useCleanup } from './callers.ts';
import type { Made } from './callers.ts';

useCleanup();

describe('--trust', () => {
  const sealed = (bank: TestBank, { seal, sealKey }: Made) =>
    tppOf({ baseUrl: bank.baseUrl, certificatePath: seal, keyPath: sealKey })(
      'GET',
      `${path}/none-such/status`,
    );
  const code = ({
    status,
    json,
  }: {
    status: number;
    json: { tppMessages?: { code: string }[] } | undefined;
  }) => [status, json?.tppMessages?.[0]?.code] as const;

  it('accepts authorities and single certificates, RSA and EC, one or several in a file', async () => {
    const into = folder();
    const [ec, rsa, single, unknown] = await certificates(into, [
      { keyType: 'ec' },
      { keyType: 'rsa' },
      { keyType: 'rsa' },
      { keyType: 'ec' },
    ]);
    if (!ec || !rsa || !single || !unknown) throw new Error('not made');
    const bundle = join(into, 'bundle.pem');
    writeFileSync(bundle, `Two of them\n${readFileSync(ec.ca, 'utf8')}\r\n${readFileSync(rsa.ca, 'utf8')}`);
    const bank = await started({ doors: { httpsPort: 0, trust: [bundle, single.seal, single.qwac] } });
    for (const one of [ec, rsa, single]) {
      expect(code(await sealed(bank, one))).toEqual([404, 'RESOURCE_UNKNOWN']);
      const over = { ca: bank.caPath, cert: one.qwac, key: one.qwacKey };
      expect(codeOf(await ask(`${bank.httpsBaseUrl}${path}/x/status`, over))).toEqual([
        401,
        'SIGNATURE_MISSING',
      ]);
    }
    expect(code(await sealed(bank, unknown))).toEqual([401, 'CERTIFICATE_INVALID']);
  });

  it('does not trust another certificate because of one that is trusted by itself', async () => {
    const into = folder();
    const [one] = await certificates(into, [{ keyType: 'ec' }]);
    if (!one) throw new Error('not made');
    const valid = { notBefore: new Date(Date.now() - 1000), notAfter: new Date(Date.now() + 86_400_000) };
    const forged = await createTestCertificate({
      ...valid,
      keyType: 'ec',
      type: 'qsealc',
      ca: {
        certificatePem: readFileSync(one.seal, 'utf8'),
        keyPem: new Secret(readFileSync(one.sealKey, 'utf8')),
      },
      roles: ['PSP_PI'],
      organizationIdentifier: 'PSDFR-ACPR-99999',
      organizationName: 'Nobody',
      ncaName: 'ACPR',
      ncaId: 'FR-ACPR',
    });
    const [seal, sealKey] = [join(into, 'forged.pem'), join(into, 'forged-key.pem')];
    writeFileSync(seal, forged.certificatePem);
    writeFileSync(sealKey, forged.keyPem.reveal());
    const bank = await started({ doors: { trust: [one.seal] } });
    expect(code(await sealed(bank, { ...one, seal, sealKey }))).toEqual([401, 'CERTIFICATE_INVALID']);
    expect(code(await sealed(bank, one))).toEqual([404, 'RESOURCE_UNKNOWN']);
  });

  it.each([
    ['missing.pem', undefined],
    ['empty.pem', ''],
    ['key.pem', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['damaged.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('refuses %s, and the bank listens nowhere', async (name, text) => {
    const file = join(folder(), name);
    if (text !== undefined) writeFileSync(file, text);
    await expect(started({ doors: { trust: [file] } })).rejects.toMatchObject({
      code: 'CERTIFICATE_FILE',
      detail: expect.stringContaining(file) as string,
    });
  });
});

describe('the TPP of the bank', () => {
  it('has RSA keys beside those of EC, and is the same TPP with both', async () => {
    const stateDir = folder();
    const stop = new AbortController();
    const bank = createBank({ stateDir, clock: { now: () => new Date() } });
    const { doorsFromFlags } = await import('../../../../src/settings/doors/read-doors.ts');
    let served: Promise<void> = Promise.resolve();
    const address = await new Promise<Parameters<Parameters<typeof bank.serve>[1]>[0]>((resolve, reject) => {
      const options = { doors: [doorsFromFlags({ port: 0, httpsPort: 0 })], without: [], rsa: true };
      served = bank.serve(options, resolve, stop.signal);
      served.catch(reject);
    });
    cleanup.push(async () => {
      stop.abort();
      await served;
      await bank.close();
    });
    const { rsa } = address;
    if (rsa === undefined) throw new Error('there is no RSA identity');
    const [debtor] = (await bank.people()).find(({ psuId }) => psuId === 'redirect')?.accounts ?? [];
    const created = await tppOf({ ...address, ...rsa })('POST', path, { body: payment(debtor?.iban ?? '') });
    expect(created.status).toBe(201);
    const read = await tppOf(address)('GET', created.json._links.self.href as string);
    expect(read.status).toBe(200);
    const shown = { ca: address.caPath, cert: rsa.tlsCertificatePath, key: rsa.tlsKeyPath };
    expect(codeOf(await ask(`${address.httpsBaseUrl}${path}/x/status`, shown))).toEqual([
      401,
      'SIGNATURE_MISSING',
    ]);
    for (const file of Object.values(rsa)) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
