// PSU-IP-Address of a creation: a person is asked for it first, a script is told the flag, and the bank gets what was said.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/people.ts';
import type { FakePerson } from '../../../../helpers/fakes/people.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { shop } from '../../../../helpers/obk.ts';

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'obk-psu-ip-'));
  const made = 'profile create acme --base-url http://127.0.0.1:9 --environment test --signing none';
  expect((await obk(made.split(' '), fakePerson({ present: false }))).code).toBe(0);
});

function obk(args: readonly string[], person: FakePerson, more: Record<string, string> = {}) {
  const env = {
    ...process.env,
    OBK_CONFIG_DIR: join(folder, 'c'),
    OBK_STATE_DIR: join(folder, 's'),
    ...more,
  };
  return runInside(args, { env, cwd: folder, ports: { person } });
}

const iban = 'DE89370400440532013000';
const payment = [
  'payment',
  'init',
  ...shop,
  '--amount',
  '1.00',
  '--debtor',
  iban,
  '--remittance',
  'x',
  '--yes',
];
const creations = [
  ['payment init', payment],
  ['consent create', ['consent', 'create', '--iban', iban, '--yes']],
  ['accounts --create-consent', ['accounts', 'list', '--create-consent', '--iban', iban]],
] as const;

const sent = (stdout: string) => /psu-ip-address\W+(?:value\W+)?([0-9a-f.:]+)/i.exec(stdout)?.[1];

describe.each(creations)('%s', (_, args) => {
  const dry = [...args, '--dry-run', '--json'];

  it('asks a person for the address before anything else, checks it, and sends it', async () => {
    const person = fakePerson().answer('psu-ip', '2001:db8::17');
    const { code, stdout, stderr } = await obk(dry, person);
    expect(code, stderr).toBe(0);
    expect(person.asked[0]).toMatchObject({ id: 'psu-ip', flag: '--psu-ip' });
    const [question] = person.asked as unknown as { check: (text: string) => string | undefined }[];
    expect(question?.check('localhost')).toContain('not an IPv4 or IPv6 address');
    expect(question?.check('192.0.2.1')).toBeUndefined();
    expect(sent(stdout)).toBe('2001:db8::17');
    expect(stderr).toContain('obk profile edit acme --psu-ip 2001:db8::17');
  });

  it.each([
    ['the flag', ['--psu-ip', '192.0.2.2'], {}],
    ['OBK_PSU_IP', [], { OBK_PSU_IP: '192.0.2.2' }],
  ])('is answered by %s', async (_way, flags, env) => {
    const { code, stdout, stderr } = await obk([...dry, ...flags], fakePerson(), env);
    expect(code, stderr).toBe(0);
    expect(sent(stdout)).toBe('192.0.2.2');
  });

  it('says the flag where nobody is there', async () => {
    const { code, stdout, stderr } = await obk([...args], fakePerson({ present: false }));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--psu-ip');
  });
});
