import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bankTemplates } from '../../../../../src/settings/banks/templates.ts';
import { readDialect } from '../../../../../src/bank/dialect/read-dialect.ts';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-templates-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (line: readonly string[], input = '') => runInside(line, { env, cwd: home, input });

async function json<T = Record<string, unknown>>(line: readonly string[], input?: string): Promise<T> {
  const { code, stdout, stderr } = await obk([...line, '--json'], input);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}

let made = 0;

/** A profile of a bank that is never called; its name. */
async function profile(...flags: readonly string[]): Promise<string> {
  made += 1;
  const name = `p${String(made)}`;
  const usual = flags.includes('--extends')
    ? []
    : ['--base-url', 'https://acme.example', '--environment', 'test', '--signing', 'none'];
  await json(['profile', 'create', name, ...usual, '--psu-ip', '192.0.2.1', ...flags]);
  return name;
}

interface Explained {
  query: { name: string; need: string; origin: string }[];
  forms: { setting: string; value: string }[];
  headers: { name: string; need: string | null; state: string; value: string | null }[];
}
const explain = (operation: string, name: string) =>
  json<Explained>(['bank', 'explain', operation, '--profile', name]);
const namesIn = ({ headers }: Explained) => headers.map(({ name }) => name);

/** What would be sent. */
async function wouldSend(line: readonly string[], input?: string) {
  return json<{ url: string; headers: { name: string; value: string }[]; body: string }>(
    [...line, '--dry-run'],
    input,
  );
}

/** What the profiles of this file, which sign nothing, are warned of. */
const worthAWarning = new Map([
  // Its name for the step with the OTP is that of another link in the standard.
  ['unicredit-group', 'links.aliases.next'],
  // It wants requests for tokens to be signed.
  ['ing', 'auth.token.signed'],
]);

