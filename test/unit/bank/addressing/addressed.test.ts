import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import type { BankOptions, ServedBank } from '../../../../src/bank/door.ts';
import type { HandledBank } from '../../../helpers/steered-bank.ts';
import { createBank } from '../../../helpers/steered-bank.ts';
import { Secret } from '../../../../src/base/secret.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanup.splice(0).reverse()) await clean();
});

function newHome(): string {
  const stateDir = mkdtempSync(join(tmpdir(), 'obk-addressed-'));
  cleanup.push(() => {
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 3 });
  });
  return stateDir;
}

/** A run of obk in this home that addresses a bank, or none. */
function run(stateDir: string, at?: string, token?: string): HandledBank {
  const bank = createBank({
    stateDir,
    clock: { now: () => new Date() },
    warn: () => undefined,
    ...(at !== undefined && { at }),
    ...(token !== undefined && { token: () => Promise.resolve(new Secret(token)) }),
  });
  cleanup.push(() => bank.close());
  return bank;
}

async function started(
  stateDir: string,
  options: Omit<Partial<BankOptions>, 'doors'> & { doors?: { httpsPort: number } } = {},
) {
  const stop = new AbortController();
  let served: Promise<void> = Promise.resolve();
  const address = await new Promise<ServedBank>((resolve, reject) => {
    served = run(stateDir).serve(
      { without: [], ...options, doors: [doorsFromFlags({ port: 0, ...options.doors })] },
      resolve,
      stop.signal,
    );
    served.catch(reject);
  });
  const end = async () => {
    stop.abort();
    await served;
  };
  cleanup.push(end);
  return { ...address, end };
}

const fault = { operation: 'getAccountList', kind: 'html', count: 1 } as const;

describe('two banks in one home', () => {
  it("never get each other's commands: each has its own ledger, faults, clock and token", async () => {
    const home = newHome();
    await started(home);
    await started(home, { name: 'blue' });
    await started(home, { name: 'green', database: ':memory:' });
    await run(home, 'blue').addFault(fault);
    await run(home, 'green').clock('+1d');
    const all = await Promise.all(
      ['default', 'blue', 'green'].map(async (at) => ({
        at,
        faults: (await run(home, at).faults()).length,
        movedMs: (await run(home, at).clock()).movedMs,
        password: (await run(home, at).people())[0]!.password,
      })),
    );
    expect(all.map(({ at, faults, movedMs }) => [at, faults, movedMs])).toEqual([
      ['default', 0, 0],
      ['blue', 1, 0],
      ['green', 0, 86_400_000],
    ]);
    expect(new Set(all.map(({ password }) => password)).size).toBe(3);
    const tokens = (await run(home).status()).map(({ tokenFile }) => readFileSync(tokenFile, 'utf8'));
    expect(new Set(tokens).size).toBe(3);
  });

  it.each([
    ['the default one and another', [{}, { database: ':memory:' }]],
    ['two without a name', [{ database: ':memory:' }, { database: ':memory:' }]],
    ['two with a name', [{ name: 'blue' }, { name: 'green' }]],
  ])('are not taken for one another: %s', async (_, banks) => {
    const home = newHome();
    const there = [];
    for (const one of banks) there.push(await started(home, one));
    for (const act of [
      (bank: HandledBank) => bank.addFault(fault),
      (bank: HandledBank) => bank.reset(),
      (bank: HandledBank) => bank.ensure(),
      (bank: HandledBank) => bank.offline(),
      (bank: HandledBank) => bank.stop(),
      (bank: HandledBank) => bank.passwordKey(),
    ]) {
      const error = await act(run(home)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        code: 'USAGE',
        exit: 2,
        title: '2 banks run here, and none is addressed.',
      });
      for (const { name, baseUrl } of there) {
        expect(error).toMatchObject({ detail: expect.stringContaining(`${name} (${baseUrl})`) as string });
        expect(await run(home, name).faults()).toEqual([]);
      }
    }
  });
});

