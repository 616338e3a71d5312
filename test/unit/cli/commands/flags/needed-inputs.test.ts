import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/index.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { createObk, shop } from '../../../../helpers/obk.ts';

let calls = 0;
const bank = createServer((_, answer) => {
  calls += 1;
  answer.writeHead(500).end();
});
const obk = createObk({ OBK_PROFILE: 'acme' });
const folder = mkdtempSync(join(tmpdir(), 'inputs-'));
const payment = ['payment', 'init', ...shop, '--debtor', 'DE89370400440532013000', '--amount', '1.00'];
const consent = ['consent', 'create', '--all-psd2'];

beforeAll(async () => {
  await new Promise<void>((done) => bank.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${String((bank.address() as AddressInfo).port)}`;
  const made = await inside([
    ...['profile', 'create', 'acme', '--base-url', base, '--environment', 'test', '--variant', 'v1'],
    ...['--signing', 'none'],
  ]);
  expect(made.code, made.stderr).toBe(0);
  writeFileSync(join(folder, 'there'), 'geheim', { mode: 0o600 });
});
afterAll(() => {
  obk.close();
  bank.close();
});

const inside = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runInside(args, { env: { ...obk.env, ...env }, cwd: folder, input: '' });

/** Runs with a person who may be asked nothing. */
const asked = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  calls = 0;
  const person = fakePerson();
  const options = { env: { ...obk.env, ...env }, cwd: folder, input: '', ports: { person } };
  const { code, stderr } = await runInside([...args, '--json'], options);
  return { code, stderr, asked: person.asked, calls };
};

describe('what is missing', () => {
  it.each([
    ['a payment that nobody has described yet', ['payment', 'init', '--product', 'sepa-credit-transfers']],
    ['a payment', payment],
    ['a consent', consent],
    ['a consent that nobody has described yet', ['consent', 'create']],
    [
      'a consent that is made for a read',
      ['accounts', '--create-consent', '--iban', 'DE89370400440532013000'],
    ],
  ])(
    'PSU-IP-Address of %s is found before anything is sent, and asked for before all else',
    async (_, args) => {
      calls = 0;
      const { code, stderr } = await inside([...args, '--json']);
      expect([code, calls]).toEqual([2, 0]);
      expect(stderr).toContain('--psu-ip');
      const ran = await asked(args);
      expect(ran.asked[0]).toMatchObject({ id: 'psu-ip' });
      expect(ran.asked).toHaveLength(1);
      expect(ran.calls).toBe(0);
    },
  );

  const flags = ['--psu-password-from', '--otp-from', '--psu-encrypted-password-from'];
  const ways = [
    ['env:NOT_SET', 'The environment variable NOT_SET is not set.'],
    ['file:not-there', 'not-there: it does not exist.'],
    ['file:.', '.: it is a directory.'],
  ];
  const submit = ['sca', 'submit', '@last'];
  const commands = [
    ...[payment, consent, ['payment', 'cancel', '@last'], ['payment', 'authorise', '@last'], submit],
  ];
  const steps = [['sca', 'open', '@last'], ['sca', 'select', '@last', '--sca-method', 'sms'], submit];
  it.each(
    commands.flatMap((args) =>
      flags.flatMap((flag) => ways.map(([way = '', why = '']) => [args, flag, way, why] as const)),
    ),
  )('%j %s %s is found before anything is asked or sent', async (args, flag, way, why) => {
    const ran = await asked([...args, '--psu-ip', '192.0.2.1', flag, way]);
    expect(ran).toMatchObject({ code: 3, asked: [], calls: 0 });
    const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as {
      error: { code: string; detail: string };
    };
    expect(error).toMatchObject({ code: 'SECRET_REFERENCE', detail: `${why} Nothing was sent.` });
  });

  const rule = (from: string, on = '') => ['--header-rule', `default X-Key from ${from}${on}`];
  const withRule = async (from: string, on = '') => {
    const edited = await inside(['profile', 'edit', 'acme', ...rule(from, on)]);
    expect(edited.code, edited.stderr).toBe(0);
  };
  const dropRules = async () => {
    const edited = await inside(['profile', 'edit', 'acme', '--header-rule', '']);
    expect(edited.code, edited.stderr).toBe(0);
  };

  it.each(ways)('a rule of a header that is read from %s is found as well', async (from, why) => {
    await withRule(from);
    for (const args of [...commands, ...steps]) {
      const ran = await asked([...args, '--psu-ip', '192.0.2.1']);
      expect(ran, args.join(' ')).toMatchObject({ code: 3, asked: [], calls: 0 });
      expect(ran.stderr).toContain('SECRET_REFERENCE');
      expect(ran.stderr).toContain(why);
      expect(ran.stderr).toContain('the header X-Key');
    }
    // That of a step behind the first one, too, and only where such a step is possible.
    await withRule(from, ' on updatePaymentPsuData');
    const first = ['payment', 'init', '--product', 'sepa-credit-transfers', '--psu-ip', '192.0.2.1'];
    expect(await asked(first)).toMatchObject({ code: 3, asked: [], calls: 0 });
    expect((await asked([...consent, '--psu-ip', '192.0.2.1'])).calls).toBe(1);
    expect((await inside(['auth', 'status', '--json'])).code).toBe(0);
    await dropRules();
  });

  it('a variable that names such a reference is found as well, unless it is that of another customer', async () => {
    const env = { OBK_OTP_FROM: 'env:NOT_SET', OBK_PSU_ID: 'anna' };
    expect(await asked([...payment, '--psu-ip', '192.0.2.1'], env)).toMatchObject({ code: 3, calls: 0 });
    const other = await inside([...payment, '--psu-ip', '192.0.2.1', '--psu-id', 'bert'], env);
    expect(other.stderr).not.toContain('NOT_SET');
  });

  it('what is there is not read before it is needed', async () => {
    calls = 0;
    const there = `file:${join(folder, 'there')}`;
    const ran = await inside([...payment, '--psu-ip', '192.0.2.1', '--amount', '2.00', '--otp-from', there]);
    expect(ran.stderr).not.toContain('SECRET_REFERENCE');
    expect(calls, ran.stderr).toBe(1);
    const program = `cmd:${process.execPath} -e process.exit(1)`;
    expect((await inside([...consent, '--psu-ip', '192.0.2.1', '--otp-from', program])).stderr).not.toContain(
      'SECRET_REFERENCE',
    );
    expect(calls).toBe(2);
  });
});