describe('a template of banks', () => {
  it('is listed with what it sets', async () => {
    const rows = await json<{ name: string; sets: string[]; settings: object }[]>(['bank', 'list']);
    const first = rows.find(({ name }) => name === 'adorsys-xs2a');
    const template = bankTemplates.find(({ name }) => name === 'adorsys-xs2a');
    expect(first).toMatchObject({ settings: template?.settings });
    expect(first?.sets).toContain('payments.remittanceStructured');
    expect((await obk(['bank', 'list', '-o', 'name'])).stdout).toBe(
      bankTemplates.map(({ name }) => `${name}\n`).join(''),
    );
  });

  it.each(bankTemplates.flatMap(({ name }) => [[name, 'v1'] as const, [name, 'v136'] as const]))(
    '%s has nothing wrong in %s, and goes to another machine whole',
    async (template, variant) => {
      const name = await profile('--bank', template, '--variant', variant);
      expect(await json(['bank', 'lint', name])).toMatchObject({
        errors: 0,
        findings: worthAWarning.has(template)
          ? [{ severity: 'warning', setting: worthAWarning.get(template) }]
          : [],
      });
      const { stdout } = await obk(['profile', 'export', name]);
      const copy = await json(['profile', 'import', '-', '--name', `${name}-copy`], stdout);
      expect(copy).toEqual({ ...(await json(['profile', 'show', name])), name: `${name}-copy` });
    },
  );

  it.each([
    ['--variant', 'v1', 'service'],
    ['--variant', 'v136', 'service'],
    ['--framework', '1.3.6', 'framework'],
  ])('sets framework and prefix, whatever %s %s says, and stderr reports it', async (flag, value) => {
    const line = ['--base-url', 'https://acme.example', '--environment', 'test', '--signing', 'none'];
    const name = `own-${value.replaceAll('.', '')}`;
    const made = await obk(['profile', 'create', name, ...line, '--bank', 'adorsys-xs2a', flag, value]);
    expect(made.code, made.stderr).toBe(0);
    const its = { framework: '1.3.6', prefix: '/v1', surface: 'framework' };
    expect(await json(['profile', 'show', name])).toMatchObject(its);
    const says = 'The template adorsys-xs2a sets framework 1.3.6 and prefix /v1';
    if (flag === '--variant') expect(made.stderr).toContain(`${says}; --variant ${value} does not change`);
    else expect(made.stderr).not.toContain(says);
    const other = await profile('--variant', value === 'v1' ? 'v1' : 'v136');
    const edited = await obk(['profile', 'edit', other, '--bank', 'adorsys-xs2a', flag, value, '--json']);
    expect(JSON.parse(edited.stdout)).toMatchObject(its);
    if (flag === '--variant') expect(edited.stderr).toContain(says);
  });

  it('gives way to --framework and --prefix', async () => {
    const name = await profile('--bank', 'adorsys-xs2a', '--variant', 'v1', '--prefix', '/psd2/v1');
    expect(await json(['profile', 'show', name])).toMatchObject({ framework: '1.3.6', prefix: '/psd2/v1' });
    const older = await profile('--bank', 'adorsys-xs2a', '--framework', '1.3.2');
    expect(await json(['profile', 'show', older])).toMatchObject({ framework: '1.3.2', prefix: '/v1' });
  });

  it('says what it has met, and nothing where it never met a bank that runs', async () => {
    const rows = await json<{ name: string; met: string | null; settings: { meta: object } }[]>([
      'bank',
      'list',
    ]);
    const met = rows.filter((row) => row.met !== null);
    expect(met.map((row) => [row.name, row.met])).toEqual([['adorsys-xs2a', 'XS2A 14.10, 2026-11']]);
    expect(met[0]?.settings.meta).toMatchObject({ met: { release: 'XS2A 14.10', on: '2026-11' } });
    expect(rows).toHaveLength(17);
    expect((await obk(['bank', 'list'])).stdout).toContain('XS2A 14.10');
    for (const wrong of [{ release: 'X' }, { on: '2026-11' }, { release: 'X', on: '2026-13' }])
      expect((await obk(['bank', 'lint', '-'], JSON.stringify({ meta: { met: wrong } }))).code).not.toBe(0);
  });

  it('is missed after the framework has changed, and leaves nothing of the other one when it is given again', async () => {
    const name = await profile('--bank', 'adorsys-xs2a');
    const before = await json(['profile', 'show', name]);
    await json(['profile', 'edit', name, '--framework', '1.3.2']);
    const { findings } = await json<{ findings: { setting: string }[] }>(['bank', 'lint', name]);
    expect(findings.map(({ setting }) => setting)).toContain('payments.remittanceStructured');
    await json(['profile', 'edit', name, '--bank', 'adorsys-xs2a']);
    expect(await json(['bank', 'lint', name])).toMatchObject({ findings: [] });
    expect(await json(['profile', 'show', name])).toEqual(before);
  });

  it.each([
    [{ framework: '1.3.6', consent: { withBalances: 'plural' } }, 'consent.withBalances'],
    [{ framework: '1.3.6', payments: { redirectOnCancel: true } }, 'payments.redirectOnCancel'],
    [{ payments: { remittanceStructured: 'string' } }, 'payments.remittanceStructured'],
  ])('and what says nothing is told: %j', async (settings, at) => {
    const found = await json<{ errors: number; findings: { setting: string }[] }>(
      ['bank', 'lint', '-'],
      JSON.stringify(settings),
    );
    expect(found).toMatchObject({ errors: 0, findings: [{ setting: at, severity: 'warning' }] });
  });

  it('is judged by its name, unless a profile has that name', async () => {
    expect(await json(['bank', 'lint', 'unicredit-group'])).toMatchObject({
      ...{ of: 'bank', name: 'unicredit-group', errors: 0 },
      findings: [{ setting: 'links.aliases.next' }],
    });
    const flags = ['--base-url', 'https://acme.example', '--environment', 'test', '--psu-ip', '192.0.2.1'];
    await json(['profile', 'create', 'wso2-open-banking', ...flags, '--signing', 'none']);
    expect(await json(['bank', 'lint', 'wso2-open-banking'])).toMatchObject({ of: 'profile' });
  });

  it.each([
    ['lint', 'n27'],
    ['diff', 'n26', 'n27'],
  ])('that is none and no profile is told by bank %s with the nearest', async (command, ...names) => {
    const { code, stderr } = await obk(['bank', command, ...names]);
    expect(code).toBe(3);
    expect(stderr).toContain('There is no profile and no template "n27".');
    expect(stderr).toContain('obk bank lint n26\n');
    expect(stderr).toContain('obk bank lint ./n27 ');
  });

  describe('that a file extends follows the framework of the file', () => {
    const child = { meta: { extends: 'adorsys-xs2a' }, framework: '1.3.6', prefix: '/v1' };
    writeFileSync(join(home, 'child.json'), JSON.stringify(child));
    writeFileSync(join(home, 'older.json'), JSON.stringify({ ...child, framework: '1.3.2' }));
    writeFileSync(join(home, 'grandchild.json'), JSON.stringify({ meta: { extends: 'child.json' } }));
    const v136 = { reports: { paging: 'index' }, payments: { remittanceStructured: 'string' } };
    const v1 = { payments: { plainText: true } };

    it.each<[string, () => Promise<unknown>, object]>([
      ['bank show', () => json(['bank', 'show', 'child.json']), v136],
      ['bank show, further up', () => json(['bank', 'show', 'grandchild.json']), v136],
      ['bank show --framework', () => json(['bank', 'show', 'child.json', '--framework', '1.3.2']), v1],
      ['profile create', async () => json(['profile', 'show', await profile('--bank', 'child.json')]), v136],
      [
        'profile create --framework',
        async () => json(['profile', 'show', await profile('--bank', 'child.json', '--framework', '1.3.2')]),
        v1,
      ],
      ['profile edit', async () => json(['profile', 'edit', await profile(), '--bank', 'child.json']), v136],
      ['the bank inside', async () => (await readDialect(join(home, 'older.json'), undefined)).settings, v1],
      [
        'the bank inside with --framework',
        async () => (await readDialect(join(home, 'older.json'), '1.3.6')).settings,
        v136,
      ],
    ])('%s', async (_, settings, wanted) => {
      const read = (await settings()) as object;
      expect(read).toMatchObject(wanted);
      expect('reports' in read).toBe(wanted === v136);
    });
  });

  it('goes behind a flag of the same command', async () => {
    const name = await profile('--bank', 'adorsys-xs2a', '--variant', 'v136', '--rate', 'off');
    expect(await json(['profile', 'show', name])).toMatchObject({ limits: { rate: 'off' } });
  });

  it('that nobody knows is told with the ones that there are, and a file of its name', async () => {
    writeFileSync(join(home, 'adorsys-xsa'), '{}');
    const line = [
      'profile',
      'create',
      'new',
      '--base-url',
      'https://x.example',
      '--environment',
      'test',
      '--signing',
      'none',
    ];
    const { code, stdout, stderr } = await obk([...line, '--bank', 'adorsys-xsa']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'There is no template "adorsys-xsa"; there are: adorsys-modelbank, adorsys-xs2a,',
    );
    expect(stderr).toContain('--bank adorsys-xs2a\n');
    expect(stderr).toContain('--bank ./adorsys-xsa ');
    expect((await obk([...line, '--bank', './adorsys-xsa'])).code).toBe(0);
  });

  it('wins over a file of its name, which a path names', async () => {
    writeFileSync(join(home, 'adorsys-xs2a'), '{"limits":{"rate":"7"}}');
    writeFileSync(join(home, 'bank.json'), '{"limits":{"rate":"8"}}');
    const shown = async (bank: string) => json(['profile', 'show', await profile('--bank', bank)]);
    expect(await shown('adorsys-xs2a')).not.toHaveProperty('limits');
    expect(await shown('./adorsys-xs2a')).toMatchObject({ limits: { rate: '7' } });
    expect(await shown('bank.json')).toMatchObject({ limits: { rate: '8' } });
    const missing = await obk(['profile', 'create', 'x', '--bank', 'none.json']);
    expect(missing.stderr).toContain('none.json');
  });
});

