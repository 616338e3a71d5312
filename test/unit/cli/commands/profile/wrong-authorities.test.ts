// Authorities that nothing can be checked with: refused before a profile is saved, told by `doctor` where it was saved all the same.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';

const day = 86_400_000;
const past = { notBefore: new Date(Date.now() - 9 * day), notAfter: new Date(Date.now() - day) };
const future = { notBefore: new Date(Date.now() + day), notAfter: new Date(Date.now() + 9 * day) };
const files = new Map<string, string>();
let folder: string;

beforeAll(async () => {
  const root = await makeCertificate({ subject: 'CN=Root', keyUsage: 'keyCertSign' });
  const noSigner = { keyUsage: 'digitalSignature' } as const;
  files.set('root.pem', root.certificate);
  files.set('expired.pem', (await makeCertificate({ subject: 'CN=Old Root', ...past })).certificate);
  files.set('future.pem', (await makeCertificate({ subject: 'CN=New Root', ...future })).certificate);
  files.set('no-signer.pem', (await makeCertificate({ subject: 'CN=No Signer', ...noSigner })).certificate);
  files.set('two.pem', `${root.certificate}\n${files.get('expired.pem') ?? ''}`);
  for (const [name, more] of [
    ['chain-expired', { ...past, keyUsage: 'keyCertSign' }],
    ['chain-future', { ...future, keyUsage: 'keyCertSign' }],
    ['chain-no-signer', noSigner],
    ['chain', { keyUsage: 'keyCertSign' }],
  ] as const) {
    const middle = await makeCertificate({ subject: 'CN=Middle', issuer: root, authority: true, ...more });
    const own = await makeCertificate({ subject: 'CN=Own', issuer: middle, names: ['tpp.example'] });
    files.set(`${name}.pem`, `${own.certificate}\n${middle.certificate}`);
    files.set(`${name}.key`, own.key);
  }
});
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), 'obk-wrong-authorities-'));
  for (const [name, text] of files) writeFileSync(join(folder, name), text, { mode: 0o600 });
});

const obk = (args: readonly string[]) =>
  runInside([...args, '--json', '--no-input'], {
    env: { ...process.env, OBK_CONFIG_DIR: join(folder, 'config'), OBK_STATE_DIR: join(folder, 'state') },
    cwd: folder,
  });
const create = (...flags: readonly string[]) =>
  obk(['profile', 'create', 'acme', '--base-url', 'https://bank.example', '--environment', 'test', ...flags]);
const told = async (check: string) => {
  const { stdout } = await obk(['doctor', '--profile', 'acme', '--offline']);
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; state: string; text: string; hint: string | null }[];
  };
  return findings.filter((one) => one.check === check && one.state !== 'ok');
};

const unsigned = ['--signing', 'none'];
const signs = (name: string) => ['--certificate', `${name}.pem`, '--key', `${name}.key`];
const tls = (name: string) => [...unsigned, '--tls-certificate', `${name}.pem`, '--tls-key', `${name}.key`];

describe('a profile', () => {
  it.each([
    ['ca', [...unsigned, '--ca', 'expired.pem'], 'CN=Old Root expired on'],
    ['ca', [...unsigned, '--ca', 'future.pem'], 'CN=New Root is not valid before'],
    ['ca', [...unsigned, '--ca', 'no-signer.pem'], 'CN=No Signer may sign no certificates'],
    ['qsealc', signs('chain-expired'), 'CN=Middle expired on'],
    ['qsealc', signs('chain-future'), 'CN=Middle is not valid before'],
    ['qsealc', signs('chain-no-signer'), 'CN=Middle may sign no certificates'],
    ['qwac', tls('chain-expired'), 'CN=Middle expired on'],
    ['qwac', tls('chain-no-signer'), 'CN=Middle may sign no certificates'],
  ])('is not saved, and doctor tells of %s %j', async (check, flags, said) => {
    const refused = await create(...flags);
    expect(refused.code, refused.stderr).toBe(3);
    const { detail, hint } = oneError(refused);
    expect(detail).toContain(said);
    expect(hint[0]).toMatch(/^--(ca|certificate|tls-certificate) FILE$/);
    expect((await create(...flags, '--no-check')).code).toBe(0);
    const found = (await told(check)).filter(({ text }) => text.includes('CN='));
    expect(found).toMatchObject([{ state: 'fail', text: expect.stringContaining(said) as string }]);
    expect(found[0]?.hint).toMatch(/^obk profile edit acme --/);
  });

  it('is saved with one good authority among others, of which doctor warns', async () => {
    const made = await create(...unsigned, '--ca', 'two.pem');
    expect(made.code, made.stderr).toBe(0);
    expect(await told('ca')).toMatchObject([
      { state: 'warn', text: expect.stringContaining('CN=Old Root expired on') as string },
    ]);
  });

  it('is saved with a chain that is right', async () => {
    const made = await create(...signs('chain'), '--ca', 'root.pem');
    expect(made.code, made.stderr).toBe(0);
    expect(await told('ca')).toEqual([]);
  });
});

it.each([
  ['chain-expired', 'chain-expired', 'CN=Middle in its chain: it expired on'],
  ['chain-future', 'chain-not-yet-valid', 'CN=Middle in its chain: it is not valid before'],
  ['chain-no-signer', 'chain-no-authority', 'CN=Middle has the name of its issuer, and may sign no'],
])('cert lint tells of %s by the name of the authority', async (name, rule, said) => {
  const { stdout } = await obk(['cert', 'lint', `${name}.pem`]);
  const { findings } = JSON.parse(stdout) as { findings: { rule: string; text: string }[] };
  expect(findings).toContainEqual(
    expect.objectContaining({ rule, text: expect.stringContaining(said) as string }),
  );
  expect(findings.map((one) => one.rule)).not.toContain('expired');
});
