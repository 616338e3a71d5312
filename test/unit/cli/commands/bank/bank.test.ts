import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-bank-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (line: readonly string[], input = '') => runInside(line, { env, cwd: home, input });

async function json<T = Record<string, unknown>>(line: readonly string[], input?: string): Promise<T> {
  const { code, stdout, stderr } = await obk([...line, '--json'], input);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

const edit = (...flags: readonly string[]) => json(['profile', 'edit', 'acme', ...flags]);

beforeAll(async () => {
  await json([
    'profile',
    'create',
    'acme',
    '--base-url',
    'https://acme.example',
    '--environment',
    'test',
    '--signing',
    'none',
  ]);
});

interface Report {
  errors: number;
  warnings: number;
  findings: { setting: string; severity: string; text: string }[];
}

/** What is found in a file that holds this. */
async function lint(settings: unknown): Promise<Report & { code: number | null }> {
  const { code, stdout } = await obk(['bank', 'lint', '-', '--json'], JSON.stringify(settings));
  return { code, ...(JSON.parse(stdout) as Report) };
}

describe('bank lint', () => {
  it('finds nothing in an empty descriptor, nor in the bank inside', async () => {
    expect(await lint({})).toMatchObject({ code: 0, errors: 0, warnings: 0, findings: [] });
    expect(await json(['bank', 'lint', 'sandbox'])).toMatchObject({ of: 'profile', findings: [] });
  });

  it.each<[string, unknown, string]>([
    ['an unknown name', { linx: {} }, 'linx'],
    ['an unknown name below', { links: { hosts: 'ignore' } }, 'links.hosts'],
    ['what is of the TPP', { certificate: '/x.pem' }, 'certificate'],
    ['a word that is none', { links: { host: 'maybe' } }, 'links.host'],
    ['no list', { headers: { rules: {} } }, 'headers.rules'],
    ['an address that is none', { urls: { perService: { ais: 'ais.bank' } } }, 'urls.perService.ais'],
    ['an address with a user', { urls: { perService: { pis: 'https://a@b' } } }, 'urls.perService.pis'],
    ['no operation', { headers: { accept: { getAcounts: 'text/plain' } } }, 'headers.accept.getAcounts'],
    ['no media type', { headers: { accept: { getBalances: 'json' } } }, 'headers.accept.getBalances'],
    ['an alias of data', { links: { aliases: { more: 'next' } } }, 'links.aliases.more'],
    ['no rate', { limits: { rate: 'often' } }, 'limits.rate'],
    ['no days', { consent: { validDays: 0 } }, 'consent.validDays'],
    ['days as text', { consent: { validDays: '90' } }, 'consent.validDays'],
    ['a day that is none', { meta: { verifiedOn: 'June' } }, 'meta.verifiedOn'],
    ['wrong signing', { signing: { keyId: { issuer: 'x' } } }, 'signing.keyId.issuer'],
  ])('tells %s', async (_, settings, setting) => {
    const { code, errors, findings } = await lint(settings);
    expect({ code, errors, at: findings[0]?.setting }).toEqual({ code: 10, errors: 1, at: setting });
  });

  const on = ['initiatePayment'];
  it.each<[string, object, string, string]>([
    ['a name that is none', { name: 'PSU ID', action: 'forbid' }, 'error', 'not a header name'],
    ['what obk makes', { name: 'x-request-id', action: 'forbid' }, 'error', 'every request has its own'],
    ['an action that is none', { name: 'PSU-ID', action: 'drop' }, 'error', 'require, forbid, default'],
    ['a default of nothing', { name: 'PSU-ID', action: 'default' }, 'error', 'either value or valueFrom'],
    ['a value of what takes none', { name: 'A', action: 'forbid', value: '1' }, 'error', 'Only a default'],
    ['a value that cannot be sent', { name: 'A', action: 'default', value: 'ü' }, 'error', 'non-ASCII'],
    [
      'a secret in place of a reference',
      { name: 'A', action: 'default', valueFrom: 'c4n4ry' },
      'error',
      'reference',
    ],
    [
      'what the standard demands',
      { name: 'PSU-IP-Address', action: 'forbid', operations: on },
      'warning',
      'demands',
    ],
    [
      'what it does not have',
      { name: 'Consent-ID', action: 'require', operations: ['deleteConsent'] },
      'warning',
      'has no',
    ],
    [
      'an operation not offered',
      { name: 'A', action: 'forbid', operations: ['getSigningBasket'] },
      'warning',
      'not used',
    ],
  ])('tells a rule with %s', async (_, rule, severity, text) => {
    const { findings } = await lint({ headers: { rules: [rule] } });
    expect(findings).toHaveLength(1);
    expect(findings[0]?.severity).toBe(severity);
    expect(findings[0]?.text).toContain(text);
    expect(JSON.stringify(findings)).not.toContain('c4n4ry');
  });

  it.each<[string, object, string]>([
    [
      'rules against each other',
      {
        headers: {
          rules: [
            { name: 'PSU-ID', action: 'forbid' },
            { name: 'psu-id', action: 'require', operations: on },
          ],
        },
      },
      'another rule has it as require',
    ],
    [
      'a header that is always signed',
      { signing: { date: { sign: true } }, headers: { rules: [{ name: 'Date', action: 'forbid' }] } },
      'signing.headers',
    ],
  ])('tells %s', async (_, settings, text) => {
    const { code, findings } = await lint(settings);
    expect({ code, text: findings[0]?.text }).toEqual({
      code: 10,
      text: expect.stringContaining(text) as string,
    });
  });

  it('shows the first of thousands of findings, and counts them', async () => {
    const strange = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`x${String(at)}`, 1]));
    const { code, stdout } = await obk(['bank', 'lint', '-'], JSON.stringify(strange));
    expect(code).toBe(10);
    expect(stdout.trim().split('\n')).toHaveLength(51);
    expect(stdout).toContain('1950 more (2000 errors, 0 warnings in all); --json has each');
    expect((await lint(strange)).findings).toHaveLength(2_000);
  });

  it('looks at a profile whose file somebody wrote in, which is not used until it is right', async () => {
    const path = join(home, 'config', 'config.json');
    const kept = await obk(['profile', 'export', 'acme']);
    const { settings } = JSON.parse(kept.stdout) as { settings: object };
    writeFileSync(
      path,
      JSON.stringify({ schemaVersion: 1, profiles: { acme: { ...settings, links: { hots: 'ignore' } } } }),
    );
    expect((await obk(['bank', 'lint', 'acme'])).code).toBe(10);
    const { code, stderr } = await obk(['api', 'GET', 'v1/accounts', '--profile', 'acme']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/links\.hots[^]*obk config unset [^\n]*links\.hots/);
    writeFileSync(
      path,
      JSON.stringify({
        ...{ schemaVersion: 1, environments: 'given', activeProfile: 'acme' },
        profiles: { acme: settings },
      }),
    );
  });
});

