import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runInside } from '../../../helpers/inside.ts';
import { rawServer, wire } from '../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../helpers/tls.ts';

const day = 86_400_000;

it('shows every profile in a line: certificates, consents, tokens, what is pending, and the last call that went well', async () => {
  const home = mkdtempSync(join(tmpdir(), 'obk-doctor-all-'));
  const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  const obk = async (words: string, code = 0) => {
    const ran = await runInside(words.split(' '), { env, cwd: home });
    expect(ran.code, ran.stderr).toBe(code);
    return ran.stdout;
  };
  const server = await rawServer((socket, { head }) => {
    const isCreated = head.startsWith('POST ');
    const body = isCreated
      ? { consentStatus: 'received', consentId: 'c1', _links: { self: { href: '/v1/consents/c1' } } }
      : head.includes('/consents/')
        ? {
            ...{ consentStatus: 'valid', access: { accounts: [] }, recurringIndicator: true },
            ...{ validUntil: '2099-12-31', frequencyPerDay: 4, lastActionDate: '2026-01-01' },
          }
        : { accounts: [] };
    const status = head.includes('broken')
      ? '500 Internal Server Error'
      : isCreated
        ? '201 Created'
        : '200 OK';
    socket.end(wire(status, JSON.stringify(body), ['Content-Type: application/json', 'Connection: close']));
  });
  onTestFinished(() => server.close());
  const ca = await makeCertificate({ subject: 'CN=CA' });
  const issue = (days: number) =>
    makeCertificate({
      ...{ subject: 'CN=TPP', issuer: ca, names: ['tpp.example'] },
      notBefore: new Date(Date.now() - 99 * day),
      notAfter: new Date(Date.now() + days * day + 3_600_000),
    });
  for (const [name, days] of Object.entries({ good: 99, late: 9, over: -9 })) {
    const pair = await issue(days);
    writeFileSync(join(home, `${name}.pem`), pair.certificate);
    writeFileSync(join(home, `${name}.key`), pair.key, { mode: 0o600 });
    await obk(
      `profile create ${name} --base-url http://127.0.0.1:${String(server.port)} --certificate ${name}.pem --key ${name}.key --psu-ip 192.0.2.1 --redirect-uri https://tpp.example/back --no-check`,
    );
  }
  await obk(
    'consent create --iban DE89370400440532013000 --valid-until 2099-12-31 --profile late --authorise-later',
  );
  await obk('consent status c1 --profile late');
  await obk('api get /v1/accounts --profile good');
  const before = server.arrivals.length;
  // What no call could be made with is not ok, whatever the days of its certificate.
  const file = join(home, 'config', 'config.json');
  const saved = JSON.parse(readFileSync(file, 'utf8')) as { profiles: Record<string, object> };
  const { good = {} } = saved.profiles;
  const { baseUrl: _, ...nowhere } = good as { baseUrl?: string };
  Object.assign(saved.profiles, {
    x1: { ...good, key: join(home, 'late.key') },
    x2: { ...good, timeoutMs: -5 },
    x3: nowhere,
    x4: { ...good, key: join(home, 'none.key') },
    x5: { extends: 'x6' },
    x6: { extends: 'x5' },
    x7: { ...good, tlsCertificate: join(home, 'good.pem') },
    // A passphrase that is asked for is no fault.
    y1: { ...good, key: join(home, 'locked.key') },
    y2: { ...good, key: join(home, 'locked.key'), keyPassphraseFrom: 'env:NO_SUCH_VARIABLE' },
  });
  writeFileSync(file, JSON.stringify(saved), { mode: 0o600 });
  const locked = createPrivateKey(readFileSync(join(home, 'good.key'))).export({
    ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'geheim' },
  });
  writeFileSync(join(home, 'locked.key'), locked, { mode: 0o600 });
  const rows = JSON.parse(await obk('doctor --all --json', 10)) as Record<string, unknown>[];
  expect(server.arrivals).toHaveLength(before);
  const recent = expect.stringMatching(/^20\d\d-/) as string;
  expect(rows).toMatchObject([
    { profile: 'good', state: 'ok', certificateDaysLeft: 99, consents: 0, lastGoodCall: recent },
    {
      profile: 'late',
      state: 'soon',
      certificateDaysLeft: 9,
      consents: 1,
      consentUntil: '2099-12-31',
      pending: 0,
      lastGoodCall: recent,
    },
    { profile: 'over', state: 'bad', certificateDaysLeft: -9, lastGoodCall: null },
    ...(
      [
        ['x1', /does not belong to the/],
        ['x2', /timeoutMs/],
        ['x3', /no address/],
        ['x4', /none\.key/],
        ['x5', /extend itself/],
        ['x6', /extend itself/],
        ['x7', /no key for it/],
      ] as const
    ).map(([profile, error]) => ({
      ...{ profile, state: 'bad' },
      error: expect.stringMatching(error) as string,
    })),
    { profile: 'y1', state: 'ok', error: null },
    { profile: 'y2', state: 'bad', error: expect.stringContaining('NO_SUCH_VARIABLE') as string },
  ]);
  const shown = await runInside(['doctor', '--all'], { env, cwd: home, columns: 80, terminal: true });
  expect(shown.stdout).toMatch(/x3 .*It has no address/);
  expect(shown.stdout + shown.stderr).toContain('obk doctor --profile over');
});
