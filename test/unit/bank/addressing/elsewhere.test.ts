import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import type { ServedBank } from '../../../../src/bank/door.ts';
import { createBank } from '../../../../src/bank/index.ts';
import { runInside } from '../../../helpers/inside.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanup.splice(0).reverse()) await clean();
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'obk-elsewhere-'));
  cleanup.push(() => {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });
  return home;
}

/** A bank in a home of its own that any client may call by http and https, below a path of its own. */
async function bankElsewhere(): Promise<ServedBank & { httpsBaseUrl: string }> {
  const stop = new AbortController();
  const bank = createBank({ stateDir: newHome(), clock: { now: () => new Date() } });
  let served: Promise<void> = Promise.resolve();
  const doors = doorsFromFlags({ port: 0, httpsPort: 0, basePath: '/psd2', open: true });
  const address = await new Promise<ServedBank>((resolve, reject) => {
    served = bank.serve(
      { without: [], database: ':memory:', name: 'far', doors: [doors] },
      resolve,
      stop.signal,
    );
    served.catch(reject);
  });
  cleanup.push(async () => {
    stop.abort();
    await served;
    await bank.close();
  });
  return { ...address, httpsBaseUrl: address.httpsBaseUrl ?? '' };
}

/** Runs obk in another home, with what tells it where the bank is. */
function another(there: ServedBank, at: string, env: NodeJS.ProcessEnv = {}) {
  const home = newHome();
  const all = {
    ...{
      HOME: home,
      OBK_CONFIG_DIR: join(home, 'c'),
      OBK_STATE_DIR: join(home, 's'),
      PATH: process.env['PATH'],
    },
    ...{ OBK_SANDBOX: at, OBK_SANDBOX_TOKEN_FROM: `file:${there.tokenFile}`, ...env },
  };
  return (...args: string[]) => runInside(args, { env: all, cwd: home, input: '' });
}

const pay = [
  ...[
    'payment',
    'init',
    '--product',
    'sepa-credit-transfers',
    '--creditor-account',
    'DE89370400440532013000',
  ],
  ...['--creditor-name', 'Shop', '--amount', '3.00', '--no-input', '--json'],
];

describe('a bank of another home', () => {
  it.each(['baseUrl', 'httpsBaseUrl'] as const)(
    'is steered and paid at below its base path: %s',
    async (which) => {
      const there = await bankElsewhere();
      const run = another(there, there[which], { OBK_SANDBOX_CA: there.caPath });
      const set = await run('sandbox', 'scenario', 'set', 'bulk', 'partial', '--json');
      expect(set).toMatchObject({ code: 0 });
      const paid = await run(...pay);
      expect(paid).toMatchObject({ code: 0 });
      const { profile, paymentId } = JSON.parse(paid.stdout) as { profile: string; paymentId: string };
      expect(profile).toBe(`sandbox@${there[which]}`);
      const status = await run('payment', 'status', '@last', '--json');
      expect(JSON.parse(status.stdout)).toEqual({ transactionStatus: 'RCVD' });
      const listed = await run('payment', 'list', '--profile', profile, '--json');
      expect(JSON.parse(listed.stdout)).toMatchObject([{ paymentId }]);
    },
  );

  it('is trusted at https by --ca and OBK_SANDBOX_CA, and by nothing else', async () => {
    const there = await bankElsewhere();
    const run = another(there, there.httpsBaseUrl);
    const blind = await run('sandbox', 'people');
    expect(blind.code).not.toBe(0);
    expect(blind.stderr).toContain('--ca FILE or OBK_SANDBOX_CA=FILE');
    expect(await run('sandbox', 'people', '--ca', there.caPath)).toMatchObject({ code: 0 });
    const broken = join(newHome(), 'ca.pem');
    for (const content of ['', 'nothing', '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n']) {
      writeFileSync(broken, content);
      const refused = await run('sandbox', 'people', '--ca', broken);
      expect(refused).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining(broken) as string,
      });
    }
    expect(await run('sandbox', 'people', '--ca', 'none.pem')).toMatchObject({ code: 3 });
    expect(readFileSync(there.caPath, 'utf8')).toContain('BEGIN CERTIFICATE');
  });

  it.each([
    [200, '<html>'],
    [404, 'not here'],
    [404, '[]'],
    [400, '{}'],
  ])('is distinguished from another server: %i %s', async (status, body) => {
    const there = await bankElsewhere();
    const server = createServer((_, outgoing) => outgoing.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => server.close());
    const at = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const { code, stderr } = await another(there, at)('sandbox', 'people');
    expect({ code, known: stderr.includes('No control API of a bank answers') }).toEqual({
      code: 3,
      known: true,
    });
  });
});

it('a bank that was reset accepts the same intent key again, and one that goes on does not', async () => {
  const there = await bankElsewhere();
  const run = another(there, there.baseUrl);
  const paid = async () => {
    const { code, stdout } = await run(...pay, '--intent-key', 'order-1');
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { paymentId: string }).paymentId;
  };
  const first = await paid();
  expect(await paid()).toBe(first);
  expect(await run('sandbox', 'reset', '--yes')).toMatchObject({ code: 0 });
  const second = await paid();
  expect(second).not.toBe(first);
  expect(await run('payment', 'status', '@last')).toMatchObject({ code: 0 });
});
