// obk alone at a terminal: each choice fits a line of 80 columns, and its command is taken as it stands.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fakePerson } from '../../../helpers/fakes/people.ts';
import { runInside } from '../../../helpers/inside.ts';
import { shop } from '../../../helpers/obk.ts';
import { rawServer } from '../../../helpers/raw-server.ts';
import { typedBank } from '../../../helpers/typed-bank.ts';

it('offers what is pending by an id that fits the line and names it', async () => {
  const bank = await rawServer((socket) => socket.destroy());
  const folder = mkdtempSync(join(tmpdir(), 'obk-home-'));
  const env = { ...process.env, OBK_CONFIG_DIR: join(folder, 'c'), OBK_STATE_DIR: join(folder, 's') };
  const person = fakePerson();
  const obk = (args: readonly string[], more = {}) => runInside(args, { env, cwd: folder, ...more });
  try {
    const address = `http://127.0.0.1:${String(bank.port)}`;
    const profile = ['--base-url', address, '--environment', 'test', '--signing', 'none'];
    await obk(['profile', 'create', 'acme', ...profile, '--psu-ip', '192.0.2.1']);
    const debtor = ['--debtor', 'DE89370400440532013000'];
    expect((await obk(['payment', 'init', ...shop, ...debtor, '--amount', '1.00'])).code).toBe(12);
    const { stderr } = await obk([], { terminal: true, ports: { person: person.answer('home', '') } });
    expect(stderr).toContain('Pending: 1');
    const { options } = person.asked[0] as unknown as { options: { name: string }[] };
    for (const { name } of options) expect(name.length, name).toBeLessThanOrEqual(76);
    const [pending] = options.map(({ name }) => name);
    const [, id = ''] = /^Unknown: .* +obk pending show (\S+)$/.exec(pending ?? '') ?? [];
    const seen = await obk(['pending', 'show', id], { terminal: true, columns: 80 });
    expect(seen).toMatchObject({ code: 0, stderr: expect.stringContaining('obk log show ') as string });
  } finally {
    await bank.close();
  }
});

it('tells a cancellation that waits from a payment that waits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-home-'));
  const env = { ...process.env, OBK_CONFIG_DIR: join(folder, 'c'), OBK_STATE_DIR: join(folder, 's') };
  const person = fakePerson();
  const bank = await typedBank(({ method, path }) => {
    const own = `${path}/cancellation-authorisations`;
    if (method === 'DELETE')
      return [202, { _links: { startAuthorisationWithPsuAuthentication: { href: own } } }];
    return [method === 'POST' ? 201 : 200, { transactionStatus: 'ACTC', paymentId: 'p-1', _links: {} }];
  });
  const obk = (args: readonly string[], more = {}) => runInside(args, { env, cwd: folder, ...more });
  try {
    const profile = [
      '--base-url',
      `http://127.0.0.1:${String(bank.port)}`,
      '--environment',
      'test',
      '--signing',
      'none',
    ];
    await obk(['profile', 'create', 'acme', ...profile, '--psu-ip', '192.0.2.1']);
    const debtor = ['--debtor', 'DE89370400440532013000'];
    const made = await obk(['payment', 'init', ...shop, ...debtor, '--amount', '1.00', '--authorise-later']);
    expect(made.code, made.stderr).toBe(0);
    const begun = await obk(['payment', 'cancel', 'p-1', '--yes']);
    expect(begun.code, begun.stderr).toBe(0);
    await obk([], { terminal: true, ports: { person: person.answer('home', '') } });
    const { options } = person.asked[0] as unknown as { options: { name: string }[] };
    expect(options[0]?.name).toMatch(/^Open: cancellation of 1\.00 EUR to Shop/);
  } finally {
    await bank.close();
  }
});

it('offers the profiles that there are where none can be used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-home-'));
  const env = { ...process.env, OBK_CONFIG_DIR: join(folder, 'c'), OBK_STATE_DIR: join(folder, 's') };
  const obk = (args: readonly string[], more = {}) => runInside(args, { env, cwd: folder, ...more });
  const where = ['--base-url', 'http://127.0.0.1:9', '--environment', 'test', '--signing', 'none'];
  for (const name of ['acme', 'nordic'])
    expect((await obk(['profile', 'create', name, ...where])).code).toBe(0);
  const person = fakePerson();
  const gone = { ...env, OBK_PROFILE: 'gone' };
  const ports = { person: person.answer('home', '') };
  const { code, stderr } = await obk([], { env: gone, terminal: true, ports });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('There is no profile "gone".') as string,
  });
  const { options } = person.asked[0] as unknown as { options: { name: string }[] };
  expect(options.map(({ name }) => name.replace(/ {2,}/, ' | '))).toEqual([
    'Work with acme | obk profile use acme',
    'Work with nordic | obk profile use nordic',
    'See all profiles | obk doctor --all',
    'See the banks inside that run | obk sandbox status',
    'Connect a bank | obk profile create',
    'See every command | obk help',
    'Nothing',
  ]);
});
