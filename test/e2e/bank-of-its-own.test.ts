import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObk, shop } from '../helpers/obk.ts';
import type { Obk } from '../helpers/obk.ts';
import { isWhole, ranTable } from '../helpers/trials.ts';

let obk: Obk;
beforeAll(() => {
  obk = createObk();
});
afterAll(() => {
  ranTable('twelve runs at once, from nothing');
  obk.close();
});

interface Status {
  running: boolean;
  pid: number | null;
  idleMs: number | null;
}
const status = () => obk.json(['sandbox', 'status']) as Promise<Status>;
const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the bank inside has a process of its own', () => {
  it('that many runs at once, from nothing, start once', { timeout: 120_000 }, async () => {
    const amounts = Array.from(
      { length: Number(process.env['OBK_TEST_PARALLEL'] ?? (isWhole ? 12 : 5)) },
      (_, at) => `${String(at + 1)}.00`,
    );
    const runs = await Promise.all(
      amounts.map((amount) =>
        obk.run(
          ['payment', 'init', ...shop, '--amount', amount, '--profile', 'sandbox', '--no-input', '--json'],
          { bound: 100_000 },
        ),
      ),
    );
    for (const { code, stderr } of runs) expect(code, stderr).toBe(0);
    const listed = (await obk.json(['payment', 'list', '--profile', 'sandbox'])) as { amount: string }[];
    expect(listed.map(({ amount }) => amount).sort()).toEqual([...amounts].sort());
    const log = (await obk.json(['sandbox', 'log', '--limit', '1000'])) as { operation: string }[];
    expect(log.filter(({ operation }) => operation === 'initiatePayment')).toHaveLength(amounts.length);
  });

  it('that outlives them, is shown, and is ended', { timeout: 60_000 }, async () => {
    await obk.json(['sandbox', 'stop']);
    // Longer than any machine takes from one command to the next.
    const env = { OBK_SANDBOX_IDLE: '1m' };
    await obk.run(['payment', 'init', ...shop, '--amount', '1.00', '--profile', 'sandbox', '--no-input'], {
      env,
    });
    const { running, pid, idleMs } = await status();
    expect({ running, idleMs }).toEqual({ running: true, idleMs: 60_000 });
    expect(alive(pid ?? 0)).toBe(true);
    expect(await obk.json(['sandbox', 'stop'])).toEqual({ stopped: true, name: 'default', pid });
    expect(alive(pid ?? 0)).toBe(false);
    expect(await status()).toMatchObject({ running: false, pid: null });
    expect(await obk.json(['sandbox', 'stop'])).toEqual({ stopped: false, name: null, pid: null });
  });

  it(
    'whose time to end is no duration is refused, and an empty one is none',
    { timeout: 60_000 },
    async () => {
      const wrong = await obk.run(['sandbox', 'people'], { env: { OBK_SANDBOX_IDLE: 'soon' } });
      expect([wrong.code, wrong.stdout]).toEqual([2, '']);
      expect(wrong.stderr).toContain('OBK_SANDBOX_IDLE takes a duration such as 30s or 2m; not "soon".');
      const paying = ['payment', 'init', ...shop, '--amount', '3.00', '--profile', 'sandbox', '--no-input'];
      await obk.run(paying, { env: { OBK_SANDBOX_IDLE: '' } });
      expect((await status()).idleMs).toBe(60_000);
      await obk.json(['sandbox', 'stop']);
    },
  );

  it('that ends by itself', { timeout: 60_000 }, async () => {
    await obk.run(['payment', 'init', ...shop, '--amount', '2.00', '--profile', 'sandbox', '--no-input']);
    // Nobody, where the machine is so slow that it has ended already.
    const { pid } = await status();
    await expect.poll(() => pid !== null && alive(pid), { timeout: 30_000 }).toBe(false);
    expect(await status()).toMatchObject({ running: false, pid: null });
  });
});
