import { accountBank } from '../commands/account-bank.ts';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { helpTexts } from '../../../../src/cli/program/pages.ts';
import { memoryResources, memorySettings, memoryStore } from '../../../helpers/fakes/index.ts';
import { program, sink } from '../../../helpers/program.ts';

const profile = { environment: 'test', framework: '1.3.2', prefix: '/v1', surface: 'service' } as const;

describe('usage errors', () => {
  it.each<[string, string, string]>([
    ['payment get', 'Missing ID.', 'obk payment get --help'],
    ['payment get a b', 'obk payment get takes one word after it; there are 2.', 'obk payment get --help'],
    ['payment list a b', 'obk payment list takes no word after it; there are 2.', 'obk payment list --help'],
    ['payment get x --josn', 'obk payment get has no flag --josn.', '--json'],
    ['payment init --amout 1', 'obk payment init has no flag --amout.', '--amount'],
    ['payment get --product', '--product needs a value.', 'obk payment get --help'],
    ['payment init --creditor-iban x', 'obk payment init has no flag', '--creditor-account IBAN'],
    [
      'payment init --creditor x',
      'obk payment init has no flag',
      '--creditor-account IBAN --creditor-name NAME',
    ],
    ['sandbox start --open=false', '--open takes no value.', 'obk sandbox start --help'],
    ['payment list --to x', 'obk payment list has no flag --to.', 'obk payment list --help'],
    ['transactions list --from x', 'obk transactions list has no flag --from.', '--date-from DATE'],
    ['transactions list --to x', 'obk transactions list has no flag --to.', '--date-to DATE'],
    ['transactions list --since x', 'obk transactions list has no flag --since.', '--date-from DATE'],
    ['payment init --from x', 'obk payment init has no flag --from.', '--debtor IBAN'],
    ['consent create --from x', 'obk consent create has no flag --from.', 'obk consent create --help'],
    ['log list -n 5', 'obk log list has no flag -n.', '--limit N'],
    ['payment report', 'obk payment has no command "report".', 'obk report'],
    ['payment get x --xyzzy', 'obk payment get has no flag --xyzzy.', 'obk payment get --help'],
    ['version --color alwys', '--color takes auto, always, never; not "alwys".', '--color always'],
    [
      'version -o jsn',
      '--as takes table, wide, tsv, csv, json, ndjson, yaml, name, html; not "jsn".',
      '--as json',
    ],
    [
      'journey run pay-redirect --profiles ,',
      '--profiles takes names with commas between them, such as A,B; not ",".',
      '',
    ],
    ['journey run pay-redirect --profiles a,,b', '--profiles takes names with commas between them', ''],
    ['log list --limit 0', '--limit takes a number from 1 to 100000; not "0".', ''],
    ['log show x --print xyz', '--print takes letters of HBhbm; not "xyz".', '--print hb'],
    ['payment status x --timeout soon', '--timeout takes a duration such as 30s or 2m; not "soon".', ''],
    ['sandbox fault add initiatePayment htm', 'KIND takes drop-before,', 'html'],
    ['--josn', 'obk has no flag --josn.', '--json'],
    ['payment --profile x', 'obk payment needs a command.', 'obk payment init'],
    ['payment log', 'obk payment has no command "log".', 'obk log list'],
    ['payment accounts', 'obk payment has no command "accounts".', 'obk accounts'],
    ['paymnt', 'obk has no command "paymnt".', 'obk payment'],
    ['login', 'obk has no command "login".', 'obk auth login'],
    ['pay', 'obk has no command "pay".', 'obk payment init'],
    ['payment ls', 'obk payment has no command "ls".', 'obk payment list'],
    ['payment authorize', 'obk payment has no command "authorize".', 'obk payment authorise'],
    ['consent rm', 'obk consent has no command "rm".', 'obk consent delete'],
    ['payment list --format json', 'obk payment list has no flag --format.', '-o json'],
    ['payment list --format=json', 'obk payment list has no flag --format', '-o json'],
    ['profile list --use x', 'obk profile list has no flag --use.', 'obk profile use NAME'],
    ['sandbox status --name acme', 'obk sandbox status has no flag --name.', '--at NAME'],
    ['payment init --otp=123456', 'obk payment init has no flag --otp.', '--otp-from REF'],
    ['payment statsu', 'obk payment has no command "statsu".', 'obk payment status'],
  ])('%s', async (line, title, tries) => {
    const { code, stdout, stderr } = await program(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toContain(`✗ ${title}`);
    if (tries !== '') expect(stderr.replace(/ {3}#.*$/gm, '')).toContain(`  Try:  ${tries}\n`);
  });

  it('are one JSON object where JSON is asked for, even when the line cannot be parsed', async () => {
    for (const asked of ['--json', '--fields a', '-o json', '-ojson', '--as=ndjson']) {
      const { code, stdout, stderr } = await program(`payment get x --wrong ${asked}`);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'USAGE', exitCode: 2 } });
    }
  });

  it('name all that is missing at once', async () => {
    const { code, stderr } = await program('profile create');
    expect(code).toBe(2);
    expect(stderr).toContain('✗ Missing: NAME, --base-url, --certificate (or --signing none), --key.\n');
  });
});

