import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCa, createTestCertificate } from '../../src/signing/certificate.ts';
import { fileStore } from '../helpers/file-store.ts';
import { runInside } from '../helpers/inside.ts';
import type { Ran } from '../helpers/obk.ts';
import { expectTidy, oneError } from '../helpers/one-error.ts';
import { cases, pay, profileFlags } from './bad-input-cases.ts';

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
    writeFileSync(join(folder, name), text, { mode: name.endsWith('.key') ? 0o600 : 0o644 });
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
    const made = await obk(['profile', 'create', name, ...address, ...more, '--no-check']);
    expect(made.code, made.stderr).toBe(0);
  }
  const store = fileStore({
    configDir: env.OBK_CONFIG_DIR,
    stateDir: env.OBK_STATE_DIR,
    clock: {
      now: () => new Date(),
      monotonic: () => 0,
      sleep: () => Promise.resolve(),
      after: () => () => undefined,
    },
    warn: () => undefined,
  });
  for (const id of ['abcdef-1', 'abcdef-2']) {
    const at = new Date().toISOString();
    await store.resources.save({
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
    // A request that was prepared but not sent is in the journal, and was given its turn; nothing else is new.
    const beside = /^state\/(state|log)\.db/;
    const own = Object.keys(after).filter((name) => !beside.test(name));
    expect(own).toEqual(Object.keys(before).filter((name) => !beside.test(name)));
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