describe('a bank that runs without others', () => {
  it('is the target of steering and calls, whatever its name', async () => {
    const home = newHome();
    const blue = await started(home, { name: 'blue' });
    await run(home).addFault(fault);
    expect(await run(home, 'blue').faults()).toHaveLength(1);
    expect(await run(home).ensure()).toMatchObject({ baseUrl: blue.baseUrl, embedded: false });
    expect(await run(home).offline()).toMatchObject({ baseUrl: blue.baseUrl });
    expect(JSON.parse(await run(home).passwordKey())).toMatchObject({ kty: 'RSA' });
    await blue.end();
    expect(await run(home).faults()).toEqual([]);
    expect(await run(home).status()).toEqual([]);
  });

  it('stays the one that a run means, until the run ends', async () => {
    const home = newHome();
    await started(home, { name: 'blue' });
    const begun = run(home);
    await begun.addFault(fault);
    await started(home, { name: 'green' });
    expect(await begun.faults()).toHaveLength(1);
    await expect(run(home).faults()).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('is announced with all that a client needs, once it answers', async () => {
    const home = newHome();
    const blue = await started(home, { name: 'blue', doors: { httpsPort: 0 } });
    expect(blue).toMatchObject({
      name: 'blue',
      controlUrl: `${blue.baseUrl}/sandbox/api`,
      httpsBaseUrl: expect.stringMatching(/^https:/) as string,
      database: join(home, 'sandbox', 'banks', 'blue', 'ledger.db'),
      pid: process.pid,
    });
    expect(existsSync(blue.caPath) && existsSync(blue.tokenFile)).toBe(true);
    expect(await run(home, 'blue').status()).toMatchObject([
      { name: 'blue', baseUrl: blue.baseUrl, httpsBaseUrl: blue.httpsBaseUrl, tokenFile: blue.tokenFile },
    ]);
  });
});

it('a bank does by HTTP whatever a command requires, as the default one does in its ledger', async () => {
  const home = newHome();
  await started(home);
  await started(home, { name: 'blue' });
  const all = await Promise.all(
    ['default', 'blue'].map(async (at) => {
      const bank = run(home, at);
      const client = { clientId: 'PSDDE-BAFIN-125314', redirectUris: ['https://tpp.example/cb'] };
      await bank.setScenario('bulk', 'partial');
      const switches = await bank.scenarios();
      const { movedMs } = await bank.clock('+90m');
      const unknown = (work: Promise<unknown>) =>
        work.catch((error: unknown) => (error as { exit: number }).exit);
      return {
        bulk: switches.find(({ name }) => name === 'bulk')?.value,
        movedMs,
        back: (await bank.clock('reset')).movedMs,
        added: await bank.addClient(client),
        clients: await bank.clients(),
        log: await bank.log(0),
        pushes: await bank.pushes(0),
        seeded: (await bank.seed({ transactions: 3, psuId: 'embedded-one' })).psuId,
        exported: (await bank.exportConfig()).includes('people:'),
        refused: await Promise.all([
          unknown(bank.decide('approve', 'none-such')),
          unknown(bank.revoke('none-such')),
          unknown(bank.resend('none-such')),
          unknown(bank.setScenario('bulk', 'none-such')),
          unknown(bank.clock('yesterday')),
          unknown(bank.seed({ transactions: 3, psuId: 'nobody' })),
          unknown(bank.addClient({ clientId: 'ä', redirectUris: [] })),
        ]),
      };
    }),
  );
  expect(all[1]).toEqual(all[0]);
  expect(all[0]?.refused).toEqual([2, 2, 2, 2, 2, 2, 2]);
});

describe('the address of a bank', () => {
  it('is a name, or the URL in any spelling of this machine', async () => {
    const home = newHome();
    const blue = await started(home, { name: 'blue', doors: { httpsPort: 0 } });
    await started(home, { name: 'green' });
    await run(home, blue.baseUrl).addFault(fault);
    const { port } = new URL(blue.baseUrl);
    for (const at of ['blue', `http://localhost:${port}/v1`, blue.httpsBaseUrl])
      expect(await run(home, at).faults()).toHaveLength(1);
    expect(await run(home, 'green').faults()).toEqual([]);
  });

  it.each([
    'nobody',
    'http://127.0.0.1:1',
    'https://bank.example',
    'not a name',
    '../blue',
    'ftp://x',
    'http://u:p@127.0.0.1:1',
  ])('is refused with the list of what runs where nobody has it: %s', async (at) => {
    const home = newHome();
    const blue = await started(home, { name: 'blue' });
    await expect(run(home, at).faults()).rejects.toMatchObject({
      code: 'USAGE',
      exit: 2,
      detail: `Here run: blue (${blue.baseUrl}).`,
    });
  });

  it('needs the token of the other home where its bank belongs to one', async () => {
    const there = await started(newHome(), { name: 'blue' });
    const token = readFileSync(there.tokenFile, 'utf8');
    const home = newHome();
    await run(home, there.baseUrl, token).addFault(fault);
    expect(await run(home, there.baseUrl, token).faults()).toHaveLength(1);
    expect(await run(home, there.baseUrl, token).ensure()).toMatchObject({ baseUrl: there.baseUrl });
    await expect(run(home, there.baseUrl).faults()).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run(home, there.baseUrl, 'wrong').faults()).rejects.toMatchObject({ code: 'USAGE' });
    await expect(run(home, there.baseUrl, token).stop()).rejects.toMatchObject({ code: 'USAGE' });
    await there.end();
    await expect(run(home, there.baseUrl, token).faults()).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
    });
  });
});

describe('the name of a bank', () => {
  it.each(['', '8080', 'a b', '../x', '.x', 'é', 'x'.repeat(65)])(
    'is refused where it cannot be one: %j',
    async (name) => {
      await expect(started(newHome(), { name })).rejects.toMatchObject({ code: 'USAGE' });
    },
  );

  it.each([{}, { name: 'blue' }])('belongs to one bank at a time: %j', async (options) => {
    const home = newHome();
    const results = await Promise.allSettled([1, 2, 3].map(() => started(home, options)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'USAGE',
          title: expect.stringContaining('runs already') as string,
        });
  });

  it('is given to whoever asks for it, once obk has started a bank of its own under it', async () => {
    const home = newHome();
    await run(home).ensure();
    expect((await started(home)).name).toBe('default');
  });

  it('keeps its ledger and the secret of its token: a restarted bank has the earlier payments and another token', async () => {
    const home = newHome();
    const first = await started(home, { name: 'blue' });
    const token = readFileSync(first.tokenFile, 'utf8');
    await run(home, 'blue').addFault(fault);
    await first.end();
    expect(existsSync(first.tokenFile)).toBe(false);
    const second = await started(home, { name: 'blue' });
    expect(second.formerOrigins).toEqual([first.baseUrl]);
    expect(await run(home, 'blue').faults()).toHaveLength(1);
    expect(readFileSync(second.tokenFile, 'utf8')).not.toBe(token);
  });

  it('is the port where none is given, and such a bank leaves nothing behind', async () => {
    const home = newHome();
    const one = await started(home, { database: ':memory:' });
    expect(one.name).toBe(new URL(one.baseUrl).port);
    await run(home, one.name).addFault(fault);
    await one.end();
    expect(readdirSync(join(home, 'sandbox', 'banks'))).toEqual([]);
  });
});
