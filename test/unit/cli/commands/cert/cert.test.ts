import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateLint } from '../../../../../src/client/certificates/certificate-lint.ts';
import type {
  CertificateExpiry,
  CertificateView,
} from '../../../../../src/client/certificates/read-certificates.ts';
import type { CommandPorts } from '../../../../../src/cli/context.ts';
import type { Profile } from '../../../../../src/settings/records/profile.ts';
import * as by from '../../../../helpers/certificate-by-hand.ts';
import { fakeClock, fakePerson, memoryFiles, memoryStore } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';
import { hasOpenssl } from '../../../signing/fixtures.ts';
import {
  ai,
  eseal,
  foreignAuthority,
  ic,
  pi,
  qwacWish,
  statementsOf,
  web,
} from '../../../signing/foreign-certificates.ts';

/** The commands over certificates that openssl made, so that no mistake of ours can hide in both hands. */
describe.skipIf(!hasOpenssl)('obk cert', () => {
  let there: ReturnType<typeof foreignAuthority>;
  const files: Record<string, string | Uint8Array> = {};
  const at = new Date(Date.now() + 60_000).toISOString();
  const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  beforeAll(() => {
    there = foreignAuthority();
    const seal = there.issue({ statements: statementsOf(eseal, [pi, ai]) });
    const qwac = there.issue({ ...qwacWish, statements: statementsOf(web, [pi, ai, ic]) });
    const make = (name: string, wish: Parameters<typeof there.issue>[0]) => {
      files[name] = there.issue(wish).certificate;
    };
    Object.assign(files, {
      'seal.pem': seal.certificate,
      'seal.key': seal.key,
      'qwac.pem': qwac.certificate,
      'qwac.key': qwac.key,
      'chain.pem': qwac.certificate + there.ca,
      'gap.pem': seal.certificate + qwac.certificate,
      'ca.pem': there.ca,
      'seal.p12': there.pkcs12(seal, 'geheim'),
    });
    make('plain.pem', {});
    make('no-psd2.pem', { statements: '[statements]\na=SEQUENCE:c\n[c]\no=OID:0.4.0.1862.1.1' });
    make('bad-id.pem', {
      subject: '/C=DE/organizationIdentifier=PSDDE-BaFin-1/CN=x',
      statements: statementsOf(eseal, [pi]),
    });
    make('vat.pem', {
      subject: '/C=DE/organizationIdentifier=VATDE-1/CN=x',
      statements: statementsOf(eseal, [pi]),
    });
    make('wrong-oid.pem', { statements: statementsOf(eseal, [['1.2.3.4', 'PSP_PI']], 'BAFIN') });
    make('other-nca.pem', { statements: statementsOf(eseal, [pi], 'FR-ACPR') });
    make('bank.pem', { statements: statementsOf(eseal, [['0.4.0.19495.1.1', 'PSP_AS']]) });
    make('no-usage.pem', { keyUsage: 'keyEncipherment', statements: statementsOf(eseal, [pi]) });
    make('weak.pem', { key: ['rsa:1024'], hash: 'sha1', statements: statementsOf(eseal, [pi]) });
    make('curve.pem', {
      key: ['ec', '-pkeyopt', 'ec_paramgen_curve:secp224r1'],
      statements: statementsOf(eseal, [pi]),
    });
  });
  afterAll(() => {
    there.close();
  });

  const cert = async (line: string, more: Partial<CommandPorts> = {}, now = at) => {
    const ports = { files: memoryFiles(files), clock: fakeClock({ at: now }), ...more };
    const { code, stdout, stderr } = await program(`cert ${line} --json`, { ports });
    const read = (): unknown => JSON.parse(stdout);
    return {
      code,
      stderr,
      views: () => read() as CertificateView[],
      lint: () => read() as CertificateLint,
      rows: () => read() as CertificateExpiry[],
    };
  };

  it('shows each certificate of a file, of a PKCS#12, and those of a server', async () => {
    const passphrase = { person: fakePerson().answer('passphrase', 'geheim') };
    const asked: [string, number][] = [];
    const chain = (host: string, port: number) => {
      asked.push([host, port]);
      return Promise.resolve(
        [Buffer.from(files['chain.pem'] as string)].map(() => der(files['qwac.pem'] as string)),
      );
    };
    for (const [line, ports, places] of [
      ['inspect chain.pem', {}, ['1/2', '2/2']],
      ['inspect seal.p12', passphrase, ['1/2', '2/2']],
      ['inspect https://bank.example:8443/', { tlsPeers: { chain } }, ['1/1']],
    ] as const) {
      const seen = await cert(line, ports);
      expect(seen.code).toBe(0);
      expect(seen.views().map((view) => `${view.position}/${view.of}`)).toEqual(places);
      expect(seen.views()[0]!.organization).toEqual({
        scheme: 'PSD',
        country: 'DE',
        authority: 'BAFIN',
        number: '125314',
      });
    }
    expect(asked).toEqual([['bank.example', 8443]]);
  });

  it('shows in words what a person looks for, whatever the day', async () => {
    const subject = by.name([by.at.C, 'DE'], [by.at.ID, 'PSDDE-BAFIN-1'], [by.at.CN, 'x']);
    const made = by.certificate({
      subject,
      serial: '00ff01',
      extensions: [
        by.cabf('PSD', 'DE', 'BAFIN-1'),
        by.statements(
          by.compliance,
          by.retention(15),
          by.pds(['en', 'https://x.example/e'], ['de', 'https://x.example/d']),
        ),
      ],
    });
    const shown = async (day: string) => {
      const ports = { files: memoryFiles({ 'c.pem': made.pem }), clock: fakeClock({ at: day }) };
      return (await program('cert inspect c.pem', { ports })).stdout.replace(/\s+/g, ' ');
    };
    const good = await shown('2026-06-01T00:00:00Z');
    for (const part of [
      'Serial ff01 (65281 in decimal)',
      'QcPDS en: https://x.example/e, de: https://x.example/d',
      'QcRetentionPeriod 15 years',
      'cabfOrganizationIdentifier PSD, country DE, reference BAFIN-1',
      '2028-01-01, 579 days left',
    ])
      expect(good).toContain(part);
    const early = await shown('2025-12-22T00:00:00Z');
    expect(early).toContain('not yet valid: from 2026-01-01T00:00:00.000Z, in 10 days');
    expect(early).not.toContain('days left');
    expect(await shown('2028-01-11T00:00:01Z')).toContain('expired 10 days ago');
  });

  it('shows a profile with both certificates, and prefers its name to a file of that name', async () => {
    const profile = { certificate: 'seal.pem', key: 'seal.key', tlsCertificate: 'chain.pem' };
    const store = await storeWith({ acme: profile });
    const seen = await cert('inspect acme', {
      ...store,
      files: memoryFiles({ ...files, acme: 'no certificate' }),
    });
    expect(seen.views().map(({ source, use }) => [source, use])).toEqual([
      ['seal.pem', 'qsealc'],
      ['chain.pem', 'qwac'],
      ['chain.pem', 'qwac'],
    ]);
  });

  it.each([
    ['inspect nowhere.pem', 2, 'nowhere.pem'],
    ['inspect seal.key', 3, 'private key'],
    ['inspect seal.p12', 3, 'no passphrase was given'],
    ['inspect http://bank.example', 2, 'https://host[:port]'],
    ['lint seal.pem --needs XX', 2, 'PI,AI,IC'],
    ['lint seal.pem --within soon', 2, '30d'],
  ])('%s ends with %i', async (line, code, said) => {
    const seen = await cert(line);
    expect({ code: seen.code, said: seen.stderr.includes(said) }).toEqual({ code, said: true });
  });

  it.each<[string, string[]]>([
    ['seal.pem', []],
    ['seal.pem --needs PI,AI --key seal.key', []],
    ['chain.pem --key qwac.key', []],
    ['qwac.pem', ['warning chain-missing']],
    ['seal.pem --needs IC', ['error role-missing ROLE_INVALID']],
    ['seal.pem --key qwac.key', ['error key-mismatch SIGNATURE_INVALID']],
    [
      'seal.pem --as qwac',
      [
        'error wrong-use CERTIFICATE_INVALID',
        'warning no-alternative-name',
        'note no-extended-key-usage',
        'warning chain-missing',
      ],
    ],
    [
      'chain.pem --as qsealc',
      ['error wrong-use CERTIFICATE_INVALID', 'warning no-non-repudiation', 'warning tls-usage'],
    ],
    ['gap.pem', ['error chain-gap']],
    ['plain.pem', ['error qc-statements CERTIFICATE_INVALID']],
    [
      'no-psd2.pem',
      [
        'error psd2-statement CERTIFICATE_INVALID',
        'error wrong-use CERTIFICATE_INVALID',
        'warning qc-pds-missing',
      ],
    ],
    ['bad-id.pem', ['error organization-identifier CERTIFICATE_INVALID']],
    ['vat.pem', ['error organization-identifier CERTIFICATE_INVALID']],
    [
      'wrong-oid.pem',
      ['error malformed CERTIFICATE_INVALID', 'error nca-id CERTIFICATE_INVALID', 'warning nca-differs'],
    ],
    ['other-nca.pem', ['warning nca-differs']],
    ['bank.pem --needs PI', ['error role-missing ROLE_INVALID', 'warning role-of-a-bank']],
    ['no-usage.pem', ['error wrong-use CERTIFICATE_INVALID']],
    ['weak.pem', ['error weak-key CERTIFICATE_INVALID', 'error weak-hash CERTIFICATE_INVALID']],
    ['curve.pem', ['error weak-key CERTIFICATE_INVALID']],
    [
      'ca.pem',
      [
        'error self-signed CERTIFICATE_INVALID',
        'error authority CERTIFICATE_INVALID',
        'error organization-identifier CERTIFICATE_INVALID',
        'error qc-statements CERTIFICATE_INVALID',
        'error no-key-usage CERTIFICATE_INVALID',
      ],
    ],
    ['seal.pem --within 400d', ['warning expires-soon']],
    ['seal.pem --within 400d --strict', ['error expires-soon']],
  ])('lint %s', async (line, expected) => {
    const seen = await cert(`lint ${line}`);
    const { findings, errors } = seen.lint();
    expect(
      findings.map(({ severity, rule, bankCode = '' }) => `${severity} ${rule} ${bankCode}`.trim()),
    ).toEqual(expected);
    expect(seen.code).toBe(errors > 0 ? 10 : 0);
    expect(findings.every(({ text, hint }) => text !== '' && hint !== '')).toBe(true);
  });

  it('lints a server by what a server needs, unless told otherwise', async () => {
    const chain = () => Promise.resolve([der(files['plain.pem'] as string)]);
    const rules = async (line: string) =>
      (await cert(`lint https://bank.example ${line}`, { tlsPeers: { chain } }))
        .lint()
        .findings.map(({ rule }) => rule);
    expect(await rules('')).toEqual(['chain-missing']);
    expect(await rules('--as qwac')).toContain('qc-statements');
  });

  it.each([
    [later(366), 'expired'],
    [later(-2), 'not-yet-valid'],
  ])('lint at %s finds it %s', async (now, rule) => {
    const seen = await cert('lint seal.pem', {}, now);
    expect(seen.code).toBe(10);
    expect(seen.lint().findings.map((finding) => finding.rule)).toEqual([rule]);
  });

  it('expiry lists all profiles, the most urgent first, and ends with 10 where something is near', async () => {
    const store = await storeWith({
      acme: { certificate: 'seal.pem', key: 'seal.key' },
      beta: { tlsCertificate: 'gone.pem', caCertificates: 'ca.pem' },
    });
    const rows = async (line: string, now = at) => {
      const seen = await cert(line, { ...store }, now);
      return [seen.code, ...seen.rows().map(({ profile, use, state }) => `${profile} ${use} ${state}`)];
    };
    expect(await rows('expiry --all')).toEqual([10, 'beta qwac unreadable', 'acme qsealc ok', 'beta ca ok']);
    expect(await rows('expiry --profile acme')).toEqual([0, 'acme qsealc ok']);
    expect(await rows('expiry --profile acme --within 2w', later(355))).toEqual([10, 'acme qsealc soon']);
    expect(await rows('expiry --profile acme --within 2d', later(355))).toEqual([0, 'acme qsealc ok']);
    expect(await rows('expiry --profile acme', later(370))).toEqual([10, 'acme qsealc expired']);
  });

  it('expiry of nothing is nothing', async () => {
    expect((await cert('expiry --all')).code).toBe(0);
  });
});

function der(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

async function storeWith(profiles: Record<string, Partial<Profile>>) {
  const store = memoryStore();
  const standard = { environment: 'test', framework: '1.3.2', prefix: '/v1', surface: 'service' } as const;
  await store.settings.update((settings) => ({
    ...settings,
    profiles: Object.fromEntries(
      Object.entries(profiles).map(([name, part]) => [name, { ...standard, ...part }]),
    ),
  }));
  return store;
}