describe('a bank that has what the framework has not', () => {
  it('is explained with it', async () => {
    const plain = await profile();
    const own = ['--set', 'consent.withBalances=plural', '--set', 'payments.redirectOnCancel=yes'];
    const v1 = await profile(...own, '--redirect-uri', 'https://tpp.example/back');
    const redirect = (explained: Explained) =>
      explained.headers.find(({ name }) => name === 'TPP-Redirect-URI');
    expect(redirect(await explain('cancelPayment', v1))).toMatchObject({
      ...{ state: 'sent', origin: 'descriptor', need: null },
      value: 'https://tpp.example/back',
    });
    expect(redirect(await explain('cancelPayment', plain))).toBeUndefined();
    expect((await explain('createConsent', plain)).forms).toEqual([]);
    expect((await explain('createConsent', v1)).forms).toEqual([
      { setting: 'consent.withBalances', value: 'plural' },
    ]);
    const shown = await obk(['bank', 'explain', 'createConsent', '--profile', v1]);
    expect(shown.stdout).toMatch(/consent\.withBalances +plural\n/);
    const v136 = await profile('--bank', 'adorsys-xs2a', '--variant', 'v136');
    const added = (await explain('getTransactionList', v136)).query.filter(
      ({ origin }) => origin !== 'standard',
    );
    expect(added.map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      'pageIndex descriptor',
      'itemsPerPage descriptor',
    ]);
    const names = namesIn(await explain('createConsent', v136));
    expect(new Set(names).size).toBe(names.length);
    expect((await explain('initiatePayment', v136)).forms.map(({ setting }) => setting)).toEqual([
      'payments.members',
      'payments.remittanceStructured',
      'payments.plainText',
    ]);
  });

  it.each([
    ['consent.withBalances', 'plural', 'plural'],
    ['payments.members', 'purposeCode,chargeBearer', ['purposeCode', 'chargeBearer']],
    ['payments.remittanceStructured', 'string', 'string'],
    ['payments.redirectOnCancel', 'yes', true],
    ['payments.plainText', 'no', false],
    ['reports.paging', 'index', 'index'],
  ])('is said by the key %s alone', async (key, text, value) => {
    const name = await profile();
    const at = ['--profile', name];
    expect(await json(['config', 'set', key, text, ...at])).toMatchObject({ key, value });
    expect(await json(['config', 'get', key, ...at])).toMatchObject({ value, origin: 'profile' });
    await json(['config', 'unset', key, ...at]);
    expect(await json(['profile', 'show', name])).not.toHaveProperty(key.split('.')[0] ?? '');
    expect((await obk(['config', 'set', key, 'nonsense', ...at])).code).toBe(2);
  });

  it('keeps a source with commas whole', async () => {
    const meta = { sources: ['the portal, chapter 3', 'b'] };
    writeFileSync(join(home, 'meta.json'), JSON.stringify({ meta }));
    expect(await json(['profile', 'show', await profile('--bank', 'meta.json')])).toMatchObject({ meta });
  });
});

