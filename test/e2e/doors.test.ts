import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createObkWithKeys } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';

let obk: Obk;
const children: ChildProcess[] = [];
beforeEach(async () => {
  obk = await createObkWithKeys();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  }
  obk.close();
});

/** Starts a bank and gives its first line, and what it said on stderr until then. */
async function started(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = obk.start(['sandbox', 'start', '--port', '0', '--json', ...flags], { env });
  children.push(child);
  let [stdout, stderr] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) resolve();
    });
    child.once('close', () => {
      reject(new Error(stderr));
    });
  });
  const bank = JSON.parse(stdout) as { baseUrl: string; open?: object; furtherUrls: string[] };
  const status = async (headers: Record<string, string> = {}) => {
    const url = `${bank.baseUrl}/v1/payments/sepa-credit-transfers/none-such/status`;
    const always = { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721', 'PSU-IP-Address': '192.0.2.1' };
    return (await fetch(url, { headers: { ...always, ...headers } })).status;
  };
  return { bank, status, stderr: () => stderr };
}

describe('obk sandbox start', () => {
  it('is as closed without a flag as ever, and says nothing of doors', async () => {
    const { bank, status, stderr } = await started([]);
    expect(await status()).toBe(401);
    expect(bank.open).toBeUndefined();
    expect(stderr()).toBe('');
  });

  it('says aloud what --open opens, and sandbox people names the passwords', async () => {
    const { bank, status, stderr } = await started(['--open', '--rate', '5']);
    expect(stderr()).toContain('OPEN: no signature, no client certificate, passwords that everybody knows.');
    expect(stderr()).not.toContain('no limit');
    expect(bank.open).toEqual({
      elsewhere: false,
      off: ['signature', 'clientCertificate'],
      password: 'password',
      otp: '123456',
      additionalPassword: 'second-password',
    });
    expect(await status()).toBe(404);
    const people = (await obk.json(['sandbox', 'people'])) as { password: string; otp: string }[];
    expect(new Set(people.map(({ password, otp }) => `${password} ${otp}`))).toEqual(
      new Set(['password 123456']),
    );
    const set = await obk.run(['sandbox', 'scenario', 'set', 'signature', 'required']);
    expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('for as long as this bank runs')]);
  });

  it('says louder that other machines may come', async () => {
    const flags = ['--open', '--listen-open', '--listen', '0.0.0.0', '--host', 'bank.test'];
    const { stderr, bank } = await started(flags);
    expect(stderr()).toContain('OPEN TO THE NETWORK ***');
    expect(bank.furtherUrls).toEqual([bank.baseUrl.replace('127.0.0.1', 'bank.test')]);
  });

  it('takes variables, which flags overrule, and which overrule the file', async () => {
    writeFileSync(
      join(obk.folder, 'bank.yaml'),
      'doors:\n  basePath: /of/file\n  host: [file.test]\n  open: yes\npeople:\n  - psuId: anna\n',
    );
    const env = {
      OBK_SANDBOX_BASE_PATH: '/of/variable',
      OBK_SANDBOX_SIGNATURE: 'required',
      OBK_SANDBOX_RATE: '7',
      OBK_SANDBOX_CONFIG: 'bank.yaml',
      OBK_SANDBOX_CORS_ORIGIN: '*',
    };
    const { bank, status, stderr } = await started(['--rate', 'off'], env);
    expect(stderr()).toContain('OBK_SANDBOX_CORS_ORIGIN is no variable of obk');
    expect(new URL(bank.baseUrl).pathname).toBe('/of/variable');
    expect(bank.open).toMatchObject({ off: ['clientCertificate', 'rate'] });
    expect(bank.furtherUrls).toEqual([bank.baseUrl.replace('127.0.0.1', 'file.test')]);
    expect(await status()).toBe(401);
  });

  it('reads the access key by its reference', async () => {
    const env = { KEY: 'a-key-of-a-test' };
    const { status, stderr } = await started(['--open', '--access-key-from', 'env:KEY'], env);
    expect(await status()).toBe(401);
    expect(await status({ 'X-Access-Key': 'a-key-of-a-test' })).toBe(404);
    expect(stderr()).not.toContain('a-key-of-a-test');
  });

  it.each([
    [['--listen', '0.0.0.0'], 'needs --host'],
    [['--listen-open'], '--listen-open goes with --open'],
    [['--client-certificate', 'required'], 'needs --https-port'],
    [['--access-key-from', 'the-key-itself'], 'takes a reference'],
    [['--host', 'bank.test:8443'], 'without a port'],
  ])('%j is exit 2, with a line that runs', { timeout: 60_000 }, async (flags, title) => {
    const ran = await obk.run(['sandbox', 'start', ...flags, '--json']);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    const { error } = JSON.parse(ran.stderr) as { error: { title: string; hint: string[] } };
    expect(error.title).toContain(title);
    expect(ran.stderr).not.toContain('the-key-itself');
    const [hint = ''] = error.hint;
    expect(hint).toMatch(/^obk sandbox start( \S+)*$/);
    const words = hint.split(' ').slice(3);
    const env = { OBK_ACCESS_KEY: 'x' };
    await started([...words.flatMap((word, at) => (word === '8443' ? ['0'] : [words[at] ?? '']))], env);
  });

  it.each([
    ['OBK_SANDBOX_TRUST', '/none/ca.pem', 3],
    ['OBK_SANDBOX_DATABASE', 'none/bank.db', 3],
    ['OBK_SANDBOX_CONFIG', 'none.yaml', 3],
    ['OBK_SANDBOX_BANK', 'adorsis', 2],
    ['OBK_SANDBOX_WITHOUT', 'getNothing', 2],
    ['OBK_SANDBOX_RATE', 'fast', 2],
    ['OBK_SANDBOX_SIGNATURE', 'never', 2],
  ])('a wrong value names its variable: %s=%s', async (variable, value, code) => {
    const start = ['sandbox', 'start', '--port', '0', '--https-port', '0', '--json'];
    const ran = await obk.run(start, { env: { [variable]: value } });
    const { error } = JSON.parse(ran.stderr) as { error: { title: string; detail: string | null } };
    expect(ran.code).toBe(code);
    expect(`${error.title} ${error.detail ?? ''}`).toContain(variable);
    expect(`${error.title} ${error.detail ?? ''}`).toContain(value);
    expect(error.title).not.toMatch(/--[a-z]/);
  });

  it('leaves the bank that a command starts for itself as it is, whatever the variables say', async () => {
    const env = { OBK_SANDBOX_OPEN: 'yes', OBK_SANDBOX_BASE_PATH: '/x' };
    const shop = [
      '--creditor-name',
      'Shop',
      '--creditor-account',
      'DE89370400440532013000',
      '--amount',
      '1.00',
    ];
    const init = ['payment', 'init', '--profile', 'sandbox', '--product', 'sepa-credit-transfers', ...shop];
    const { code, stderr } = await obk.run([...init, '--no-input'], { env });
    expect(code, stderr).toBe(0);
    const { baseUrl } = (await obk.json(['sandbox', 'status'])) as { baseUrl: string };
    expect(new URL(baseUrl).pathname).toBe('/');
    const answer = await fetch(`${baseUrl}/v1/payments/sepa-credit-transfers/none-such/status`, {
      headers: { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' },
    });
    expect(answer.status).toBe(401);
  });
});
