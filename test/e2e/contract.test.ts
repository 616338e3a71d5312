import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insideOf } from '../helpers/inside.ts';
import { createObkWithKeys, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

let obk: Obk;
beforeAll(async () => {
  obk = await createObkWithKeys();
});
afterAll(() => {
  obk.close();
});

const pay = ['payment', 'init', ...shop, '--profile', 'sandbox'];

describe('nobody is there', () => {
  it('an open, silent stdin hangs nothing: everything missing is named', async () => {
    const { code, stdout, stderr } = await obk.run(['payment', 'init'], { open: true });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('✗ Missing: --product, --creditor-name, --creditor-account, --amount.\n');
  });

  it('an open stdin does not keep a finished command alive', async () => {
    expect((await obk.run(['payment', 'list'], { open: true })).code).toBe(0);
    expect((await obk.run([...pay, '--amount', '1.00', '--json'], { open: true })).code).toBe(0);
  });
});

describe('bad input', () => {
  it.each<[string, string[], string]>([
    [
      'an unknown product',
      ['--product', 'sepa-credit-transfer', '--amount', '1.00'],
      '--product sepa-credit-transfers',
    ],
    [
      'a wrong check digit',
      ['--creditor-account', 'DE89370400440532013001', '--amount', '1.00'],
      '--creditor-account "DE89370400440532013001"',
    ],
    ['a comma', ['--amount', '1,00'], '--amount "1,00"'],
    ['an exponent', ['--amount', '1e3'], '--amount "1e3"'],
    ['a negative amount', ['--amount', '-5'], '--amount "-5"'],
    ['three decimals', ['--amount', '1.000'], '--amount "1.000"'],
    ['nothing', ['--amount', '0.00'], '--amount "0.00"'],
    ['two faults at once', ['--amount', 'x', '--currency', 'E1'], '--currency "E1"'],
    ['an endless text', ['--amount', '1.00', '--remittance', 'x'.repeat(141)], '--remittance'],
    ['a missing file', ['--input', 'none.json'], 'none.json'],
    ['--input with fields', ['--input', 'x.json', '--amount', '1.00'], '--amount'],
    [
      'a broken reference',
      ['--amount', '1.00', '--psu-id', 'embedded-one', '--psu-password-from', 'hunter2'],
      '--psu-password-from takes a reference',
    ],
  ])('%s', async (_, args, text) => {
    const lead = args.includes('--input')
      ? ['payment', 'init', '--product', 'sepa-credit-transfers', '--profile', 'sandbox']
      : pay;
    const { code, stdout, stderr } = await insideOf(obk).run([...lead, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('✗ ');
    expect(stderr).toContain(text);
    expect(stderr).not.toMatch(/ {4}at |hunter2/);
  });

  it('sends nothing', async () => {
    expect(await obk.json(['pending', 'list', '--profile', 'sandbox'])).toEqual([
      expect.objectContaining({ amount: '1.00' }),
    ]);
  });
});

describe('profiles', () => {
  const files = () => {
    writeFileSync(join(obk.folder, 'cert.pem'), 'x');
    writeFileSync(join(obk.folder, 'key.pem'), 'x');
  };

  it('are created, shown, used, edited and deleted', async () => {
    files();
    const create = [
      'profile',
      'create',
      'acme',
      '--base-url',
      'https://api.acme.example/psd2/',
      '--variant',
      'v136',
    ];
    const made = await obk.json([
      ...create,
      '--certificate',
      'cert.pem',
      '--key',
      'key.pem',
      '--environment',
      'production',
      '--no-check',
    ]);
    expect(made).toEqual({
      name: 'acme',
      environment: 'production',
      framework: '1.3.6',
      prefix: '/v136',
      surface: 'service',
      baseUrl: 'https://api.acme.example/psd2',
      certificate: join(obk.folder, 'cert.pem'),
      key: join(obk.folder, 'key.pem'),
    });
    expect(
      (await obk.json(['profile', 'list'])).map((row: { name: string; active: boolean }) => [
        row.name,
        row.active,
      ]),
    ).toEqual([
      ['acme', true],
      ['sandbox', false],
    ]);
    await obk.json(['profile', 'edit', 'acme', '--debtor', 'de89 3704 0044 0532 0130 00', '--psu-id', 'p']);
    expect(await obk.json(['profile', 'show', 'acme'])).toMatchObject({
      debtor: 'DE89370400440532013000',
      psu: { id: 'p' },
    });
    await obk.json(['profile', 'edit', 'acme', '--debtor', '', '--psu-id', '']);
    expect(await obk.json(['profile', 'show'])).toEqual(made);
    expect((await obk.run([...create, '--signing', 'none'])).code).toBe(2);
    expect((await obk.run(['profile', 'delete', 'acme'])).code).toBe(2);
    expect(await obk.json(['profile', 'delete', 'acme', '--yes'])).toMatchObject({ wasActive: true });
    expect((await obk.run(['profile', 'show', 'acme'])).code).toBe(3);
  });

  it.each<[string, string[], number, string]>([
    [
      'a path as a name',
      ['create', '../x', '--base-url', 'https://a.example', '--environment', 'test', '--signing', 'none'],
      2,
      'cannot be the name',
    ],
    [
      'capitals',
      ['create', 'Acme', '--base-url', 'https://a.example', '--environment', 'test', '--signing', 'none'],
      2,
      'cannot be the name',
    ],
    ['the built-in one', ['edit', 'sandbox', '--debtor', ''], 2, 'is built in'],
    ['an unknown one', ['use', 'sandbax'], 3, 'obk profile show sandbox'],
    ['a prototype', ['show', 'constructor'], 3, 'There is no profile'],
    [
      'a secret as a reference',
      [
        'create',
        'a',
        '--base-url',
        'https://a.example',
        '--environment',
        'test',
        '--signing',
        'none',
        '--otp-from',
        '123456',
      ],
      2,
      'takes a reference',
    ],
    ['no address', ['create', 'a', '--base-url', 'acme', '--signing', 'none'], 2, '--base-url takes'],
    ['nothing to change', ['edit', 'a'], 2, 'Nothing to change'],
  ])('%s', async (_, args, exit, text) => {
    const { code, stdout, stderr } = await obk.run(['profile', ...args]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(text);
    expect(stderr).not.toContain('123456');
  });

  it('a missing key file, a bank that is down, and a wrong environment', async () => {
    const create = [
      'profile',
      'create',
      'down',
      '--base-url',
      'https://127.0.0.1:1',
      '--psu-ip',
      '127.0.0.1',
    ];
    await obk.json([
      ...create,
      '--certificate',
      'missing.pem',
      '--key',
      'missing.key',
      '--debtor',
      'DE89370400440532013000',
      '--no-check',
    ]);
    const down = ['payment', 'init', ...shop, '--amount', '1.00', '--profile', 'down'];
    expect(await obk.run(down)).toMatchObject({ code: 3, stdout: '' });
    await obk.json(['profile', 'edit', 'down', '--signing', 'none']);
    const refused = await obk.run([...down, '--json']);
    expect(refused).toMatchObject({ code: 7, stdout: '' });
    expect(JSON.parse(refused.stderr).error).toMatchObject({ code: 'NOT_SENT', exitCode: 7 });
    expect(await obk.run([...down, '--require-environment', 'production'])).toMatchObject({
      code: 3,
      stdout: '',
    });
    await obk.json(['profile', 'edit', 'down', '--environment', 'production']);
    const gate = await obk.run(down);
    expect(gate).toMatchObject({ code: 2, stdout: '' });
    expect(gate.stderr).toContain('--confirm down');
    expect((await obk.run([...down, '--confirm', 'other'])).code).toBe(2);
    expect((await obk.run([...down, '--confirm', 'down'])).code).toBe(7);
    await obk.json(['profile', 'delete', 'down', '--yes']);
  });

  it('without a person nobody falls into the bank inside by accident', async () => {
    await obk.json([
      'profile',
      'create',
      'one',
      '--base-url',
      'https://a.example',
      '--environment',
      'test',
      '--signing',
      'none',
    ]);
    await obk.json([
      'profile',
      'create',
      'two',
      '--base-url',
      'https://a.example',
      '--environment',
      'test',
      '--signing',
      'none',
    ]);
    await obk.json(['profile', 'delete', 'one', '--yes']);
    expect(await obk.run(['payment', 'list'])).toMatchObject({ code: 3, stdout: '' });
    await obk.json(['profile', 'delete', 'two', '--yes']);
    const pointed = await obk.run(['payment', 'list'], { env: { OBK_BASE_URL: 'https://a.example' } });
    expect(pointed).toMatchObject({ code: 3, stdout: '' });
    expect((await obk.run(['payment', 'list'])).code).toBe(0);
  });
});

describe('signals', () => {
  it('SIGINT says what is left behind, and is exit 130', async () => {
    const child = obk.start([...pay, '--amount', '9.00', '--wait', '--json']);
    let err = '';
    child.stderr!.on('data', (chunk) => {
      const before = err.includes('Open this link');
      err += String(chunk);
      if (!before && err.includes('Open this link')) child.kill('SIGINT');
    });
    const code = await new Promise((done) => child.once('close', done));
    expect(code).toBe(130);
    const last = err.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last).error).toMatchObject({
      code: 'INTERRUPTED',
      resource: { paymentId: expect.any(String) },
      next: expect.stringMatching(/^obk payment (authorise|status) /),
    });
  });

  it('SIGTERM is exit 143', async () => {
    const child = obk.start([...pay, '--amount', '9.10', '--wait']);
    child.stderr!.on('data', (chunk) => {
      if (String(chunk).includes('Open this link')) child.kill('SIGTERM');
    });
    expect(await new Promise((done) => child.once('close', done))).toBe(143);
  });

  it('the bank on its own ends with Ctrl-C, having told where it is', async () => {
    const child = obk.start(['sandbox', 'start', '--port', '0', '--database', ':memory:', '--json']);
    let out = '';
    child.stdout!.on('data', (chunk) => {
      out += String(chunk);
      if (out.includes('\n')) child.kill('SIGINT');
    });
    expect(await new Promise((done) => child.once('close', done))).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      embedded: false,
    });
  });
});