describe('where output goes', () => {
  it('a result goes to stdout, and nothing else does', async () => {
    expect(await program('version')).toMatchObject({ code: 0, stdout: '1.2.3\n', stderr: '' });
    expect(await program('--version --json')).toMatchObject({ code: 0, stdout: '{"version":"1.2.3"}\n' });
    expect(await program('version', { stdout: sink({ isTTY: true }) })).toMatchObject({ stdout: '1.2.3\n' });
    expect((await program('version --json', { stdout: sink({ isTTY: true }) })).stdout).toBe(
      '{\n  "version": "1.2.3"\n}\n',
    );
  });

  it('a noun alone is its page on stderr', async () => {
    const texts = await helpTexts();
    expect(await program('payment')).toMatchObject({ code: 2, stdout: '', stderr: texts['payment']!.text });
    expect(await program('')).toMatchObject({ code: 2, stdout: '', stderr: texts['']!.text });
    expect(await program('payment --help')).toMatchObject({ code: 0, stdout: texts['payment']!.text });
    expect(await program('help payment init')).toMatchObject({
      code: 0,
      stdout: texts['payment init']!.text,
    });
  });

  const store = () =>
    memoryStore({
      activeProfile: 'a',
      profiles: { a: { ...profile, baseUrl: 'https://a.example' }, b: profile },
    });

  it.each<[string, string]>([
    [
      '',
      'true\ta\ttest\thttps://a.example\t1.3.2\t/v1\tservice\t\t\nfalse\tb\ttest\t\t1.3.2\t/v1\tservice\t\t\n',
    ],
    ['-o name', 'a\nb\n'],
    [
      '-o csv',
      'active,name,environment,baseUrl,framework,prefix,surface,extends,error\r\ntrue,a,test,https://a.example,1.3.2,/v1,service,,\r\n',
    ],
    ['--fields name,baseUrl', '[{"name":"a","baseUrl":"https://a.example"},{"name":"b","baseUrl":null}'],
    ['-o csv --fields name,extends', 'name,extends\r\na,\r\nb,\r\n'],
    ['-o ndjson --fields name', '{"name":"a"}\n{"name":"b"}\n'],
    ['-o table', 'ACTIVE  NAME     ENVIRONMENT  BASE URL           FRAMEWORK  PREFIX\n'],
  ])('a list with %s', async (how, start) => {
    const { code, stdout } = await program(`profile list ${how}`, { ports: { ...store() } });
    expect(code).toBe(0);
    expect(stdout.slice(0, start.length)).toBe(start);
  });

  it('an empty list says so to a person, and is an empty array to a script', async () => {
    const terminal = { stdout: sink({ isTTY: true }), stderr: sink({ isTTY: true }) };
    const { stdout, stderr } = await program('payment list', terminal);
    expect({ stdout, stderr: stderr.split('\n')[0] }).toEqual({
      stdout: '',
      stderr: 'No payment of the profile sandbox is known by an id yet.',
    });
    expect((await program('payment list --json')).stdout).toBe('[]\n');
  });

  it('next steps are for people who want them', async () => {
    const tty = () => ({ stdout: sink({ isTTY: true }), stderr: sink({ isTTY: true }) });
    expect((await program('payment list', tty())).stderr).toContain('Next:  ');
    expect((await program('payment list -q', tty())).stderr).toBe('');
  });

  it.each([
    ['payment list', true],
    ['payment list -o table', true],
    ['payment list -q', false],
    ['payment list -o tsv', false],
    ['payment list -o csv', false],
    ['payment list -o name', false],
    ['payment list --json', false],
    ['payment list --jq .', false],
    ['payment list --fields paymentId', false],
    ['payment list -o ndjson', false],
    ['payment list -o yaml', false],
    ['api --list --variant v1', true],
    ['api --list --variant v1 --json', false],
  ])('without a terminal people have the next step on one line: %s, %j', async (line, isShown) => {
    const { stdout, stderr } = await program(line);
    expect(stderr).toMatch(isShown ? /^Next: {2}obk \S.*\n$/ : /^$/);
    expect(stdout).not.toContain('Next:');
  });

  it('a next step runs as it is printed', async () => {
    const tty = () => ({ stdout: sink({ isTTY: true }), stderr: sink({ isTTY: true }) });
    expect((await program('api --list --variant v1', tty())).stderr).toContain(
      'Next:  obk explain initiatePayment',
    );
    const bank = await accountBank();
    const made = {
      body: { accounts: [{ resourceId: 'a', iban: 'DE89370400440532013000', currency: 'EUR' }] },
    };
    bank.http.expect('GET', '/v1/accounts', made);
    const terminal = { stdout: sink({ isTTY: true }), stderr: sink({ isTTY: true }), ports: bank };
    expect((await program('accounts', terminal)).stderr).toContain(
      'Next:  obk transactions list --account DE89370400440532013000',
    );
    const { store } = bank;
    await store.settings.update((before) => ({
      ...before,
      profiles: { ...before.profiles, beta: before.profiles['acme']! },
    }));
    for (const [name, next] of [
      ['acme', 'Next:  obk profile use beta'],
      ['beta', 'Next:  obk profile create'],
    ] as const) {
      await store.settings.update((before) => ({ ...before, activeProfile: name }));
      const deleted = await program(`profile delete ${name} --yes`, { ...tty(), ports: bank });
      expect(deleted.stderr).toContain(next);
    }
  });

  it('-q hides notices, -qq errors too', async () => {
    expect((await program('payment get')).stderr).not.toBe('');
    expect((await program('payment get -qq')).stderr).toBe('');
  });
});

