import { beforeAll, describe, expect, it } from 'vitest';
import type { IssuedCertificate } from '../../../../../src/signing/certificate.ts';
import { fakeClock, memoryFiles, memoryStore } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';
import { now, sealCertificate, vectorCa } from '../../../signing/fixtures.ts';

let seal: IssuedCertificate;
beforeAll(async () => {
  seal = await sealCertificate(await vectorCa());
});

const order = (end: string) =>
  [
    '{',
    '  "instructedAmount": {"currency": "EUR", "amount": "12.50"},',
    '  "creditorAccount": {"iban": "DE89370400440532013000"},',
    '',
    '  "creditorName": "Zoë, Digest",',
    '  "remittanceInformationUnstructured": "Dry run"',
    '}',
    '',
  ].join(end);

const fields =
  '--creditor-account DE89370400440532013000 --creditor-name Shop --amount 1.00 --psu-id PSU-1 --debtor DE40100100103307118608';

describe.each([
  ['1.3.2', '/v1'],
  ['1.3.6', '/v136'],
] as const)('the text of --dry-run of framework %s', (framework, prefix) => {
  it.each([
    ['a payment from fields', `payment init --product sepa-credit-transfers ${fields}`],
    ['the same with its curl', `payment init --product sepa-credit-transfers ${fields} --curl`],
    ['a POST with a body of many lines', `api POST ${prefix}/payments/sepa-credit-transfers --input lf.json`],
    ['a POST with CRLF', `api POST ${prefix}/payments/sepa-credit-transfers --input crlf.json`],
    ['a GET', `api GET ${prefix}/accounts -H Consent-ID:c-1`],
    ['a DELETE', `api DELETE ${prefix}/consents/c-1`],
  ])('of %s verifies when it is fed back', async (_, line) => {
    const files = memoryFiles({
      'lf.json': order('\n'),
      'crlf.json': order('\r\n'),
      'seal.pem': seal.certificatePem,
      'seal.key': seal.keyPem.reveal(),
    });
    const store = memoryStore();
    const acme = {
      environment: 'test',
      baseUrl: 'https://bank.example',
      framework,
      prefix,
      surface: 'service',
      certificate: 'seal.pem',
      key: 'seal.key',
      redirectUri: 'https://tpp.example/cb?a=b',
      psu: { ipAddress: '203.0.113.7' },
    } as const;
    await store.settings.update((settings) => ({ ...settings, profiles: { acme } }));
    const ports = { ...store, files, clock: fakeClock({ at: now.toISOString() }) };
    const shown = await program(`${line} --profile acme --dry-run`, { ports });
    expect({ code: shown.code, stderr: shown.stderr }).toEqual({
      code: 0,
      stderr: expect.any(String) as string,
    });
    files.contents.set('/cwd/request.txt', Buffer.from(shown.stdout));
    const seen = await program('sign verify request.txt', { ports });
    expect(seen.stdout).toContain(': verified');
    expect(seen.code).toBe(0);
    files.contents.set('/cwd/other.txt', Buffer.from(shown.stdout.replace(/^(X-Request-ID: )./im, '$1_')));
    expect((await program('sign verify other.txt', { ports })).code).toBe(10);
  });
});