const sepa = [
  ...['payment', 'init', '--product', 'sepa-credit-transfers', '--debtor', 'DE65990010000000002443'],
  ...['--creditor-name', 'Shop', '--creditor-account', 'DE89370400440532013000', '--amount', '1.00'],
];

/** The template, with a certificate for the header that it requires. */
const xs2a = ['--bank', 'adorsys-xs2a', '--header-rule', 'default tpp-qwac-certificate=MII'];

describe('what is sent to it', () => {
  it('has the certificate of the TPP in the header that the software requires', async () => {
    const none = await obk([...sepa, '--dry-run', '--profile', await profile('--bank', 'adorsys-xs2a')]);
    expect(none.code).toBe(3);
    expect(none.stderr).toContain('requires tpp-qwac-certificate with initiatePayment');
    expect(none.stderr).toContain('--tls-certificate FILE --tls-key FILE');
    await json(['cert', 'create', '--type', 'qwac', '--org-id', 'PSDDE-BAFIN-123456', '--dir', 'qwac']);
    const files = ['--tls-certificate', 'qwac/qwac.pem', '--tls-key', 'qwac/qwac-key.pem'];
    const own = await profile('--bank', 'adorsys-xs2a', ...files);
    const { url, headers } = await wouldSend([...sepa, '--profile', own]);
    expect(url).toContain('/v1/payments/');
    const value = headers.find(({ name }) => name === 'tpp-qwac-certificate')?.value ?? '';
    expect(value).toMatch(/^-----BEGIN CERTIFICATE-----MI[A-Za-z0-9+/=]+-----END CERTIFICATE-----$/);
    expect(namesIn(await explain('getAccountList', own))).toContain('tpp-qwac-certificate');
  });

  it.each([
    ['v1', { reference: 'RF18539007547034', referenceType: 'SCOR', referenceIssuer: 'ISO' }],
    ['v136', 'RF18539007547034'],
  ] as const)('a structured reference in %s is written as it has it', async (variant, written) => {
    const line = [...sepa, '--creditor-reference', 'RF18539007547034', '--profile'];
    const plain = await obk([...line, await profile('--variant', variant), '--dry-run', '--json']);
    expect(plain.code).toBe(2);
    expect(plain.stderr).toContain(
      '--creditor-reference: sepa-credit-transfers has no remittanceInformationStructured',
    );
    const members = ['--set', 'payments.members=remittanceInformationStructured'];
    const form = variant === 'v1' ? [...members, '--set', 'payments.remittanceStructured=object'] : xs2a;
    const request = await wouldSend([...line, await profile(...form)]);
    expect(JSON.parse(request.body)).toMatchObject({ remittanceInformationStructured: written });
  });

  it('a reference is too long for an object, or for a text', async () => {
    const long = ['--creditor-reference', 'R'.repeat(36), '--dry-run', '--profile'];
    const object = [
      'payments.members=remittanceInformationStructured',
      'payments.remittanceStructured=object',
    ];
    const v1 = await obk([...sepa, ...long, await profile(...object.flatMap((one) => ['--set', one]))]);
    expect(v1.code).toBe(2);
    expect(v1.stderr).toContain('--creditor-reference');
    expect((await obk([...sepa, ...long, await profile(...xs2a)])).code).toBe(0);
  });

  it('a reference in pain.001 stands where the standard has it, and a wrong one is told the right digits', async () => {
    const line = sepa.map((word) => (word === 'sepa-credit-transfers' ? `pain.001-${word}` : word));
    const named = [...line, '--debtor-name', 'Payer Ltd', '--profile', await profile()];
    const request = await wouldSend([...named, '--creditor-reference', 'rf18 5390 0754 7034']);
    expect(request.body).toContain(
      '<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry><Issr>ISO</Issr></Tp>' +
        '<Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf>',
    );
    const wrong = await obk([...named, '--creditor-reference', 'RF81539007547034', '--dry-run']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('its check digits are 81, and 18 would be right');
  });

  it.each([
    ['plain text', ':20:REF\r\n:32A:261122EUR1,00\r\n', 'text/plain'],
    ['JSON', ' {"a":1}', 'application/json'],
    ['XML', '<Document/>', 'application/xml'],
  ])('a payment of a product of its own may be %s', async (_, body, media) => {
    const line = ['api', 'POST', 'v1/payments/local-transfers', '--input', '-', '--profile'];
    const typeOf = async (name: string) => {
      const request = await wouldSend([...line, name], body);
      expect(request.body).toBe(body);
      return request.headers.find((one) => one.name === 'Content-Type')?.value;
    };
    expect(await typeOf(await profile(...xs2a))).toBe(media);
    const usual = media === 'text/plain' ? 'application/json' : media;
    expect(await typeOf(await profile())).toBe(usual);
  });

  it('the size of a page, which the interface does not have', async () => {
    const line = ['transactions', 'list', '--account', 'a', '--consent', 'c-1234567', '--page-size', '50'];
    const name = await profile(...xs2a);
    const request = await wouldSend([...line, '--profile', name]);
    expect(new URL(request.url).searchParams.get('itemsPerPage')).toBe('50');
    expect(new URL(request.url).searchParams.get('pageIndex')).toBe('0');
    const refused = await obk([...line, '--profile', await profile(), '--dry-run']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('obk config set reports.paging index --profile');
  });
});