describe('odd surroundings', () => {
  it('work that nothing waits for any more is no silent success', () => {
    const preload = join(obk.folder, 'deaf.cjs');
    writeFileSync(preload, 'process.stdout.write = () => true;');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--require', preload, 'bin/obk.js', 'profile', 'list'],
      { env: obk.env, encoding: 'utf8', timeout: 10_000 },
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('✗ obk stopped before its work was done.');
  });

  it('a home that cannot be written to: what only reads still runs', async () => {
    const locked = join(obk.home, 'locked');
    mkdirSync(locked, { mode: 0o500 });
    const env = { HOME: locked, XDG_CONFIG_HOME: join(locked, 'c'), XDG_STATE_HOME: join(locked, 's') };
    expect((await obk.run(['profile', 'list'], { env })).code).toBe(0);
    expect((await obk.run(['payment', 'list', '--profile', 'sandbox'], { env })).code).toBe(0);
  });

  it('a narrow terminal and a poor locale', async () => {
    const { code, stdout } = await obk.run(['sandbox', 'people', '-o', 'table'], {
      env: { COLUMNS: '20', LANG: 'C' },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('PSU-ID');
  });

  it('`--` ends the flags', async () => {
    const { code, stderr } = await obk.run(['payment', 'get', '--profile', 'sandbox', '--', '--json']);
    expect(code).toBe(2);
    expect(stderr).toContain('No payment --json was started');
  });
});
