// `obk state doctor` where the way, the certificate, the clock, the schema or the rights are not what they should be.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaVersion } from '../../../../../src/adapters/postgres/schema.ts';
import { serverAddress } from '../../../../../src/adapters/postgres/server-address.ts';
import { checksOf } from '../../../../../src/adapters/shared-state/state-checks.ts';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import type { Secret } from '../../../../../src/base/secret.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';
import { hasPostgres, stateEnvironment, testDatabase, testVault } from '../../../../helpers/postgres.ts';
import { tlsBefore } from '../../../../helpers/tls-before-postgres.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';
import type { Pair } from '../../../../helpers/tls.ts';

const shared = testDatabase();

interface Finding {
  check: string;
  state: string;
  text: string;
  hint: string | null;
}

describe.skipIf(!hasPostgres())('obk state doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'obk-doctor-'));
  let authority: Pair;
  let ca: string;
  let otherCa: string;
  const run = (words: string, url: Secret) =>
    runInside(words.split(' '), {
      cwd: folder,
      env: {
        ...process.env,
        ...{ OBK_CONFIG_DIR: join(folder, 'config'), OBK_STATE_DIR: join(folder, 'state') },
        ...stateEnvironment(url.reveal()),
      },
    });
  async function findings(url?: Secret): Promise<readonly Finding[]> {
    const { stdout } = await run('state doctor --json', url ?? (await shared.url()));
    return (JSON.parse(stdout) as { findings: Finding[] }).findings;
  }
  const bad = async (url?: Secret) => (await findings(url)).filter(({ state }) => state !== 'ok');

  beforeAll(async () => {
    authority = await makeCertificate({ subject: 'CN=Test Authority' });
    const other = await makeCertificate({ subject: 'CN=Another Authority' });
    [ca, otherCa] = [join(folder, 'ca.pem'), join(folder, 'other.pem')] as const;
    writeFileSync(ca, authority.certificate);
    writeFileSync(otherCa, other.certificate);
  });
  afterAll(() => shared.end());

  it('takes a server by name and by address where its certificate is for that', async () => {
    for (const [name, host] of [
      ['localhost', 'localhost'],
      ['127.0.0.1', '127.0.0.1'],
    ] as const) {
      const pair = await makeCertificate({ subject: 'CN=db', issuer: authority, names: [name] });
      const proxy = await tlsBefore(await shared.url(), pair);
      const all = await findings(proxy.url(host, ca));
      expect(all.find(({ check }) => check === 'tls')?.text).toMatch(/^certificate and name of the server/);
      expect(all.filter(({ state, check }) => state !== 'ok' && check !== 'durable')).toEqual([]);
      proxy.close();
    }
  });

  const past = { notBefore: new Date(Date.now() - 2e9), notAfter: new Date(Date.now() - 1e9) };
  it.each([
    ['for another name', ['db.example'], 'localhost', true, {}, /another name: db\.example\./, /db\.example/],
    [
      'for a name and not the address',
      ['localhost'],
      '127.0.0.1',
      true,
      {},
      /another name: localhost/,
      /localhost/,
    ],
    [
      'of a foreign authority',
      ['localhost'],
      'localhost',
      false,
      {},
      /authority that is not trusted/,
      /sslrootcert/,
    ],
    ['over', ['localhost'], 'localhost', true, past, /has expired/, /openssl s_client/],
  ] as const)(
    'refuses a server whose certificate is %s',
    async (_, names, host, trusted, dates, text, hint) => {
      const pair = await makeCertificate({ subject: 'CN=db', issuer: authority, names, ...dates });
      const proxy = await tlsBefore(await shared.url(), pair);
      const url = proxy.url(host, trusted ? ca : otherCa);
      expect(await bad(url)).toMatchObject([
        { check: 'reachable', state: 'fail', text: expect.stringMatching(text) as unknown },
      ]);
      const { code, exitCode, hint: hints } = oneError(await run('state status --json', url));
      expect({ code, exitCode }).toEqual({ code: 'STATE_UNREACHABLE', exitCode: 3 });
      expect(hints.join('\n')).toMatch(hint);
      proxy.close();
    },
  );

  it('refuses a server without TLS where it has to have it', async () => {
    const proxy = await tlsBefore(await shared.url(), undefined);
    expect(await bad(proxy.url('localhost', ca))).toMatchObject([
      { check: 'reachable', state: 'fail', text: expect.stringContaining('does not speak TLS') as unknown },
    ]);
    proxy.close();
  });

  it('tells by how much the clock of this machine differs, and that nothing goes by it', async () => {
    const clock = createClock();
    const drift = async (ms: number) => {
      const checks = await checksOf({
        database: shared.open(),
        vault: () => Promise.resolve(testVault()),
        address: async () => serverAddress(await shared.url()),
        clock: { ...clock, now: () => new Date(clock.now().getTime() + ms) },
      });
      return checks.find(({ check }) => check === 'clock');
    };
    expect(await drift(0)).toMatchObject({ state: 'ok' });
    expect(await drift(3_600_000)).toMatchObject({
      ...{ state: 'warn', hint: 'timedatectl set-ntp true' },
      text: expect.stringMatching(/^this machine is 3(600|599|601) s ahead of the server; /) as unknown,
    });
    expect(await drift(-90_000)).toMatchObject({
      state: 'warn',
      text: expect.stringMatching(/^this machine is (90|89|91) s behind/) as unknown,
    });
  });

  it('tells tables of an obk before the first release, which no run touches', async () => {
    const beside = /^obk config set state\.schema obk_new /;
    const administrator = await shared.administer();
    await administrator.rows('UPDATE migration SET version = version - 1');
    try {
      expect(await bad()).toMatchObject([
        { check: 'durable' },
        { check: 'schema', state: 'fail', hint: expect.stringMatching(beside) as unknown },
      ]);
      const { code, exitCode, hint } = oneError(await run('payment list --json', await shared.url()));
      expect({ code, exitCode }).toEqual({ code: 'STATE_UNREADABLE', exitCode: 3 });
      expect(hint[0]).toMatch(beside);
    } finally {
      await administrator.rows('UPDATE migration SET version = $1', [schemaVersion]);
    }
  });

  it('tells what a role may not do, from the schema to one table', async () => {
    const administrator = await shared.administer();
    for (const [taken, given, text] of [
      [
        'REVOKE USAGE ON SCHEMA obk FROM obk',
        'GRANT USAGE ON SCHEMA obk TO obk',
        /^obk may not use the schema obk/,
      ],
      ['REVOKE SELECT ON migration FROM obk', 'GRANT SELECT ON migration TO obk', /permission denied/],
      ['REVOKE UPDATE ON intent FROM obk', 'GRANT UPDATE ON intent TO obk', /^obk lacks UPDATE on intent$/],
      ['ALTER TABLE usage RENAME TO usage_', 'ALTER TABLE usage_ RENAME TO usage', /usage.* does not exist/],
    ] as const) {
      await administrator.rows(taken);
      const found = (await bad()).filter(({ check }) => check !== 'durable');
      await administrator.rows(given);
      expect(found, taken).toMatchObject([{ state: 'fail', text: expect.stringMatching(text) as unknown }]);
      expect(found[0]?.hint, taken).toMatch(/^obk state (init --role|migrate|doctor)|^obk help/);
    }
  });
});
