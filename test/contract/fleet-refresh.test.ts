import { afterAll, describe, expect, it } from 'vitest';
import { postgresCredentials } from '../../src/adapters/postgres/postgres-credentials.ts';
import { Secret } from '../../src/base/secret.ts';
import { bankOf } from '../helpers/fleet-bank.ts';
import { asProcess, identityOf } from '../helpers/fleet-lives.ts';
import { runMachine } from '../helpers/fleet-machine.ts';
import { hasPostgres, testDatabase, testKey, testVault } from '../helpers/postgres.ts';
import { trials } from '../helpers/trials.ts';

/** In the row of the campaign sixteen processes and a hundred rounds; in `npm test` four machines of this process and three. */
const isMany = trials('fleet', 0).count > 0;
const [machines, rounds] = isMany ? [16, 100] : [4, 3];
const shared = testDatabase();

describe.skipIf(!hasPostgres())('machines that have the same token', () => {
  afterAll(() => shared.end());

  it('refresh it once in each round, and all continue with the new one', { timeout: 600_000 }, async () => {
    const used: string[] = [];
    const waiting: (() => void)[] = [];
    const bank = await bankOf({
      chance: () => 1,
      told: {
        '/round': () =>
          new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length === machines) for (const go of waiting.splice(0)) go();
          }),
        '/use': (token) => Promise.resolve(used.push(token)),
      },
    });
    const credentials = postgresCredentials({
      ...{ database: shared.open(), vault: testVault(), chosen: () => Promise.resolve(undefined) },
    });
    const tokenEndpoint = `${bank.address}/token`;
    const server = { issuer: bank.address, tokenEndpoint, clientId: 'PSDDE-BAFIN-125314' };
    const first = { token: new Secret('access-0'), refreshToken: new Secret('refresh-0'), server };
    await credentials.update('acme', () => ({ tokens: [{ psuId: 'anna', ...first }] }));
    const url = (await shared.url()).reveal();
    const steps = Array.from({ length: rounds }, () => 'round');
    const task = { url, key: testKey, bank: bank.address, shiftMs: 0, steps };
    const ended = await Promise.all(
      Array.from({ length: machines }, (_, at) =>
        isMany
          ? asProcess(task).ended
          : runMachine(task, { processInfo: identityOf(`machine-${String(at)}`) }),
      ),
    );
    for (const said of ended) expect(said ?? '').toBe('');
    const numbers = Array.from({ length: rounds }, (_, round) => round);
    expect([...bank.used]).toEqual(numbers.map((round) => [`refresh-${String(round)}`, 1]));
    expect(used).toEqual(
      numbers.flatMap((round) => Array<string>(machines).fill(`refresh-${String(round + 1)}`)),
    );
    const { tokens } = await credentials.read('acme');
    expect(tokens?.[0]?.refreshToken?.reveal()).toBe(`refresh-${String(rounds)}`);
    await bank.close();
  });
});
