import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStore } from '../../src/adapters/conf-store.ts';
import { createTestCa, createTestCertificate } from '../../src/signing/certificate.ts';
import { runInside } from '../helpers/inside.ts';
import { shop } from '../helpers/obk.ts';
import type { Ran } from '../helpers/obk.ts';
import { expectTidy, oneError } from '../helpers/one-error.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-bad-input-'));
const folder = join(home, 'work');
const env = {
  ...process.env,
  HOME: home,
  OBK_CONFIG_DIR: join(home, 'config'),
  OBK_STATE_DIR: join(home, 'state'),
};

const obk = (args: readonly string[], more: { env?: NodeJS.ProcessEnv; input?: string } = {}): Promise<Ran> =>
  runInside(args, { cwd: folder, ...more, env: { ...env, ...more.env } });

beforeAll(async () => {
  mkdirSync(folder);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
  };
  const iban = 'DE89370400440532013000';
  const body = { debtorAccount: { iban }, creditorAccount: { iban }, creditorName: 'Shop' };
  const dayMs = 86_400_000;
  const issue = (from: number, to: number) => ({
    keyType: 'ec' as const,
    notBefore: new Date(Date.now() + from * dayMs),
    notAfter: new Date(Date.now() + to * dayMs),
  });
  const ca = await createTestCa(issue(-900, 900));
  const tpp = {
    ca,
    type: 'qsealc',
    roles: ['PSP_PI'],
    organizationIdentifier: 'PSDDE-BAFIN-123456',
    organizationName: 'TPP',
    ncaName: 'BaFin',
    ncaId: 'DE-BAFIN',
  } as const;
  const old = await createTestCertificate({ ...issue(-800, -1), ...tpp });
  const good = await createTestCertificate({ ...issue(-1, 300), ...tpp });
  file('old.pem', old.certificatePem);
  file('old.key', old.keyPem.reveal());
  file('good.pem', good.certificatePem);
  file('good.key', good.keyPem.reveal());
  file('text.pem', 'this is no certificate\n');
  file('broken.json', '{"debtorAccount":');
  file('list.json', '[]');
  file('twice.json', JSON.stringify(body).replace(/}$/, ',"creditorName":"B"}'));
  file('number.json', JSON.stringify({ ...body, instructedAmount: { currency: 'EUR', amount: 1.5 } }));
  file('comma.json', JSON.stringify({ ...body, instructedAmount: { currency: 'EUR', amount: '1,50' } }));
  file('good.json', JSON.stringify({ ...body, instructedAmount: { currency: 'EUR', amount: '1.50' } }));
  const setUp = [
    ['bank', '--certificate', 'good.pem', '--key', 'good.key'],
    ['no-key', '--certificate', 'good.pem', '--key', 'missing.key'],
    ['no-certificate', '--certificate', 'missing.pem', '--key', 'good.key'],
    ['not-pem', '--certificate', 'text.pem', '--key', 'good.key'],
    ['mismatch', '--certificate', 'good.pem', '--key', 'old.key'],
    ['expired', '--certificate', 'old.pem', '--key', 'old.key'],
  ];
  for (const [name = '', ...more] of setUp) {
    // Nothing listens there: whatever were sent would be exit 7.
    const address = ['--base-url', 'http://127.0.0.1:9', '--psu-ip', '192.0.2.1', '--debtor', iban];
    const made = await obk(['profile', 'create', name, ...address, ...more]);
    expect(made.code, made.stderr).toBe(0);
  }
  const store = createStore({
    configDir: env.OBK_CONFIG_DIR,
    stateDir: env.OBK_STATE_DIR,
    clock: { now: () => new Date(), monotonic: () => 0, sleep: () => Promise.resolve() },
    warn: () => undefined,
  });
  for (const id of ['abcdef-1', 'abcdef-2']) {
    const at = new Date().toISOString();
    await store.saveResource({
      ...{ schemaVersion: 1, profile: 'bank', environment: 'test', noun: 'payment', id, links: {} },
      ...{ createdAt: at, updatedAt: at, framework: '1.3.2', prefix: '/v1', baseUrl: 'http://127.0.0.1:9' },
      ...{ service: 'payments', product: 'sepa-credit-transfers' },
    });
  }
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Every file of settings and state with its content: a refused command leaves all as it was. */
function everything(at = home): Record<string, string> {
  return Object.fromEntries(
    readdirSync(at, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(at, name)).isFile() && !name.startsWith('state/sandbox/'))
      .map((name) => [name, readFileSync(join(at, name), 'latin1')]),
  );
}