describe('colours', () => {
  // eslint-disable-next-line no-control-regex
  const coloured = /\u001b\[/;

  it.each<[string, string, Record<string, string>, { out: boolean; err: boolean }]>([
    ['both are watched', '', {}, { out: true, err: true }],
    ['NO_COLOR', '', { NO_COLOR: '1' }, { out: false, err: false }],
    ['NO_COLOR beside FORCE_COLOR', '', { NO_COLOR: '1', FORCE_COLOR: '1' }, { out: false, err: false }],
    ['--color always before NO_COLOR', '--color always', { NO_COLOR: '1' }, { out: true, err: true }],
    ['--color never before FORCE_COLOR', '--color never', { FORCE_COLOR: '1' }, { out: false, err: false }],
    ['TERM=dumb', '', { TERM: 'dumb' }, { out: false, err: false }],
    ['CLICOLOR=0', '', { CLICOLOR: '0' }, { out: false, err: false }],
  ])('%s', async (_, flags, env, { out, err }) => {
    const tty = () => ({ stdout: sink({ isTTY: true }), stderr: sink({ isTTY: true }), env });
    expect(coloured.test((await program(`explain ACSC ${flags}`, tty())).stdout)).toBe(out);
    expect(coloured.test((await program(`payment get ${flags}`, tty())).stderr)).toBe(err);
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['none into a pipe', {}, false],
    ['FORCE_COLOR', { FORCE_COLOR: '1' }, true],
    ['CLICOLOR_FORCE', { CLICOLOR_FORCE: '1' }, true],
  ])('each stream is decided apart: %s', async (_, env, out) => {
    const beside = { stdout: sink(), stderr: sink({ isTTY: true }), env };
    expect(coloured.test((await program('explain ACSC', beside)).stdout)).toBe(out);
    const error = { stdout: sink({ isTTY: true }), stderr: sink(), env };
    expect(coloured.test((await program('payment get', error)).stderr)).toBe(out);
  });

  it('there is none in JSON', async () => {
    const watched = { stdout: sink({ isTTY: true }), env: { FORCE_COLOR: '3' } };
    expect(coloured.test((await program('explain ACSC --json', watched)).stdout)).toBe(false);
  });
});

describe('streams that fail', () => {
  it('a reader that has gone is no failure', async () => {
    expect(await program('version', { stdout: sink({ fail: 'EPIPE' }) })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it('lost output is exit 1', async () => {
    const { code, stderr } = await program('version', { stdout: sink({ fail: 'ENOSPC' }) });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '✗ The output could not be written: ENOSPC\n' });
  });
});

it('a bug is exit 1 without a stack, unless it is asked for', async () => {
  const settings = { ...memorySettings(), read: () => Promise.reject(new TypeError('boom')) };
  const plain = await program('profile list', { ports: { settings } });
  expect(plain).toMatchObject({ code: 1, stdout: '' });
  expect(plain.stderr).toContain('TypeError: boom');
  expect(plain.stderr).not.toContain('    at ');
  expect((await program('profile list --debug', { ports: { settings } })).stderr).toContain('    at ');
});

it('a document that no text can hold names the way that can', async () => {
  // As V8 says it of a text of more than 512 MiB, without making one.
  const row = {
    toJSON: () => {
      throw new RangeError('Invalid string length');
    },
  };
  const batch = { length: 1, slice: () => batch, map: () => [row] };
  const resources = {
    ...memoryResources(),
    batches: () => Promise.resolve([batch] as never),
  };
  const { code, stdout, stderr } = await program('payment list --jq length', { ports: { resources } });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 'OUTPUT_LOST', hint: [expect.stringContaining('-o ndjson') as string] },
  });
});

