// A relay between another client and a bank: it writes both sides with their findings, and no secret; production is refused.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../../src/cli/program/pages.ts';
import { startBank } from '../helpers/bank.ts';
import type { TestBank } from '../helpers/bank.ts';
import { freePort } from '../helpers/free-port.ts';
import { runInside } from '../helpers/inside.ts';

interface Entry {
  request: { method: string; url: string; headers: { name: string; value: string }[] };
  response: { status: number };
  _findings: { side: string; rule: string }[];
}

let bank: TestBank;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  bank = await startBank({ doors: { rate: 'off' } });
  env = { HOME: bank.stateDir, XDG_CONFIG_HOME: join(bank.stateDir, 'config'), OBK_STATE_DIR: bank.stateDir };
  await commandTree();
}, 60_000);
afterAll(() => bank.close());

const obk = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  runInside(args, { env: { ...env, ...more }, cwd: bank.stateDir });

/** Runs a relay as long as the work goes on, and returns what it wrote. */
async function relayed(
  work: (baseUrl: string) => Promise<void>,
  to: readonly string[] = [bank.baseUrl],
): Promise<{ text: string; entries: Entry[] }> {
  const path = join(bank.stateDir, 'relayed.har');
  const stop = new AbortController();
  const port = String(await freePort());
  let ready: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const running = runInside(['sandbox', 'record', path, '--port', port, '--force', '--json', '--to', ...to], {
    env,
    cwd: bank.stateDir,
    signal: stop.signal,
    onOutput: () => {
      ready();
    },
  });
  await Promise.race([isReady, running.then((ran) => Promise.reject(new Error(JSON.stringify(ran))))]);
  await work(`http://127.0.0.1:${port}`);
  stop.abort();
  await running.catch(() => undefined);
  const text = readFileSync(path, 'utf8');
  expect(statSync(path).mode & 0o077).toBe(0);
  return { text, entries: (JSON.parse(text) as { log: { entries: Entry[] } }).log.entries };
}

