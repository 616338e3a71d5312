// What is said of an address where it is typed; the line that is printed is taken in its place.
import { mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';

let env: NodeJS.ProcessEnv;
let home: string;
const obk = (args: readonly string[]) => runInside([...args, '--json', '--no-input'], { env, cwd: home });

beforeEach(() => {
  home = mkdtempSync(join(homedir(), 'obk-addresses-'));
  env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
});

const start = ['--environment', 'test', '--signing', 'none'];
const create = (name: string, flags: readonly string[]) => {
  const more = flags[0] === '--base-url' ? [] : ['--base-url', 'https://bank.example'];
  return obk(['profile', 'create', name, ...start, ...more, ...flags]);
};

describe('an address that no request can carry', () => {
  it.each([
    ['--base-url', 'https://bänk.example', 'https://xn--bnk-qla.example'],
    ['--base-url', 'https://bänk.example/pfad/ä/', 'https://xn--bnk-qla.example/pfad/%C3%A4/'],
    ['--base-url', 'https://банк.example:8443', 'https://xn--80ab2al.example:8443'],
    ['--base-url', 'https://bank。example', 'https://bank.example'],
    ['--redirect-uri', 'https://bänk.example/cb', 'https://xn--bnk-qla.example/cb'],
    ['--nok-redirect-uri', 'https://tpp.example/zurück?a=b', 'https://tpp.example/zur%C3%BCck?a=b'],
    ['--origin', 'https://bänk.example', 'https://xn--bnk-qla.example'],
    ['--oauth-metadata', 'https://bänk.example/m', 'https://xn--bnk-qla.example/m'],
    ['--oauth-issuer', 'https://bänk.example', 'https://xn--bnk-qla.example'],
    ['--base-url', 'bank.example', 'https://bank.example'],
    ['--base-url', 'bank.example:8443/psd2', 'https://bank.example:8443/psd2'],
    ['--base-url', 'ftp://bank.example/psd2', 'https://bank.example/psd2'],
    ['--base-url', 'htps://bank.example', 'https://bank.example'],
    ['--base-url', '//bank.example', 'https://bank.example'],
    ['--base-url', 'localhost:8443', 'http://localhost:8443'],
    ['--base-url', 'a b', 'https://api.bank.example'],
    ['--base-url', 'me:secret@bank.example', 'https://api.bank.example'],
    ['--redirect-uri', 'myapp://back', 'https://tpp.example/back'],
  ])('%s %s is refused with %s, which is taken', async (flag, given, said) => {
    const refused = await create('acme', [flag, given]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).not.toContain('secret');
    expect(oneError(refused).hint).toEqual([`${flag} ${/\?/.test(said) ? `'${said}'` : said}`]);
    const taken = await create('acme', [flag, said]);
    expect(taken.code, taken.stderr).toBe(0);
  });

  it.each([
    ['--base-url', 'https://bank.example:0', 'port 0'],
    ['--base-url', 'http://[::1]:0/psd2', 'port 0'],
    ['--origin', 'https://bank.example:0', 'port 0'],
    ['--redirect-uri', 'http://localhost:0/cb', 'port 0'],
    ['--oauth-metadata', 'https://bank.example:0/m', 'port 0'],
    ['--oauth-issuer', 'https://bank.example:0', 'port 0'],
    ['--base-url', 'https://me:secret@bänk.example', 'without user'],
  ])('%s %s is refused: %s', async (flag, given, said) => {
    const refused = await create('acme', [flag, given]);
    expect(refused.code).toBe(2);
    expect(oneError(refused).title).toContain(said);
    expect(refused.stderr).not.toContain('me:secret');
  });

  it('is refused by config set as well', async () => {
    expect((await create('acme', ['--base-url', 'https://bank.example'])).code).toBe(0);
    const set = await obk(['config', 'set', 'baseUrl', 'https://bänk.example']);
    expect(oneError(set).title).toContain('Punycode');
  });
});

it('an address of the bank is saved without blanks around it and a slash at its end', async () => {
  const given = ['--origin', ' https://more.example/ ', '--origin', 'https://other.example/a/'];
  expect((await create('acme', ['--base-url', 'https://bank.example/psd2/', ...given])).code).toBe(0);
  const { stdout } = await obk(['profile', 'show', 'acme']);
  expect(JSON.parse(stdout)).toMatchObject({
    baseUrl: 'https://bank.example/psd2',
    origins: ['https://more.example', 'https://other.example/a'],
  });
});

describe('an address that a bank refuses, or that leads nobody back', () => {
  const warnings = (stderr: string) =>
    stderr
      .split('\n')
      .filter((text) => text !== '')
      .flatMap((text) => (JSON.parse(text) as { warning?: string }).warning ?? []);
  const told = async () => {
    const { stdout } = await obk(['doctor', '--profile', 'acme', '--offline']);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; hint: string }[] };
    return findings.filter(({ check }) => check === 'psu-ip' || check === 'redirect');
  };
  const right = { '--psu-ip': '192.0.2.1', '--redirect-uri': 'https://tpp.example/cb' };

  it.each([
    ['--psu-ip', '10.0.0.1'],
    ['--psu-ip', '172.16.0.1'],
    ['--psu-ip', '172.31.255.255'],
    ['--psu-ip', '192.168.178.20'],
    ['--psu-ip', '127.0.0.1'],
    ['--psu-ip', '169.254.1.1'],
    ['--psu-ip', '100.64.0.1'],
    ['--psu-ip', '0.0.0.0'],
    ['--psu-ip', '::1'],
    ['--psu-ip', 'FD00::1'],
    ['--psu-ip', 'fe80::1'],
    ['--psu-ip', '::ffff:10.1.2.3'],
    ['--redirect-uri', 'http://tpp.example/cb'],
    ['--nok-redirect-uri', 'http://tpp.example/no'],
  ])(
    '%s %s is taken with a warning, which doctor repeats with the line that mends it',
    async (flag, given) => {
      const flags = Object.entries({ ...right, [flag]: given }).flat();
      const made = await create('acme', ['--base-url', 'https://bank.example', ...flags]);
      expect(made.code, made.stderr).toBe(0);
      expect(warnings(made.stderr)).toEqual([expect.stringContaining(given)]);
      const [finding, ...more] = await told();
      expect(more).toEqual([]);
      expect(finding).toMatchObject({ state: 'warn', check: flag === '--psu-ip' ? 'psu-ip' : 'redirect' });
      const mend = (finding?.hint ?? '')
        .split(' ')
        .map((word) => (word === 'ADDRESS' ? '203.0.113.9' : word));
      const mended = await obk(mend.slice(1));
      expect(mended.code, mended.stderr).toBe(0);
      expect(warnings(mended.stderr)).toEqual([]);
      expect(await told()).toEqual([]);
    },
  );

  it.each([
    ['--psu-ip', '172.32.0.1'],
    ['--psu-ip', '11.0.0.1'],
    ['--psu-ip', '203.0.113.7'],
    ['--psu-ip', '198.51.100.1'],
    ['--psu-ip', '2001:db8::1'],
    ['--psu-ip', '::ffff:192.0.2.1'],
    ['--redirect-uri', 'http://localhost:8080/cb'],
    ['--redirect-uri', 'http://[::1]/cb'],
  ])('%s %s is taken without one', async (flag, given) => {
    const flags = Object.entries({ ...right, [flag]: given }).flat();
    const made = await create('acme', ['--base-url', 'https://bank.example', ...flags]);
    expect({ code: made.code, warnings: warnings(made.stderr) }).toEqual({ code: 0, warnings: [] });
    expect(await told()).toEqual([]);
  });

  it.each([
    ['a sandbox', ['--base-url', 'https://bank.example', '--environment', 'sandbox']],
    ['a bank on this machine', ['--base-url', 'http://127.0.0.1:9', '--environment', 'test']],
  ])('is as good as another at %s', async (_, bank) => {
    const odd = ['--psu-ip', '127.0.0.1', '--redirect-uri', 'http://tpp.example/cb'];
    const made = await obk(['profile', 'create', 'acme', '--signing', 'none', ...bank, ...odd]);
    expect({ code: made.code, warnings: warnings(made.stderr) }).toEqual({ code: 0, warnings: [] });
    expect(await told()).toEqual([]);
  });

  it('is told once, not with each later change', async () => {
    await create('acme', ['--base-url', 'https://bank.example', '--psu-ip', '10.0.0.1']);
    const later = await obk(['profile', 'edit', 'acme', '--debtor', 'DE89370400440532013000']);
    expect(warnings(later.stderr)).toEqual([]);
    const changed = await obk(['profile', 'edit', 'acme', '--psu-ip', '10.0.0.2']);
    expect(warnings(changed.stderr)).toHaveLength(1);
  });
});