interface Explained {
  url: string;
  headers: {
    name: string;
    value: string | null;
    state: string;
    origin: string | null;
    signed: boolean;
    rule: object | null;
  }[];
  links: object;
  rate: unknown;
}

async function explain(operation: string, ...flags: readonly string[]) {
  const explained = await json<Explained>(['bank', 'explain', operation, '--profile', 'acme', ...flags]);
  return { ...explained, of: (name: string) => explained.headers.find((header) => header.name === name) };
}

describe('bank explain', () => {
  it('shows a standard bank', async () => {
    const { url, of, links, rate } = await explain('getTransactionList');
    expect(url).toBe('https://acme.example/v1/accounts/{account-id}/transactions');
    expect(of('Consent-ID')).toMatchObject({ value: '{consentId}', state: 'sent', origin: 'standard' });
    expect(of('Accept')?.value).toContain('application/json, application/xml');
    expect(of('PSU-IP-Address')).toMatchObject({ state: 'absent', need: 'conditional' });
    expect(links).toMatchObject({
      base: 'https://acme.example',
      host: 'strict',
      query: 'verbatim',
      aliases: {},
    });
    expect(rate).toEqual({ calls: 90, windowMs: 60_000 });
  });

  it('says of each header what gives it, what takes it away and what is missing', async () => {
    await edit(
      ...[
        '--psu-id',
        'anna',
        '--service-url',
        'pis=https://pis.acme.example/x/',
        '--rate',
        '10/1s',
        '--links-host',
        'ignore',
      ],
      ...['--header-rule', 'forbid PSU-ID on initiatePayment', '--header-rule', 'default X-Key from env:KEY'],
      ...['--header-rule', 'default User-Agent=acme 1 (x)', '--header-rule', 'require PSU-ID-Type'],
    );
    const { url, of, links, rate } = await explain('initiatePayment');
    expect(url).toBe('https://pis.acme.example/x/v1/{payment-service}/{payment-product}');
    expect(of('PSU-ID')).toMatchObject({ state: 'dropped', origin: 'descriptor' });
    expect(of('PSU-ID')?.rule).toEqual({ name: 'PSU-ID', action: 'forbid', operations: ['initiatePayment'] });
    expect(of('X-Key')).toMatchObject({ value: '[secret]', state: 'sent', origin: 'descriptor' });
    expect(of('User-Agent')).toMatchObject({ value: 'acme 1 (x)', state: 'sent' });
    expect(of('PSU-ID-Type')).toMatchObject({ state: 'missing', origin: 'descriptor' });
    expect(of('PSU-IP-Address')).toMatchObject({ state: 'missing', origin: 'standard' });
    expect(of('Signature')).toMatchObject({ state: 'absent', signed: false });
    expect(links).toMatchObject({
      base: 'https://pis.acme.example/x',
      origins: ['https://acme.example'],
      host: 'ignore',
    });
    expect(rate).toEqual({ calls: 10, windowMs: 1000 });
    const consent = await explain('createConsent');
    expect(consent.url).toBe('https://acme.example/v1/consents');
    expect(consent.of('PSU-ID')).toMatchObject({ value: 'anna', state: 'sent', origin: 'profile' });
    const shown = await obk(['bank', 'explain', 'initiatePayment', '--profile', 'acme']);
    expect(shown.stdout).toMatch(
      /Left out\n {2}PSU-ID {2}descriptor: forbid PSU-ID on initiatePayment, conditional\n/,
    );
  });

  it('names an operation that is meant', async () => {
    expect(await obk(['bank', 'explain', 'initiatePaymnt'])).toMatchObject({ code: 2, stdout: '' });
    expect((await obk(['bank', 'explain', 'initiatePaymnt'])).stderr).toContain('initiatePayment');
    const { code, stderr } = await obk(['bank', 'explain', 'getSigningBasket', '--profile', 'acme']);
    expect(code).toBe(2);
    expect(stderr).toContain('--surface framework');
  });
});