it('a list that breaks off keeps its whole rows and is no success', async () => {
  const resources = {
    ...memoryResources(),
    batches: () => Promise.resolve(saved() as never),
  };

  async function* saved() {
    yield [{ id: 'one' }];
    throw new ObkError({ code: 'STATE_UNREADABLE', title: 'A file is damaged.' });
  }
  const { code, stdout, stderr } = await program('payment list -o name', { ports: { resources } });
  expect({ code, stdout }).toEqual({ code: 3, stdout: 'one\n' });
  expect(stderr).toContain('✗ A file is damaged.\n  The list broke off after 1 rows.');
  const json = (await program('payment list --json', { ports: { resources } })).stdout;
  expect(json).toMatch(/^\[\{"paymentId":"one"[^\]]*\}$/);
});

describe('help pages', () => {
  it('fit 80 columns, and lead with usage and examples', async () => {
    const texts = Object.entries(await helpTexts());
    expect(texts.length).toBeGreaterThan(40);
    for (const [path, { text, runs }] of texts) {
      for (const line of text.split('\n'))
        expect(`${path}: ${line}`.length).toBeLessThanOrEqual(`${path}: `.length + 80);
      if (runs && !path.startsWith('help ')) expect(text).toMatch(/^USAGE\n {2}obk /m);
    }
  });

  it('of a noun that runs alone has the flags of the command that it runs', async () => {
    const texts = await helpTexts();
    expect(texts['accounts']?.text).toMatch(
      /^ {2}obk accounts \[flags\] {3}# the same as obk accounts list$/m,
    );
    expect(texts['transactions']?.text).toMatch(/^ {6}--booking-status STATUS/m);
    expect(texts['payment']?.text).not.toContain('the same as');
  });

  it('name their commands in the tree', async () => {
    const texts = await helpTexts();
    expect(texts['sandbox psu']).toMatchObject({ subcommands: ['approve', 'refuse', 'revoke'], runs: false });
    expect(texts['help']).toMatchObject({ runs: true });
  });
});