describe('a relay', () => {
  it('hands calls on, and writes them with findings of both sides and without secrets', async () => {
    const person = bank.person('embedded-one');
    const { text, entries } = await relayed(async (baseUrl) => {
      const words = ['payment', 'init', '--product', 'sepa-credit-transfers', '--psu-id', 'embedded-one'];
      const iban = person.accounts[0]?.iban ?? '';
      const order = [
        '--debtor',
        iban,
        '--creditor-account',
        'DE89370400440532013000',
        '--creditor-name',
        'Shop',
      ];
      const create = ['profile', 'create', 'through', '--base-url', baseUrl, '--environment', 'sandbox'];
      const keys = ['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'];
      expect((await obk([...create, ...keys])).code).toBe(0);
      const secrets = ['--psu-password-from', 'env:WORD', '--otp-from', 'env:OTP'];
      const ran = await obk(
        [...words, ...order, '--amount', '3.00', ...secrets, '--profile', 'through', '--no-input', '--json'],
        { WORD: person.password, OTP: person.otp },
      );
      expect(ran.code, ran.stderr).toBe(0);
      await fetch(`${baseUrl}/v1/consents/none/status`, {
        headers: { Authorization: 'Bearer abcdef123456' },
      });
    });
    expect(entries.map(({ response }) => response.status)).toContain(201);
    for (const secret of [person.password, person.otp, 'abcdef123456'])
      expect(text).not.toMatch(new RegExp(`(?<![0-9A-Za-z])${secret}(?![0-9A-Za-z])`));
    const last = entries.at(-1);
    expect(last?._findings.map(({ side, rule }) => `${side} ${rule}`).join()).toContain('request ');
    const entered = entries.find(({ request }) => request.method === 'PUT');
    expect(entered?.request.headers.find(({ name }) => name === 'Digest')?.value).toBe('[secret]');
  });

  it(
    'shows and asks for client certificates over TLS, and sees what goes back',
    { timeout: 30_000 },
    async () => {
      const doors = { rate: 'off', httpsPort: 0, clientCertificate: 'required' };
      const guarded = await startBank({ doors });
      const pair = ['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'];
      const shown = ['--tls-certificate', guarded.tlsCertificatePath, '--tls-key', guarded.tlsKeyPath];
      const profile = async (name: string, baseUrl: string, more: readonly string[] = []) => {
        const create = ['profile', 'create', name, '--base-url', baseUrl, '--environment', 'sandbox'];
        const made = await obk([...create, ...pair, '--ca', guarded.caPath, ...more, '--json']);
        expect(made.code, made.stderr).toBe(0);
      };
      await profile('upstream', guarded.httpsBaseUrl ?? '', shown);
      const front = String(await freePort());
      const guard = ['--https-port', front, '--client-certificate', 'required', '--profile', 'upstream'];
      const { entries } = await relayed(async () => {
        const status = (id: string, as: string) => obk(['consent', 'status', id, '--profile', as, '--json']);
        await profile('bare', `https://127.0.0.1:${front}`);
        expect((await status('none', 'bare')).code).not.toBe(0);
        expect(guarded.arrivals()).toEqual([]);
        await profile('shown', `https://127.0.0.1:${front}`, shown);
        const flags = ['--all-psd2', '--authorise-later', '--psu-id', 'embedded-one', '--no-input'];
        const made = await obk(['consent', 'create', ...flags, '--profile', 'shown', '--json']);
        expect(made.code, made.stderr).toBe(0);
        const { consentId } = JSON.parse(made.stdout) as { consentId: string };
        guarded.fault({ operation: 'getConsentStatus', kind: 'edit', edit: '/consentStatus="valid"' });
        for (let call = 0; call < 2; call += 1) expect((await status(consentId, 'shown')).code).toBe(0);
      }, [guarded.httpsBaseUrl ?? '', ...guard]);
      await guarded.close();
      expect(entries.map(({ response }) => response.status).slice(0, 3)).toEqual([201, 200, 200]);
      expect(entries.flatMap(({ _findings }) => _findings.map(({ rule }) => rule))).toEqual([
        'answer-order-consent',
      ]);
    },
  );

  it('finds links to another server, as a check of its file does', async () => {
    bank.scenario({ hrefs: 'foreign' });
    const { text, entries } = await relayed(async (baseUrl) => {
      const create = ['profile', 'create', 'led', '--base-url', baseUrl, '--environment', 'sandbox'];
      const keys = ['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'];
      expect((await obk([...create, ...keys])).code).toBe(0);
      const flags = ['--all-psd2', '--authorise-later', '--psu-id', 'embedded-one', '--profile', 'led'];
      await obk(['consent', 'create', ...flags, '--no-input', '--json']);
    });
    bank.scenario({ hrefs: 'relative' });
    const told = entries.flatMap(({ _findings }) => _findings.map(({ rule }) => rule));
    expect(new Set(told)).toEqual(new Set(['answer-link-target']));
    const path = join(bank.stateDir, 'led.har');
    writeFileSync(path, text);
    const { stdout } = await obk(['check', path, '--json']);
    const { exchanges } = JSON.parse(stdout) as { exchanges: { findings: { rule: string }[] }[] };
    expect(exchanges.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toEqual(told);
  });

  it('refuses production, and a bank whose kind nobody names', async () => {
    const at = ['sandbox', 'record', join(bank.stateDir, 'no.har'), '--port', '0', '--to'];
    const nobody = await obk([...at, 'https://bank.example', '--profile', 'sandbox', '--json']);
    expect(nobody.stderr).toContain('ENVIRONMENT_REQUIRED');
    const create = ['profile', 'create', 'real', '--base-url', 'https://bank.example', '--no-check'];
    const keys = ['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'];
    const made = await obk([...create, ...keys, '--environment', 'production', '--json']);
    expect(made.code, made.stderr).toBe(0);
    const real = await obk([...at, 'https://bank.example', '--profile', 'real', '--json']);
    expect(real.stderr).toContain('is one of production');
    expect(existsSync(join(bank.stateDir, 'no.har'))).toBe(false);
  });
});
