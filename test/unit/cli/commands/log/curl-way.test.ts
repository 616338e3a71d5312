import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { journalState, memoryJournal } from '../../../../helpers/fakes/index.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { program } from '../../../../helpers/program.ts';
import { accountBank } from '../account-bank.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-curl-way-'));
const { HTTPS_PROXY: _, https_proxy: _lower, NO_PROXY: _no, no_proxy: _noLower, ...bare } = process.env;
const env = { ...bare, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };

async function curl(more: Record<string, string>, ...flags: readonly string[]): Promise<string> {
  const read = ['api', 'getConsentStatus', '-f', 'consentId=c', '--profile', 'acme', '--dry-run', '--curl'];
  const { code, stdout, stderr } = await runInside([...read, ...flags, '--json'], {
    env: { ...env, ...more },
    cwd: home,
  });
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as { curl: string }).curl;
}

beforeAll(async () => {
  const bank = ['--base-url', 'https://bank.example', '--signing', 'none', '--environment', 'sandbox'];
  await runInside(['profile', 'create', 'acme', ...bank], { env, cwd: home });
});

it.each<[string, Record<string, string>, string | undefined]>([
  ['none', {}, undefined],
  [
    'that of the environment',
    { HTTPS_PROXY: 'http://proxy.example:3128' },
    "--proxy 'http://proxy.example:3128' --proxytunnel",
  ],
  [
    'none for this address',
    { HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: 'bank.example' },
    undefined,
  ],
  ['one that cannot be used', { HTTPS_PROXY: 'socks5://proxy.example' }, undefined],
  [
    'one with a password, which is not shown',
    { HTTPS_PROXY: 'http://anna:c4n4ry@proxy.example:3128' },
    `--proxy 'http://proxy.example:3128' --proxy-user "$OBK_PROXY_USER" --proxytunnel`,
  ],
])('the curl command names the proxy: %s', async (_case, more, way) => {
  const command = await curl(more);
  if (way === undefined) expect(command).not.toContain('--proxy');
  else expect(command).toContain(way);
  expect(command).not.toContain('c4n4ry');
});

it('the curl command checks no certificate where the call does not', async () => {
  expect(await curl({})).not.toContain('--insecure');
  expect(await curl({}, '--insecure')).toContain('--insecure');
});

it('the curl command of an old run checks none where that run did not, and says so', async () => {
  const state = journalState();
  for (const flag of ['', '--insecure']) {
    const bank = await accountBank({ environment: 'sandbox' });
    const ports = (run: string) => ({
      http: bank.http,
      ...bank.store,
      usage: bank.usage,
      clock: bank.clock,
      journal: memoryJournal({ state, run }),
    });
    bank.http.expect('GET', '/v1/accounts', { body: { accounts: [] } });
    const read = await program(`accounts ${flag}`, { ports: ports(`run-${flag}`) });
    expect(read.code, read.stderr).toBe(0);
    const { stdout } = await program(`log curl run-${flag}`, { ports: ports('looking') });
    const unchecked = flag !== '';
    expect(/^ {2}--insecure \\$/m.test(stdout)).toBe(unchecked);
    expect(/^# --insecure, .*not checked/m.test(stdout)).toBe(unchecked);
    const shown = await program(`log show run-${flag} --json`, { ports: ports('looking') });
    expect((JSON.parse(shown.stdout) as { insecure?: true }).insecure).toBe(unchecked ? true : undefined);
    const text = await program(`log show run-${flag} -o table`, { ports: ports('looking') });
    expect(text.stdout.split('\n')[0]?.includes(' · --insecure · ')).toBe(unchecked);
  }
});
