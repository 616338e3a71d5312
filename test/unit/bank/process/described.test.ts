// The bank inside by a description: the flag, the key of its file, and what cannot be.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import { runInside } from '../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-described-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});
const file = (name: string, text: string): string => {
  writeFileSync(join(home, name), text);
  return join(home, name);
};
const people = 'people:\n  - psuId: anna\n    accounts: [{ currency: EUR, balance: "1.00" }]\n';

/** The status of a call without any proof, which is answered by whatever stands there. */
const statusAt = async (url: string) => (await fetch(url, { headers: { 'X-Request-ID': 'x' } })).status;

describe('a bank from a description', () => {
  const own = file(
    'own.json',
    JSON.stringify({ framework: '1.3.6', prefix: '/own/v7', errors: { shapes: ['html'] } }),
  );

  it('serves only the interface of the file, in its form', async () => {
    const bank = await startBank({ bank: own, doors: { open: true } });
    const refused = await fetch(`${bank.baseUrl}/own/v7/accounts`);
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html']);
    expect(await statusAt(`${bank.baseUrl}/v1/accounts`)).toBe(404);
    expect(await statusAt(`${bank.baseUrl}/v136/accounts`)).toBe(404);
    await bank.close();
  });

  it('may be named by the key `bank` of its file, whose paths begin at its folder', async () => {
    const bank = await startBank({ config: file('bank.yaml', `bank: own.json\n${people}`) });
    expect(await statusAt(`${bank.baseUrl}/own/v7/accounts`)).toBe(400);
    await bank.close();
  });

  it.each([
    [
      'two descriptions',
      ['--bank', own, '--config', file('both.yaml', `bank: n26\n${people}`)],
      'say two things',
      2,
    ],
    ['an unknown template', ['--bank', 'fiduca'], 'There is no template "fiduca"', 2],
    ['a file that is not there', ['--bank', './none.json'], 'does not exist', 3],
    [
      'a file that is wrong',
      ['--bank', file('wrong.json', '{"decode":{"amounts":true}}')],
      'decode.amounts',
      3,
    ],
  ] as const)('ends for %s', async (_what, flags, told, exit) => {
    const { code, stderr } = await runInside(
      ['sandbox', 'start', '--port', '0', '--database', ':memory:', ...flags],
      {
        env: { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') },
        cwd: home,
        input: '',
      },
    );
    expect(code, stderr).toBe(exit);
    expect(stderr).toContain(told);
  });
});