interface Case {
  args: readonly string[];
  exit: number;
  code: string;
  /** What the person must be told, in title, detail or hints. */
  says: (string | RegExp)[];
  env?: NodeJS.ProcessEnv;
  input?: string;
}

const pay = (...more: string[]) => ['payment', 'init', '--profile', 'bank', ...shop, ...more];
const amount = (value: string, ...says: (string | RegExp)[]): Case => ({
  args: pay('--amount', value),
  exit: 2,
  code: 'INPUT_INVALID',
  says: ['--amount', JSON.stringify(value), ...says],
});
const without = (flag: string, ...more: string[]) => {
  const args = pay('--amount', '1.00');
  args.splice(args.indexOf(flag), 2);
  return [...args, ...more];
};
const file = (name: string) => [
  ...['payment', 'init', '--profile', 'bank', '--product', 'sepa-credit-transfers', '--input', name],
];
const profileFlags = ['--base-url', 'https://bank.example', '--certificate', 'good.pem', '--key', 'good.key'];

const cases: Record<string, Case> = {
  'a product that nearly exists': {
    args: without('--product', '--product', 'sepa-credit-transfer'),
    exit: 2,
    code: 'USAGE',
    says: ['sepa-credit-transfer', '--product sepa-credit-transfers'],
  },
  'a product that nobody knows': {
    args: without('--product', '--product', 'wire'),
    exit: 2,
    code: 'USAGE',
    says: ['wire', 'instant-sepa-credit-transfers'],
  },
  'an IBAN with a wrong check digit': {
    args: without('--creditor-account', '--creditor-account', 'DE88370400440532013000'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['--creditor-account', /check/],
  },
  'an amount with a comma': amount('1,00', /1\.00|dot/),
  'an amount with an exponent': amount('1e3'),
  'a negative amount': amount('-5'),
  'an amount of three decimals': amount('1.005', 'EUR'),
  'an amount of nothing': amount('0.00'),
  'two faults at once': {
    args: pay('--amount', '1,00', '--debtor', 'DE00'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['--amount', '--debtor'],
  },
  'every flag missing': {
    args: ['payment', 'init', '--profile', 'bank'],
    exit: 2,
    code: 'USAGE',
    says: ['--product', '--creditor-name', '--creditor-account', '--amount'],
  },
  'a key file that is not there': {
    args: ['payment', 'init', '--profile', 'no-key', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'KEY_FILE',
    says: ['missing.key'],
  },
  'a certificate file that is not there': {
    args: ['payment', 'init', '--profile', 'no-certificate', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'CERTIFICATE_FILE',
    says: ['missing.pem'],
  },
  'a certificate that is none': {
    args: ['payment', 'init', '--profile', 'not-pem', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'CERTIFICATE_FILE',
    says: ['text.pem'],
  },
  'a key that belongs to another certificate': {
    args: ['payment', 'init', '--profile', 'mismatch', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'KEY_MISMATCH',
    says: [/key/],
  },
  'an expired certificate': {
    args: ['payment', 'init', '--profile', 'expired', ...shop, '--amount', '1.00'],
    exit: 3,
    code: 'CERTIFICATE_EXPIRED',
    says: ['old.pem', new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)],
  },
  'a bank that is down': { args: pay('--amount', '1.00'), exit: 7, code: 'NOT_SENT', says: ['safe to run'] },
  'a new profile named ..': {
    args: ['profile', 'create', '../x', ...profileFlags],
    exit: 2,
    code: 'USAGE',
    says: ['../x', 'a-z'],
  },
  'a profile flag with ..': {
    args: ['payment', 'list', '--profile', '../x'],
    exit: 3,
    code: 'PROFILE_UNKNOWN',
    says: ['../x'],
  },
  'a profile variable with ..': {
    args: ['payment', 'list'],
    env: { OBK_PROFILE: '../../etc' },
    exit: 3,
    code: 'PROFILE_UNKNOWN',
    says: ['../../etc'],
  },
  'a profile that nearly exists': {
    args: ['profile', 'show', 'expird'],
    exit: 3,
    code: 'PROFILE_UNKNOWN',
    says: ['expired'],
  },
  'a base URL that is none': {
    args: ['profile', 'create', 'x', ...profileFlags, '--base-url', 'bank.example'],
    exit: 2,
    code: 'USAGE',
    says: ['--base-url', 'bank.example'],
  },
  'a base URL of another scheme': {
    args: ['payment', 'status', 'abcdef-1', '--profile', 'bank', '--base-url', 'ftp://bank.example'],
    exit: 3,
    code: 'PROFILE_INVALID',
    says: ['ftp://bank.example'],
  },
  'plain http to another machine': {
    args: pay('--amount', '1.00', '--base-url', 'http://bank.example'),
    exit: 3,
    code: 'CONNECTION_INSECURE',
    says: ['bank.example', 'https://bank.example'],
  },
  'a body that is no JSON': {
    args: file('broken.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['broken.json', /JSON/],
  },
  'a body that is no object': { args: file('list.json'), exit: 2, code: 'INPUT_INVALID', says: [/object/] },
  'a body with a member twice': {
    args: file('twice.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['creditorName'],
  },
  'a body whose amount is a number': {
    args: file('number.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['instructedAmount', /string/],
  },
  'a body whose amount has a comma': {
    args: file('comma.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['1,50'],
  },
  'a body that is not there': {
    args: file('none.json'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['none.json'],
  },
  'a body that is a folder': { args: file('.'), exit: 2, code: 'INPUT_INVALID', says: ['.'] },
  'a body on stdin that is empty': {
    args: file('-'),
    input: '',
    exit: 2,
    code: 'INPUT_INVALID',
    says: [/empty|JSON/],
  },
  'a body and flags': {
    args: [...file('good.json'), '--amount', '1.00'],
    exit: 2,
    code: 'USAGE',
    says: ['--input', '--amount'],
  },
  'an unknown @last': {
    args: ['payment', 'status', '@last', '--profile', 'expired'],
    exit: 2,
    code: 'RESOURCE_NOT_SAVED',
    says: ['expired', 'payment init'],
  },
  'a @last too far back': {
    args: ['payment', 'status', '@last-7', '--profile', 'bank'],
    exit: 2,
    code: 'RESOURCE_NOT_SAVED',
    says: ['payment list'],
  },
  'a prefix of two ids': {
    args: ['payment', 'status', 'abcdef', '--profile', 'bank'],
    exit: 2,
    code: 'ID_AMBIGUOUS',
    says: ['abcdef-1', 'abcdef-2'],
  },
  'an id with a dot segment': {
    args: ['payment', 'status', '%2e%2e', '--profile', 'bank', '--product', 'sepa-credit-transfers'],
    exit: 2,
    code: 'USAGE',
    says: [/dot segment/],
  },
  'a command that nearly exists': {
    args: ['payment', 'initt'],
    exit: 2,
    code: 'USAGE',
    says: ['initt', 'obk payment init'],
  },
  'a flag that nearly exists': {
    args: pay('--amout', '1.00'),
    exit: 2,
    code: 'USAGE',
    says: ['--amout', '--amount'],
  },
  'a flag without its value': { args: pay('--amount'), exit: 2, code: 'USAGE', says: ['--amount'] },
  'a second id': {
    args: ['payment', 'status', 'one', 'two'],
    exit: 2,
    code: 'USAGE',
    says: [/one|two|argument/],
  },
  'a duration that is none': {
    args: pay('--amount', '1.00', '--timeout', 'soon'),
    exit: 2,
    code: 'USAGE',
    says: ['--timeout', 'soon'],
  },
  'an X-Request-ID that is no UUID': {
    args: pay('--amount', '1.00', '--request-id', 'x'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: [/UUID/i],
  },
  'an address of the PSU that is none': {
    args: pay('--amount', '1.00', '--psu-ip', 'home'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['PSU-IP-Address', 'home'],
  },
  'a header that smuggles another': {
    args: pay('--amount', '1.00', '--psu-id', 'x\r\nConsent-ID: y'),
    exit: 2,
    code: 'INPUT_INVALID',
    says: ['PSU-ID'],
  },
  'another environment than required': {
    args: pay('--amount', '1.00', '--require-environment', 'production'),
    exit: 3,
    code: 'ENVIRONMENT_REQUIRED',
    says: ['production', 'test'],
  },
  'an unknown pending entry': {
    args: ['pending', 'show', 'abcdef012345', '--profile', 'bank'],
    exit: 2,
    code: 'RESOURCE_NOT_SAVED',
    says: ['abcdef012345'],
  },
};

describe.each(Object.entries(cases))('%s', (_name, given) => {
  const { args, exit, code, says, ...more } = given;

  it(`is one clear error, exit ${String(exit)}, and changes nothing`, async () => {
    const before = everything();
    const ran = await obk(['--json', '--no-input', ...args], more);
    expect({ code: ran.code, stdout: ran.stdout }, ran.stderr).toEqual({ code: exit, stdout: '' });
    const error = oneError(ran);
    const words = [error.title, error.detail, ...error.hint].join('\n');
    expect(error.code, words).toBe(code);
    for (const word of says) expect(words).toMatch(word instanceof RegExp ? word : escaped(word));
    const after = everything();
    // A request that was prepared but not sent is in the journal; nothing else is new.
    const own = Object.keys(after).filter((name) => !/^state\/(journal|intents)\//.test(name));
    expect(own).toEqual(Object.keys(before).filter((name) => !/^state\/(journal|intents)\//.test(name)));
    for (const name of own) expect(after[name], name).toBe(before[name]);

    const human = await obk(['--no-input', ...args], more);
    expect({ code: human.code, stdout: human.stdout }).toEqual({ code: exit, stdout: '' });
    expectTidy(human);
    expect(human.stderr).toMatch(/^(No profile [^\n]*\n)?✗ /);
    expect(human.stderr.trimEnd().split('\n').length, human.stderr).toBeLessThanOrEqual(9);
  });
});

const escaped = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

it('a secret in place of a reference is refused and not repeated', async () => {
  const ran = await obk(pay('--amount', '1.00', '--psu-password-from', 'hunter2-hunter2', '--json'));
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(oneError(ran).title).toContain('--psu-password-from');
  expect(ran.stderr).not.toContain('hunter2');
});

it.each(['{"schemaVersion":1,"profiles":', '{"schemaVersion":99,"profiles":{}}', '[]', ''])(
  'settings that cannot be read are exit 3 naming the file, and stay as they are: %s',
  async (text) => {
    const configDir = mkdtempSync(join(home, 'damaged-'));
    const path = join(configDir, 'config.json');
    writeFileSync(path, text);
    for (const args of [
      ['profile', 'list'],
      ['profile', 'create', 'x', ...profileFlags],
      pay('--amount', '1.00'),
    ]) {
      const ran = await obk([...args, '--json'], { env: { OBK_CONFIG_DIR: configDir } });
      expect(ran, ran.stderr).toMatchObject({ code: 3, stdout: '' });
      const error = oneError(ran);
      expect([error.title, error.detail, ...error.hint].join('\n')).toContain(path);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  },
);