describe('what is said of a bank', () => {
  it.each<[string, string, unknown]>([
    ['meta.verifiedOn', '2026-06-30', '2026-06-30'],
    ['meta.sources', 'a, b', ['a', 'b']],
    ['urls.perService.ais', 'https://ais.example', 'https://ais.example'],
    ['headers.rules', '[{"name":"A","action":"forbid"}]', [{ name: 'A', action: 'forbid' }]],
    ['headers.rules', 'forbid A', [{ name: 'A', action: 'forbid' }]],
    ['headers.accept.getBalances', 'application/xml', 'application/xml'],
    ['links.aliases.weiter', 'authoriseTransaction', 'authoriseTransaction'],
    ['limits.rate', 'off', 'off'],
    ['limits.perOperation.getTransactionList', '4/24h', '4/24h'],
    ['consent.validDays', '90', 90],
    ['requestIdSemantics', 'none', 'none'],
  ])('is set and taken away by its key %s', async (key, text, value) => {
    expect(await json(['config', 'set', key, text])).toEqual({ key, value, profile: 'acme' });
    expect(await json(['config', 'get', key])).toMatchObject({ value, origin: 'profile' });
    await json(['config', 'unset', key]);
    expect((await json(['config', 'get', key])).origin).not.toBe('profile');
  });

  it.each([
    ['--rate', 'often'],
    ['--link-alias', 'next=nowhere'],
    ['--link-alias', 'next'],
    ['--service-url', 'xis=https://x.example'],
    ['--header-rule', 'forget PSU-ID'],
    ['--header-rule', 'forbid PSU-ID on createConsnt'],
    ['--header-rule', 'forbid Digest'],
    ['--header-accept', 'getBalances=nothing'],
    ['--prefix', ''],
    ['--environment', ''],
  ])('is checked by its flag: %s %s', async (flag, text) => {
    const before = await json(['profile', 'show', 'acme']);
    expect(await obk(['profile', 'edit', 'acme', flag, text])).toMatchObject({ code: 2, stdout: '' });
    expect(await json(['profile', 'show', 'acme'])).toEqual(before);
  });

  it('goes by empty values, and so does every setting that has a list of values', async () => {
    const before = await edit('--prefix', '/v1');
    const given = await edit(
      ...['--header-accept', 'getBalances=application/xml', '--link-alias', 'next=authoriseTransaction'],
      ...['--auth-consent', 'token', '--lint-charset', 'error', '--allow-http', 'yes', '--timeout', '5s'],
      ...['--origin', 'https://more.example', '--oauth-issuer', 'https://login.example'],
    );
    expect(given).toMatchObject({ auth: { consent: 'token' }, lint: { charset: 'error' }, allowHttp: true });
    const after = await edit(
      ...[
        '--header-accept',
        'getBalances=',
        '--link-alias',
        'next=',
        '--auth-consent',
        '',
        '--lint-charset',
        '',
      ],
      ...['--allow-http', '', '--timeout', '', '--origin', '', '--oauth-issuer', ''],
    );
    expect(after).toEqual(before);
    expect(await edit('--signing', '')).not.toHaveProperty('signing');
    expect(
      await edit('--header-rule', '', '--rate', '', '--links-host', '', '--service-url', 'pis='),
    ).not.toHaveProperty('urls');
  });

  it('may have no version in its paths', async () => {
    expect(await edit('--prefix', '/')).toMatchObject({ prefix: '' });
    expect((await explain('createConsent')).url).toBe('https://acme.example/consents');
    await edit('--variant', 'v136');
    expect((await explain('createConsent')).url).toBe('https://acme.example/v136/consents');
  });
});
